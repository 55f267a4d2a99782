import { FAILED_REPLY } from '../adapters/adapter.ts';
import type { Adapter, Env, Reply } from '../adapters/adapter.ts';
import { TRACEPARENT, VARIABLES } from '../adapters/forwarded.ts';
import { adapterOf, whyNoAdapter } from '../adapters/registry.ts';
import type { Engine } from '../engine/engine.ts';
import type { HookCall } from '../event/event.ts';
import { silencedIn } from '../event/known-packs.ts';
import { handle } from '../handle.ts';
import { readPayload } from './payload.ts';
import type { Mutable } from '../event/mutable.ts';

export interface HookRequest {
  /** Undefined when the hook command names none. */
  readonly agent?: string;
  readonly eventHint?: string;
  /** The whole body, or its first bytes when it was over the limit. */
  readonly body: Uint8Array;
  /** Bytes of the whole body. */
  readonly size: number;
  readonly cwd: string;
  readonly home: string;
  readonly env: Env;
  /** Where it did not come with the environment. */
  readonly traceparent?: string;
  /** No entry says which event it is about. */
  readonly isPosted?: true;
  /** How long the agent waits for a reply. */
  readonly withinMs?: number;
  /** The entry has us run hooks of others. */
  readonly adopted?: AdoptedRequest;
}

export interface AdoptedRequest {
  readonly set: string;
  /** Where they are kept. */
  readonly state: string;
  /** Aborted when the agent waits no more. */
  readonly gone: AbortSignal;
  /** Does what can wait until the reply is out. */
  later(work: () => void): void;
}

/** From the bytes an agent sent to the bytes it gets back. Every transport ends here; nothing that comes in makes it throw. */
export function answer(request: HookRequest, engine: Engine): Reply | Promise<Reply> {
  const { adopted } = request;
  if (!adopted) return answerRules(request, engine);
  return import('./answer-adopted.ts').then(({ answerAdopted }) =>
    answerAdopted({ ...request, adopted }, engine, answerRules),
  );
}

function answerRules(request: HookRequest, engine: Engine): Reply | Promise<Reply> {
  const adapter = adapterOf(request.agent);
  if (!adapter) {
    engine.onFailure('choosing an adapter', whyNoAdapter(request.agent));
    return FAILED_REPLY;
  }
  const { payload, unread } = readPayload(request.body, request.size, adapter);
  if (unread !== undefined) engine.onFailure('reading a payload', unread);
  return handle(callOf(request, payload, unread, { adapter, receivedAt: engine.clock.now() }), adapter, engine);
}

interface Heard {
  readonly adapter: Adapter;
  readonly receivedAt: number;
}

/** Filled in, not spread together: that would take longer than most events do. */
function callOf(
  request: HookRequest,
  payload: unknown,
  unread: string | undefined,
  { adapter, receivedAt }: Heard,
): HookCall {
  const { env, cwd, home, withinMs } = request;
  const depth = Number(env['FAIRLEAD_DEPTH'] ?? 0);
  const call: Mutable<HookCall> = {
    payload,
    cwd,
    home,
    depth: Number.isInteger(depth) && depth > 0 ? depth : 0,
    receivedAt,
  };
  if (unread !== undefined) call.unread = unread;
  if (withinMs !== undefined) call.withinMs = withinMs;
  const silenced = silencedIn(env);
  if (silenced.length > 0) call.silenced = silenced;
  const variables = variablesIn(env);
  if (variables) call.variables = variables;
  const traceparent = request.traceparent ?? env[TRACEPARENT];
  if (traceparent !== undefined) call.traceparent = traceparent;
  const told = adapter.environment?.read(env);
  if (told) Object.assign(call, told);
  const hint = request.eventHint ?? guessedEvent(request, unread, adapter);
  if (hint !== undefined) call.eventHint = hint;
  if (hint !== request.eventHint) call.isGuess = true;
  return call;
}

/** Only a process that the agent started knows them; what is posted comes without. */
function variablesIn(env: Env): HookCall['variables'] {
  if (env['PATH'] === undefined) return undefined;
  const variables: Record<string, string> = {};
  for (const name of VARIABLES) {
    const value = env[name];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/** What nobody can read, and a post that names no event, may be a tool call and counts as one. */
function guessedEvent({ isPosted }: HookRequest, unread: string | undefined, { events }: Adapter): string | undefined {
  if (unread === undefined && !isPosted) return undefined;
  return events.find(({ canonical }) => canonical === 'tool.before')?.name;
}
