import { EMPTY_REPLY } from '../adapters/adapter.ts';
import type { Env, Reply } from '../adapters/adapter.ts';
import { VARIABLES } from '../adapters/forwarded.ts';
import { adapterNamed } from '../adapters/registry.ts';
import type { Engine } from '../engine/engine.ts';
import type { HookCall } from '../event/event.ts';
import { silencedIn } from '../event/known-packs.ts';
import { handle } from '../handle.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';

export interface HookRequest {
  readonly agent: string;
  readonly eventHint?: string;
  /** The whole body, or its first bytes when it was over the limit. */
  readonly body: Uint8Array;
  /** Bytes of the whole body. */
  readonly size: number;
  readonly cwd: string;
  readonly home: string;
  readonly env: Env;
}

/** From the bytes an agent sent to the bytes it gets back. Every transport ends here; nothing that comes in makes it throw. */
export function answer(request: HookRequest, engine: Engine): Promise<Reply> {
  const adapter = adapterNamed(request.agent);
  if (!adapter) {
    engine.onFailure('choosing an adapter', `no agent named ${request.agent}`);
    return Promise.resolve(EMPTY_REPLY);
  }
  // Also when the client found no memory for all of it.
  const unread = request.size > MAX_BODY_BYTES || request.size > request.body.length;
  const text = decoder.decode(unread ? request.body.subarray(0, HEAD_BYTES) : request.body);
  const payload = unread ? (adapter.peek?.(text) ?? {}) : parseJson(text);
  if (payload === undefined)
    engine.onFailure('reading a payload', text.trim() === '' ? 'it is empty' : 'it is not JSON');
  if (unread)
    engine.onFailure(
      'reading a payload',
      `of its ${request.size} bytes ${request.body.length} were kept; the limit is ${MAX_BODY_BYTES}`,
    );
  const depth = Number(request.env['FAIRLEAD_DEPTH'] ?? 0);
  const silenced = silencedIn(request.env);
  return handle(
    {
      payload,
      unread,
      cwd: request.cwd,
      home: request.home,
      ...(silenced.length > 0 && { silenced }),
      ...variablesIn(request.env),
      depth: Number.isInteger(depth) && depth > 0 ? depth : 0,
      receivedAt: engine.clock.now(),
      ...adapter.environment?.read(request.env),
      ...(request.eventHint === undefined ? {} : { eventHint: request.eventHint }),
    },
    adapter,
    engine,
  );
}

/** Only a process that the agent started knows them; what is posted comes without. */
function variablesIn(env: Env): Pick<HookCall, 'variables'> {
  if (env['PATH'] === undefined) return {};
  const variables: Record<string, string> = {};
  for (const name of VARIABLES) {
    const value = env[name];
    if (value !== undefined) variables[name] = value;
  }
  return { variables };
}

const decoder = new TextDecoder();

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
