// What one event costs inside the engine: parse, workspace, select, rules, commit, render; without the transport.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Adapter } from '../src/adapters/adapter.ts';
import { adapterNamed } from '../src/adapters/registry.ts';
import { ATTENTION } from '../src/engine/advice/attention.ts';
import { BREAKER_LIMITS } from '../src/engine/limits/breaker.ts';
import type { Engine, Policy } from '../src/engine/engine.ts';
import { createRuleIndex } from '../src/engine/match/rule-index.ts';
import type { ActiveRule } from '../src/engine/match/rule-index.ts';
import { counter, defineRule } from '../src/engine/rule.ts';
import { NO_FACTS } from '../src/event/facts.ts';
import type { Rule, RuleWorkspace } from '../src/engine/rule.ts';
import { effectsOfExample } from '../src/assembly/example-effects.ts';
import { handle } from '../src/handle.ts';
import type { HookCall } from '../src/event/event.ts';
import { systemClock } from '../src/platform/clock.ts';
import { nodeFiles } from '../src/platform/files.ts';
import { sha256 } from '../src/platform/hash.ts';
import { openMemory } from '../src/ledger/open.ts';
import { watchSwitch } from '../src/state/switch.ts';
import { createResolver } from '../src/roots/resolver.ts';
import { report } from './lib/figures.ts';
import { measure, printTable } from './lib/measure.ts';
import type { Measured } from './lib/measure.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-bench-')));
const project = join(home, 'project');
mkdirSync(join(project, '.git'), { recursive: true });
for (const name of ['src/other.ts', 'guarded/a.ts', 'passes/a.ts', 'fires/a.ts', 'denies/a.ts']) {
  mkdirSync(join(project, dirname(name)), { recursive: true });
  writeFileSync(join(project, name), '');
}
const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');

const recorded = readFileSync(
  new URL('../../test/fixtures/claude-code-large/pre-edit-4k.json', import.meta.url),
  'utf8',
).replaceAll('/home/dev/project', project);
const edit = JSON.parse(recorded) as Record<string, unknown>;
const editText = JSON.stringify(edit);

/** Half of the rules listen to the benched event and tool and differ in paths and words; the others listen elsewhere. */
function rulesFor(count: number): Rule[] {
  return Array.from({ length: count }, (_, n) => {
    const on = [
      { event: 'tool.before' as const, tool: ['edit' as const], paths: [`services/area${n}/**/*.ts`] },
      { event: 'tool.after' as const, tool: ['shell' as const] },
      { event: 'tool.before' as const, tool: ['edit' as const], words: [`forbiddenCall${n}(`, `legacy_${n}_api`] },
      { event: 'turn.stop' as const },
    ][n % 4] as Rule['on'][number];
    return defineRule({
      id: `bench/rule-${n}`,
      pack: 'bench',
      summary: 'bench',
      on: [on],
      messages: { no: 'no' },
      check: (_event, context) => context.deny('no'),
    });
  });
}

const fires = defineRule({
  id: 'bench/fires',
  pack: 'bench',
  summary: 'fires with a state change',
  on: [{ event: 'tool.before', tool: ['edit'], paths: ['fires/**'] }],
  state: { seen: counter('bench.seen') },
  messages: { seen: 'Edit number {count} of this session.' },
  check: (_event, context) => context.note('seen', { count: context.state.seen.next() }),
});
const denies = defineRule({
  id: 'bench/denies',
  pack: 'bench',
  summary: 'denies with a state change',
  on: [{ event: 'tool.before', tool: ['edit'], paths: ['denies/**'] }],
  state: { seen: counter('bench.denied') },
  messages: { denied: 'Edit number {count} of this session is denied.' },
  check: (_event, context) => context.deny('denied', { count: context.state.seen.next() }),
});
const stopsAtGuard = defineRule({
  id: 'bench/guarded',
  pack: 'bench',
  summary: 'stops at tier 2',
  on: [{ event: 'tool.before', tool: ['edit'], paths: ['guarded/**'] }],
  needs: { main: true },
  messages: { no: 'no' },
  check: (_event, context) => context.deny('no'),
});
const passes = defineRule({
  id: 'bench/passes',
  pack: 'bench',
  summary: 'runs and passes',
  on: [{ event: 'tool.before', tool: ['edit'], paths: ['passes/**'] }],
  messages: { no: 'no' },
  check: (_event, context) => context.pass('fine'),
});

/** A benchmark of failures would look fast. */
function fail(what: string, error: unknown): never {
  console.error(what, error);
  process.exit(1);
}

