import type { Adapter } from '../adapters/adapter.ts';
import { EVENT_KEY } from '../adapters/hook-words.ts';
import { adapterOf, whyNoAdapter } from '../adapters/registry.ts';
import { nodeFiles } from '../platform/files.ts';
import { valueOf } from './call.ts';
import type { Call } from './call.ts';
import { MOST_DENIALS } from '../engine/decide/unable.ts';
import { failClosedReply } from './fail-closed.ts';
import type { MeetingPlace } from './meeting-place.ts';
import { countDenials, countUnanswered } from './unanswered-count.ts';

/** The reply to an event whose time is over before an engine has answered it. Throws where nobody knows the agent's words. */
export function replyUnanswered(
  { args, body, cwd, env }: Pick<Call, 'args' | 'body' | 'cwd' | 'env'>,
  place: Pick<MeetingPlace, 'run' | 'marks'>,
): string {
  const named = valueOf(args, '--agent');
  const adapter = adapterOf(named);
  if (!adapter) throw new Error(whyNoAdapter(named));
  const event = valueOf(args, '--event') ?? likelyEvent(adapter, body);
  const { projectDir, sessionId } = adapter.environment?.read(env) ?? {};
  const places = [cwd, projectDir].filter((dir) => dir !== undefined);
  // Whoever names no session would be asked for the denials of all others.
  const asks = sessionId !== undefined && countDenials(nodeFiles, place.marks, sessionId) >= MOST_DENIALS;
  const stdout = failClosedReply(nodeFiles, place, { agent: adapter.name, event, places, asks });
  countUnanswered(nodeFiles, place.marks, stdout === undefined ? 'empty' : asks ? 'asked' : 'denied', sessionId ?? '');
  return stdout ?? '';
}

/** An entry that names no event is about a tool call, unless its payload names another event and this one nowhere. */
function likelyEvent({ events }: Adapter, body: Uint8Array): string {
  const { name = '' } = events.find(({ canonical }) => canonical === 'tool.before') ?? {};
  const text = Buffer.from(body).toString();
  return text.includes(EVENT_KEY) && !text.includes(`"${name}"`) ? '' : name;
}
