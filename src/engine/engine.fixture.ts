import { ATTENTION } from './advice/attention.ts';
import { BREAKER_LIMITS } from './limits/breaker.ts';
import type { Engine, Policy } from './engine.ts';
import { createRuleIndex } from './match/rule-index.ts';
import type { ActiveRule } from './match/rule-index.ts';
import { NO_FACTS } from '../event/facts.ts';
import type { Rule, RuleMeta, RuleWorkspace } from './rule.ts';
import type { Adapter } from '../adapters/adapter.ts';
import type { Event, EventName, HookCall, Prompt, ToolCall } from '../event/event.ts';
import { NEUTRAL } from '../event/verdict.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';
import { handle } from '../handle.ts';
import type { Decision, Mode } from '../event/verdict.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import { sha256 } from '../platform/hash.ts';
import { createMemoryStore } from '../state/memory.ts';
import type { Store } from '../state/store.ts';

/** A fixed moment, so that no test depends on the clock. */
export const NOW = 1_800_000_000_000;
export const ROOT = '/home/dev/project';

export function toolEvent(tool: Partial<ToolCall> = {}, more: Partial<Event> = {}): Event {
  return {
    name: 'tool.before',
    agent: 'test',
    agentEvent: 'test',
    session: 's1',
    hasSession: true,
    cwd: ROOT,
    depth: 0,
    receivedAt: NOW,
    tool: { kind: 'shell', name: 'shell', input: {}, hasInput: true, paths: [], edits: [], ...tool },
    ...more,
  };
}

/** An event that no tool call is part of. */
export function plainEvent(name: Event['name'], more: Partial<Event> = {}): Event {
  const { tool: _tool, ...rest } = toolEvent({}, { name, ...more });
  return rest;
}

export function promptEvent(text: string, more: Partial<Event> & { origin?: Prompt['origin'] } = {}): Event {
  const { origin = 'human', ...rest } = more;
  const id = rest.promptId === undefined ? {} : { id: rest.promptId };
  return plainEvent('prompt.submit', { prompt: { text, origin, ...id }, ...rest });
}

type Check = Rule['check'];

/** A rule that listens to every shell call, unless `meta` says otherwise. */
export function activeRule(id: string, check: Check, meta: Partial<RuleMeta> = {}, mode: Mode = 'enforce'): ActiveRule {
  const full: RuleMeta = {
    id,
    pack: 'test',
    summary: 'For a test.',
    on: [{ event: 'tool.before' }],
    messages: { said: '{text}' },
    ...meta,
  };
  return { meta: full, mode, options: full.options ?? {}, source: 'test', load: () => ({ check }) };
}

/** A built-in rule as a workspace would run it. */
export function activate(
  rule: Rule,
  mode: Mode = rule.mode ?? 'advise',
  options: Readonly<Record<string, unknown>> = {},
): ActiveRule {
  return { meta: rule, mode, options: { ...rule.options, ...options }, source: 'test', load: () => rule };
}

export function policyOf(rules: readonly ActiveRule[], more: Partial<Policy> = {}): Policy {
  return {
    index: createRuleIndex(rules),
    overrides: {},
    attention: ATTENTION,
    breaker: BREAKER_LIMITS,
    notices: [],
    trusted: new Set(),
    ...more,
  };
}

export interface Recorded {
  readonly row: LedgerRow;
  readonly detail: LedgerDetail;
  readonly committed: boolean;
}

export interface TestEngine extends Engine {
  readonly recorded: Recorded[];
  readonly failures: { what: string; error: unknown }[];
  now: number;
  off: boolean;
  policy: Policy;
}

const workspace: RuleWorkspace = {
  root: ROOT,
  repository: ROOT,
  home: '/home/dev',
  markerBacked: true,
  isTrusted: false,
  nearest: (name) => (name === 'present' ? ROOT : undefined),
  relative: (path) => path.replace(`${ROOT}/`, ''),
  nameOf: (path) => (path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : undefined),
  isIgnored: () => false,
  hasProgram: () => false,
  variable: () => undefined,
};

/** An engine over real parts and memory, whose clock stands still until it is told otherwise. */
export function testEngine(
  rules: readonly ActiveRule[],
  more: { store?: Store; policy?: Partial<Policy> } = {},
): TestEngine {
  const recorded: Recorded[] = [];
  const failures: TestEngine['failures'] = [];
  let id = 0;
  const ledger: Ledger = {
    nextId: () => `d${++id}`,
    record: (row, detail, committed) => void recorded.push({ row, detail: detail(), committed }),
    relay() {},
    flush() {},
  };
  const engine: TestEngine = {
    recorded,
    failures,
    now: NOW,
    off: false,
    policy: policyOf(rules, more.policy),
    clock: { now: () => engine.now, micros: () => 0, dayOf: (at) => new Date(at).toISOString().slice(0, 10) },
    files: {
      readText: () => undefined,
      stat: () => undefined,
      lstat(path) {
        return this.stat(path);
      },
      readRange: () => undefined,
      list: () => [],
      realpath: () => undefined,
    },
    store: more.store ?? createMemoryStore(),
    ledger,
    locate: () => ({
      root: ROOT,
      reason: 'cwd',
      project: ROOT,
      policy: engine.policy,
      rootOf: () => ROOT,
      workspace,
      atCwd: () => workspace,
    }),
    effectsOf: (event, { root, workspace: { home } }) => effectsOfExample(event, { root, home }, engine.files.readText),
    setupOf: () => ({ servers: [], hooks: [] }),
    isOwnWrite: () => false,
    seal: sha256,
    facts: NO_FACTS,
    isOff: () => engine.off,
    onFailure: (what, error) => void failures.push({ what, error }),
  };
  return engine;
}

/** Events on which this agent reads no context. */
const DEAF: ReadonlySet<EventName> = new Set(['notification', 'turn.failed']);

const spoken: Pick<Adapter, 'name' | 'parse' | 'render' | 'capabilities'> = {
  name: 'plain',
  parse: (call) => call.payload as Event,
  render: (decision) => ({ stdout: JSON.stringify(decision), exitCode: 0 }),
  capabilities(event) {
    const reach = DEAF.has(event) ? 'none' : 'enforced';
    return { allow: reach, rewrite: reach, ask: reach, deny: reach, note: reach, warn: reach };
  },
};

/** An agent that speaks our own words: its payloads are events, its replies are decisions. The engine uses no more of it. */
export const plainAdapter = spoken as Adapter;

export function callWith(payload: unknown, more: Partial<HookCall> = {}): HookCall {
  return { payload, cwd: ROOT, depth: 0, home: '/home/dev', receivedAt: NOW, ...more };
}

/** Sends events one after the other; answers the decision on the last one. */
export async function send(engine: Engine, ...events: readonly Event[]): Promise<Decision> {
  let decision = NEUTRAL;
  for (const event of events) {
    const { stdout } = await handle(callWith(event), plainAdapter, engine);
    decision = stdout === '' ? NEUTRAL : (JSON.parse(stdout) as Decision);
  }
  return decision;
}