function engineWith(rules: readonly Rule[], name: string) {
  const memory = openMemory({
    path: join(home, name, 'state.db'),
    busyMs: 1_000,
    resident: true,
    now: () => Date.now(),
    random: Math.random,
    onFailure: fail,
  });
  const active = rules.map((rule): ActiveRule => ({
    meta: rule,
    mode: 'enforce',
    options: {},
    source: 'bench',
    load: () => rule,
  }));
  const policy: Policy = {
    index: createRuleIndex(active),
    overrides: {},
    attention: { ...ATTENTION, turn: 1e12, session: 1e12 },
    breaker: BREAKER_LIMITS,
    notices: [],
    trusted: new Set(),
  };
  const resolver = createResolver({ files: nodeFiles, home, now: systemClock.now });
  const root = resolver.rootOf(project);
  const engine: Engine = {
    clock: systemClock,
    files: nodeFiles,
    store: memory.store,
    ledger: memory.ledger,
    isOff: watchSwitch(nodeFiles, join(home, name), 2_000).isOff,
    onFailure: fail,
    setupOf: () => ({ servers: [], hooks: [] }),
    isOwnWrite: () => false,
    seal: sha256,
    facts: NO_FACTS,
    effectsOf: (event, { root: found, workspace }) => effectsOfExample(event, { root: found, home: workspace.home }),
    locate(event) {
      const { root: found, reason } = resolver.resolveEvent(event, root);
      const workspace: RuleWorkspace = {
        root: found.path,
        repository: found.path,
        home: '/home/dev',
        markerBacked: true,
        isTrusted: false,
        nearest: () => undefined,
        relative: (path) => path,
        nameOf: () => undefined,
        isIgnored: () => false,
        hasProgram: () => false,
        variable: () => undefined,
      };
      return {
        root: found.path,
        reason,
        project: root.path,
        policy,
        rootOf: (path) => resolver.rootOf(path).path,
        workspace,
        atCwd: () => workspace,
      };
    },
  };
  return { engine, memory };
}

let calls = 0;
function callFor(payload: Record<string, unknown>, path: string, extra: Record<string, unknown> = {}): () => HookCall {
  const input = { ...(payload['tool_input'] as Record<string, unknown>), file_path: join(project, path) };
  return () => ({
    payload: { ...payload, ...extra, tool_input: input, tool_use_id: `toolu_${calls++}` },
    cwd: project,
    depth: 0,
    home,
    receivedAt: Date.now(),
  });
}

const cases: Record<string, () => HookCall> = {
  'no rule wants it (tier 0)': callFor(edit, 'src/other.ts', { hook_event_name: 'PostToolUse' }),
  'rejected by paths and words (tier 1)': callFor(edit, 'src/other.ts'),
  'stopped by a guard (tier 2)': callFor(edit, 'guarded/a.ts', { agent_id: 'sub', agent_type: 'x' }),
  'runs and passes (tier 3)': callFor(edit, 'passes/a.ts'),
  'denies and commits (tier 3)': callFor(edit, 'denies/a.ts'),
  'notes and commits (tier 3)': callFor(edit, 'fires/a.ts'),
};

/** Each case in a process and with a state file of its own, so that none pays for the one before. */
async function measureCase(count: number, name: string): Promise<Measured> {
  const { engine, memory } = engineWith([...rulesFor(count), fires, denies, stopsAtGuard, passes], 'state');
  const measured = await measure((given: HookCall) => handle(given, adapter as Adapter, engine), {
    prepare: cases[name] as () => HookCall,
    runs: 20_000,
    warmup: 4_000,
    // As often as a busy engine does it after its replies.
    between: () => memory.ledger.flush(),
    every: 50,
  });
  memory.close();
  return measured;
}

const [, script = '', countArgument, nameArgument] = process.argv;
if (countArgument !== undefined && nameArgument !== undefined) {
  console.log(JSON.stringify(await measureCase(Number(countArgument), nameArgument)));
  rmSync(home, { recursive: true, force: true });
  process.exit(0);
}

const rows: (string | number)[][] = [];
const byCount = new Map<string, Measured>();
for (const count of [10, 100, 1_000]) {
  for (const name of Object.keys(cases)) {
    const { stdout, stderr } = spawnSync(process.execPath, [script, String(count), name], { encoding: 'utf8' });
    if (stdout === '') fail(name, stderr);
    const measured = JSON.parse(stdout) as Measured;
    byCount.set(`${count} ${name}`, measured);
    rows.push([count, name, measured.p50, measured.p95, measured.p99]);
  }
}

const parse = await measure((text: string) => void JSON.parse(text), {
  prepare: () => editText,
  runs: 20_000,
  warmup: 4_000,
});
console.log(
  `payload: a recorded edit of ${editText.length} characters; JSON.parse of it, not part of handle(): p50 ${parse.p50.toFixed(1)} µs\n`,
);
printTable(['rules', 'event', 'p50 µs', 'p95 µs', 'p99 µs'], rows);

const p50 = (count: number, name: string) => byCount.get(`${count} ${name}`)?.p50 ?? Number.NaN;
const [tier0, tier1, tier2, tier3, denied, noted] = Object.keys(cases) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
console.log('\nwhat each tier adds, with 100 rules:');
printTable(
  ['tier', 'µs'],
  [
    ['0 parse, workspace, nobody listens', p50(100, tier0)],
    ['1 paths and words', p50(100, tier1) - p50(100, tier0)],
    ['2 guards on state', p50(100, tier2) - p50(100, tier0)],
    ['3 the check', p50(100, tier3) - p50(100, tier2)],
    ['3 render, commit and record a denial', p50(100, denied) - p50(100, tier3)],
    ['3 the same for a note, with its bill', p50(100, noted) - p50(100, tier3)],
  ],
);

rmSync(home, { recursive: true, force: true });
report('engine', {
  'unheard-p50': p50(100, tier0),
  'rejected-p50': p50(100, tier1),
  'rejected-p99': byCount.get(`100 ${tier1}`)?.p99 ?? Number.NaN,
  'denied-p50': p50(100, denied),
  'noted-p50': p50(100, noted),
  'rules-unheard': p50(1_000, tier0) / p50(10, tier0),
  'rules-rejected': p50(1_000, tier1) / p50(10, tier1),
  'rules-fires': p50(1_000, denied) / p50(10, denied),
});
