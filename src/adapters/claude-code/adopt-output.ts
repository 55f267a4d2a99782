import type { HookOutcome, HookRun } from '../adopting.ts';
import type { Fields } from '../fields.ts';
import { isFields, stringAt } from '../fields.ts';

/** How a block is told, by event: in the event's own part, at the top, or to nobody but the person. */
const BLOCKS: Readonly<Record<string, 'own' | 'top' | 'person'>> = {
  PreToolUse: 'own',
  PostToolUse: 'top',
  PostToolUseFailure: 'top',
  UserPromptSubmit: 'top',
  Stop: 'top',
  SubagentStop: 'top',
  PreCompact: 'top',
  SessionStart: 'person',
  SessionEnd: 'person',
  SubagentStart: 'person',
  Notification: 'person',
};

/** The events on which what hooks say can be put together in the client's place. */
export const RUNNABLE: ReadonlySet<string> = new Set(Object.keys(BLOCKS));

/** Where plain text reaches the model; on a compaction it joins the instructions. */
const PLAIN: Readonly<Record<string, 'told' | 'text'>> = {
  UserPromptSubmit: 'told',
  SessionStart: 'told',
  PreCompact: 'text',
};

/** What the client makes of one run. */
export interface Said extends HookOutcome {
  /** Fields of its reply, valid ones. */
  readonly top: Fields;
  readonly own: Fields;
  /** Plain text that is used as it stands. */
  readonly text?: string;
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  continue: isFlag,
  suppressOutput: isFlag,
  stopReason: isText,
  systemMessage: isText,
  reason: isText,
  decision: (value) => value === 'approve' || value === 'block',
  hookSpecificOutput: isFields,
};

const OWN_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  permissionDecision: (value) => RANKS.includes(value as string),
  permissionDecisionReason: isText,
  additionalContext: isText,
  updatedInput: isFields,
};

/** The strongest decision first. */
export const RANKS: readonly string[] = ['deny', 'defer', 'ask', 'allow'];

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Reads what a hook left as the client does: JSON whatever the exit code, 2 as a block, and all else as no more than a complaint. */
export function readRun(event: string, run: HookRun): Said {
  const { code, failure, stderr } = run;
  if (failure !== undefined) return unusable(event, run, FAILURES[failure]);
  const output = run.stdout.trim();
  if (goesAside(output.split('\n', 1)[0] ?? '')) return unusable(event, run, ASIDE);
  const json = jsonIn(output);
  const fault = json && faultIn(event, json);
  if (code === 2) {
    const reason = stderr === '' ? reasonIn(json) : `[${commandOf(run)}]: ${stderr}`;
    return blocked(event, run, reason, fault === undefined ? json : undefined);
  }
  if (fault !== undefined) return unusable(event, run, fault);
  if (code !== 0 && run.hook.entry['onFailure'] === 'block') return unusable(event, run, `it ended with ${code}`);
  if (json) return said(event, json);
  if (code !== 0) return unusable(event, run, `it ended with ${code}${stderr === '' ? '' : `: ${lineOf(stderr)}`}`);
  return plain(event, output);
}

const FAILURES: Readonly<Record<NonNullable<HookRun['failure']>, string>> = {
  start: 'it could not be started',
  time: 'it did not end in its time',
  stopped: 'it was stopped, because the agent did not wait for it',
};

