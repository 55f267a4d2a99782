import type { ToldEvent } from '../../event/transcript.ts';
import { basename, dirname, join } from '../../platform/paths.ts';
import type { TranscriptLook, Transcripts } from '../adapter.ts';
import type { Fields } from '../fields.ts';
import { EVENTS } from './names.ts';
import { configDir } from './settings.ts';
import { aboutTranscript, readTranscript } from './transcript.ts';

const NAME = /^rollout-\d{4}-\d\d-\d\dT[\d-]+-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;

/** In a folder for each day, sub-agents among the sessions that started them. */
export const TRANSCRIPTS: Transcripts = {
  sessionOf: (name) => NAME.exec(name)?.[1],
  reader: readTranscript,
  // It writes down what its model got, and not how a hook ended.
  leavesTrace: ({ action, chars }) => chars > 0 || action === 'deny' || action === 'ask',
  payloadOf,
  all({ home, variable }, look) {
    const dir = join(configDir({ root: home, home, env: { CODEX_HOME: variable('CODEX_HOME') } }), 'sessions');
    const deeper = (dirs: readonly string[]) => dirs.flatMap((each) => look.list(each).map((name) => join(each, name)));
    const days = deeper(deeper(deeper([dir])));
    return days.flatMap((day) => transcriptsIn(day, look)).filter((path) => subagentOf(path, look) === undefined);
  },
  subagentsOf(transcript, look) {
    const session = NAME.exec(basename(transcript))?.[1];
    if (session === undefined) return [];
    const day = dirname(transcript);
    return [day, ...dayAfter(day, look)]
      .flatMap((dir) => transcriptsIn(dir, look))
      .filter((path) => path > transcript && subagentOf(path, look) === session);
  },
};

function transcriptsIn(dir: string, look: TranscriptLook): readonly string[] {
  return look
    .list(dir)
    .filter((name) => NAME.test(name))
    .map((name) => join(dir, name));
}

/** The session whose sub-agent wrote this; undefined for a session's own. */
function subagentOf(path: string, look: TranscriptLook): string | undefined {
  const { session, subagent } = aboutTranscript(look.head(path));
  return subagent === undefined ? undefined : session;
}

/** A session that works through midnight has sub-agents there; one at the end of a month is not followed further. */
function dayAfter(day: string, look: TranscriptLook): readonly string[] {
  const [next] = look
    .list(dirname(day))
    .toSorted()
    .filter((name) => name > basename(day));
  return next === undefined ? [] : [join(dirname(day), next)];
}

/** What the client would have sent; what no transcript tells, such as the model, is absent. */
function payloadOf(told: ToldEvent): Fields {
  const { name, session, transcript, cwd, promptId, mode, subagent, call, prompt, reason, lastMessage } = told;
  return {
    hook_event_name: EVENTS.find(({ canonical }) => canonical === name)?.name,
    session_id: session,
    transcript_path: transcript,
    cwd,
    ...(promptId === undefined ? {} : { turn_id: promptId }),
    ...(mode === undefined ? {} : { permission_mode: mode }),
    ...(subagent === undefined ? {} : { agent_id: subagent.id, agent_type: subagent.type }),
    ...(call && { tool_name: call.name, tool_input: call.input, tool_use_id: call.id, tool_response: call.output }),
    ...(prompt && { prompt: prompt.text }),
    ...(name.startsWith('compact.') ? { trigger: reason } : name === 'session.start' ? { source: reason } : {}),
    ...(name.endsWith('.stop') ? { stop_hook_active: false, last_assistant_message: lastMessage } : {}),
  };
}
