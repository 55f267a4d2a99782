import type { ToldCall, ToldEvent } from '../../event/transcript.ts';
import type { Fields } from '../fields.ts';
import { ownName } from './names.ts';

/** What the client would have sent; what no transcript tells, such as how long a call took, is absent. */
export function payloadOf(told: ToldEvent): Fields {
  const { name, session, transcript, cwd, promptId, mode, subagent, batch } = told;
  return {
    hook_event_name: ownName(name),
    session_id: session,
    transcript_path: transcript,
    cwd,
    ...(promptId === undefined ? {} : { prompt_id: promptId }),
    ...(mode === undefined ? {} : { permission_mode: mode }),
    ...(subagent === undefined ? {} : { agent_id: subagent.id, agent_type: subagent.type }),
    ...(told.call && callFields(told.call)),
    ...(batch && { tool_calls: batch.map(callFields) }),
    ...ownFields(told),
  };
}

function callFields({ name, id, input, output, error }: ToldCall): Fields {
  return {
    tool_name: name,
    tool_input: input,
    ...(id === undefined ? {} : { tool_use_id: id }),
    ...(output === undefined ? {} : { tool_response: output }),
    ...(error === undefined ? {} : { error }),
  };
}

function ownFields({ name, prompt, reason = '', lastMessage = '' }: ToldEvent): Fields {
  switch (name) {
    case 'prompt.submit':
      return { prompt: prompt?.text ?? '', ...(prompt?.origin === 'system' ? { source: 'system' } : {}) };
    case 'session.start':
      return { source: reason };
    case 'session.end':
      return { reason };
    case 'compact.before':
    case 'compact.after':
      return { trigger: reason };
    case 'turn.stop':
    case 'subagent.stop':
      return { stop_hook_active: false, last_assistant_message: lastMessage, background_tasks: [] };
    default:
      return {};
  }
}