function jsonIn(output: string): Fields | undefined {
  if (!output.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(output);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const ASIDE = 'it went into the background; what it says later is lost. Give it back to the agent';

/** The client looks at its first line alone. */
export function goesAside(line: string): boolean {
  return jsonIn(line.trim())?.['async'] === true;
}

/** Why the client throws a reply away as a whole. */
function faultIn(event: string, json: Fields): string | undefined {
  const wrong = Object.keys(FIELDS).find((key) => json[key] !== undefined && FIELDS[key]?.(json[key]) !== true);
  if (wrong !== undefined) return `its reply has a wrong \`${wrong}\``;
  const own = json['hookSpecificOutput'];
  if (!isFields(own)) return undefined;
  if (own['hookEventName'] !== event) return `its reply is not for ${event}`;
  const bad = Object.keys(OWN_FIELDS).find((key) => own[key] !== undefined && OWN_FIELDS[key]?.(own[key]) !== true);
  return bad === undefined ? undefined : `its reply has a wrong \`${bad}\``;
}

function said(event: string, json: Fields): Said {
  const { hookSpecificOutput, decision, reason, async: _, ...top } = json;
  const { hookEventName: __, ...own } = isFields(hookSpecificOutput) ? hookSpecificOutput : {};
  if (event !== 'PreToolUse' || decision === undefined || own['permissionDecision'] !== undefined) {
    const verdict = stringAt(own, 'permissionDecision') ?? stringAt(json, 'decision') ?? verdictOf(top, own);
    return { verdict, top: { ...top, ...defined({ decision, reason }) }, own };
  }
  // The older way to say it.
  const permissionDecision = decision === 'block' ? 'deny' : 'allow';
  return {
    verdict: permissionDecision,
    top,
    own: { ...own, permissionDecision, ...defined({ permissionDecisionReason: reason }) },
  };
}

function verdictOf(top: Fields, own: Fields): string {
  if (top['continue'] === false) return 'stop';
  if (own['updatedInput'] !== undefined) return 'rewrite';
  return own['additionalContext'] === undefined ? 'none' : 'note';
}

function plain(event: string, output: string): Said {
  if (output === '') return { verdict: 'none', top: {}, own: {} };
  // The client takes it for plain text, whatever it was meant to be.
  const problem = output.startsWith('{') ? { problem: 'its reply starts with a brace and is no JSON' } : {};
  const way = PLAIN[event];
  if (way === 'told') return { verdict: 'told', top: {}, own: { additionalContext: output }, ...problem };
  if (way === 'text') return { verdict: 'told', top: {}, own: {}, text: output, ...problem };
  return { verdict: 'none', top: {}, own: {}, ...problem };
}

function blocked(event: string, run: HookRun, reason: string, json: Fields | undefined): Said {
  const beside: Said = json ? said(event, json) : { verdict: 'none', top: {}, own: {} };
  const { decision: _, reason: __, ...top } = beside.top;
  const { permissionDecision: ___, permissionDecisionReason: ____, ...own } = beside.own;
  if (BLOCKS[event] === 'own')
    return { verdict: 'deny', top, own: { ...own, permissionDecision: 'deny', permissionDecisionReason: reason } };
  if (BLOCKS[event] === 'top')
    return { verdict: 'block', top: { ...top, decision: 'block', reason: bare(run, reason) }, own };
  return { verdict: 'none', top, own, problem: `it ended with 2: ${lineOf(run.stderr)}` };
}

/** Where the client shows no command line of its own accord. */
function bare(run: HookRun, reason: string): string {
  return run.stderr === '' ? reason : run.stderr;
}

/** No verdict: the action goes on, unless the entry says that it must not. */
function unusable(event: string, run: HookRun, problem: string): Said {
  if (run.hook.entry['onFailure'] !== 'block' || BLOCKS[event] !== 'own')
    return { verdict: 'none', top: {}, own: {}, problem };
  const word = run.failure === 'time' ? 'timed out' : 'failed';
  const reason = `[${commandOf(run)}]: ${word}; blocking because onFailure is "block"\n${run.stderr}`;
  const own = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { verdict: 'deny', top: {}, own, problem };
}

function reasonIn(json: Fields | undefined): string {
  const own = json && isFields(json['hookSpecificOutput']) ? json['hookSpecificOutput'] : {};
  return (json && stringAt(json, 'reason')) ?? stringAt(own, 'permissionDecisionReason') ?? 'No stderr output';
}

export function commandOf({ hook: { entry } }: Pick<HookRun, 'hook'>): string {
  const args = Array.isArray(entry['args']) ? entry['args'].map(String) : [];
  return [String(entry['command']), ...args].join(' ');
}

export function lineOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

export function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
