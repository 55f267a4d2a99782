import { adapterNamed } from '../adapters/registry.ts';
import { nodeFiles } from '../platform/files.ts';
import { valueOf } from './call.ts';
import type { Call } from './call.ts';
import { failClosedReply } from './fail-closed.ts';
import type { MeetingPlace } from './meeting-place.ts';
import { countUnanswered } from './unanswered-count.ts';

/** The reply to an event whose time is over before an engine has answered it. */
export function replyUnanswered({ args, cwd, env }: Call, place: MeetingPlace): string {
  const agent = valueOf(args, '--agent') ?? '';
  const event = valueOf(args, '--event') ?? '';
  const places = [cwd, adapterNamed(agent)?.environment?.read(env).projectDir].filter((dir) => dir !== undefined);
  const stdout = failClosedReply(nodeFiles, place, { agent, event, places });
  countUnanswered(nodeFiles, place.marks, stdout === undefined ? 'empty' : 'denied');
  return stdout ?? '';
}
