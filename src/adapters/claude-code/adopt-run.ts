import type { Env } from '../adapter.ts';
import type { AdoptedHook, HookAnswer, HookRun, HookRunner } from '../adopting.ts';
import type { Fields } from '../fields.ts';
import { isFields, textAt } from '../fields.ts';
import { isMatched, secondsOf } from './adopt-match.ts';
import { commandOf, defined, goesAside, lineOf, RANKS, readRun } from './adopt-output.ts';
import type { Said } from './adopt-output.ts';

export const HOOK_RUNNER: HookRunner = { startedOn, start, goesAside, answer, join };

const SHELL = ['/bin/sh', '-c'];
const PROJECT_DIR = 'CLAUDE_PROJECT_DIR';

function eventOf(payload: Fields): string {
  return textAt(payload, 'hook_event_name') ?? '';
}

/** Handlers of one file that do the same run once, in however many groups they are. */
function startedOn(hooks: readonly AdoptedHook[], payload: Fields): readonly AdoptedHook[] {
  const event = eventOf(payload);
  const heard = hooks.filter((hook) => hook.event === event && isMatched(event, hook.matcher, payload));
  return heard.filter((hook, at) => heard.findIndex((other) => keyOf(other) === keyOf(hook)) === at);
}

function keyOf({ entry }: AdoptedHook): string {
  return JSON.stringify([entry['command'], entry['args']]);
}

function start(hook: AdoptedHook, env: Env): { argv: readonly string[]; limitMs: number } {
  const { command, args } = hook.entry;
  const limitMs = secondsOf(hook) * 1_000;
  if (!Array.isArray(args)) return { argv: [...SHELL, String(command)], limitMs };
  const filled = (word: unknown): string => String(word).replaceAll(`\${${PROJECT_DIR}}`, env[PROJECT_DIR] ?? '');
  return { argv: [command, ...args].map(filled), limitMs };
}

function answer(payload: Fields, runs: readonly HookRun[]): HookAnswer {
  const event = eventOf(payload);
  const said = runs.map((run) => readRun(event, run));
  const complaints = said.flatMap(({ problem, verdict }, at) => {
    const run = runs[at];
    return problem === undefined || verdict === 'deny' || !run ? [] : [`Hook ${lineOf(commandOf(run))}: ${problem}`];
  });
  const { reply, input } = merge(event, said, complaints);
  const outcomes = said.map(({ verdict, problem }) => ({ verdict, ...(problem === undefined ? {} : { problem }) }));
  return { reply, outcomes, ...(input && { rewritten: { ...payload, tool_input: input } }) };
}

/** Of replies that came as text each is one more hook's. */
function join(payload: Fields, first: string, second: string): string {
  const event = eventOf(payload);
  const runs = [first, second].map((stdout): HookRun => {
    const hook = { name: '', event, entry: {} };
    return { hook, code: 0, stdout, stderr: '', ms: 0 };
  });
  return merge(
    event,
    runs.map((run) => readRun(event, run)),
    [],
  ).reply;
}

function merge(event: string, said: readonly Said[], complaints: readonly string[]): { reply: string; input?: Fields } {
  const texts = said.flatMap(({ text }) => text ?? []);
  const { decision, ...own } = ownOf(said);
  const input = decision === 'deny' || decision === 'defer' ? undefined : own.updatedInput;
  const hookSpecificOutput = defined({
    ...own.rest,
    permissionDecision: decision,
    permissionDecisionReason: own.reason,
    updatedInput: input,
    additionalContext: textOf(said.map((each) => each.own['additionalContext'])),
  });
  const output = defined({
    ...topOf(said),
    systemMessage: textOf([...said.map((each) => each.top['systemMessage']), ...complaints]),
    ...(Object.keys(hookSpecificOutput).length > 0 && {
      hookSpecificOutput: { hookEventName: event, ...hookSpecificOutput },
    }),
  });
  const isBlock = output['decision'] === 'block';
  if (texts.length > 0 && !isBlock) return { reply: texts.join('\n') };
  if (Object.keys(output).length === 0) return { reply: '' };
  return { reply: JSON.stringify(output), ...(input && { input }) };
}

/** The strongest decision with all its reasons; of the rest, the last in the order of the file. */
function ownOf(said: readonly Said[]): { decision?: string; reason?: string; updatedInput?: Fields; rest: Fields } {
  const owns = said.map(({ own }) => own);
  const decision = RANKS.find((rank) => owns.some((own) => own['permissionDecision'] === rank));
  const deciding = owns.filter((own) => decision !== undefined && own['permissionDecision'] === decision);
  const reason = textOf(deciding.map((own) => own['permissionDecisionReason']));
  const rest: Fields = Object.assign({}, ...owns);
  const updatedInput = rest['updatedInput'];
  return {
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(isFields(updatedInput) && { updatedInput }),
    rest,
  };
}

/** One that stops the turn, or blocks, is enough. */
function topOf(said: readonly Said[]): Fields {
  const tops = said.map(({ top }) => top);
  const stopping = tops.find((top) => top['continue'] === false);
  const blocking = tops.filter((top) => top['decision'] === 'block');
  const {
    continue: _,
    decision,
    reason,
    stopReason: __,
    systemMessage: ___,
    ...rest
  } = Object.assign({}, ...tops) as Fields;
  return defined({
    ...rest,
    ...(stopping && { continue: false, stopReason: stopping['stopReason'] }),
    decision: blocking.length > 0 ? 'block' : decision,
    reason: blocking.length > 0 ? textOf(blocking.map((top) => top['reason'])) : reason,
  });
}

function textOf(parts: readonly unknown[]): string | undefined {
  const texts = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return texts.length === 0 ? undefined : texts.join('\n');
}
