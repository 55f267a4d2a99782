import type { PromptOrigin } from '../../event/event.ts';
import type { RecordPlace, TranscriptRecord } from '../../event/transcript.ts';
import type { ReadRecords } from '../adapter.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import { readTool } from './tool.ts';

/** What a transcript says of itself in its first line: that is long, and only its beginning is looked at. */
interface About {
  readonly session?: string;
  /** The thread of a sub-agent has an id of its own, and the session's. */
  readonly subagent?: string;
  readonly cwd?: string;
  readonly attended?: false;
}

export function aboutTranscript(head: string): About {
  const line = head.split('\n', 1)[0] ?? '';
  if (!line.includes('"session_meta"')) return {};
  const field = (name: string) => stringIn(new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(line)?.[1]);
  const id = field('id');
  const session = field('session_id') ?? id;
  const cwd = field('cwd');
  return {
    ...(session === undefined ? {} : { session }),
    ...(id === undefined || id === session ? {} : { subagent: id }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(field('originator') === 'codex_exec' ? { attended: false } : {}),
  };
}

function stringIn(json: string | undefined): string | undefined {
  const value = json === undefined ? undefined : parsed(json);
  return typeof value === 'string' ? value : undefined;
}

/** Most bytes of a transcript are in lines that tell nothing of what happened, such as counts of tokens; these are never parsed. */
const TELLS =
  /"type":\s*"(?:session_meta|response_item|turn_context|compacted|item_completed|task_complete|turn_aborted)"/;

/** What was said with a line before counts for those after it: where the session works, and what the agent said last. */
export function readTranscript(head: () => string): ReadRecords {
  let about: About | undefined;
  let cwd: string | undefined;
  let branch: string | undefined;
  let mode: string | undefined;
  let said = '';

  function placeOf(line: Fields): RecordPlace {
    about ??= aboutTranscript(head());
    const at = Date.parse(textAt(line, 'timestamp') ?? '');
    return {
      ...about,
      ...(Number.isNaN(at) ? {} : { at }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(branch === undefined ? {} : { branch }),
      ...(mode === undefined ? {} : { mode }),
    };
  }

  return (text) => {
    if (!TELLS.test(text)) return text === '' || /^\{.*\}\s*$/s.test(text) ? [] : undefined;
    const line = parsed(text);
    if (!isFields(line)) return undefined;
    const payload = isFields(line['payload']) ? line['payload'] : {};
    const place = placeOf(line);
    switch (line['type']) {
      case 'session_meta':
        branch = isFields(payload['git']) ? textAt(payload['git'], 'branch') : undefined;
        return [];
      case 'turn_context':
        cwd = textAt(payload, 'cwd') ?? cwd;
        if (payload['approval_policy'] === 'never') mode = 'bypassPermissions';
        return [];
      case 'compacted':
        return [{ ...place, kind: 'compacted' }];
      case 'response_item':
        return readItem(payload, place);
      default: {
        const item = isFields(payload['item']) ? payload['item'] : {};
        if (item['type'] === 'AgentMessage') said = blockText(item['content']) ?? '';
        return readHappened(payload, item, place, said);
      }
    }
  };
}

/** What went to the model or came from it. What the person typed and what the agent said are told by `readHappened` too, and once is enough. */
function readItem(item: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  switch (item['type']) {
    case 'message':
      return isOfHook(item)
        ? [{ ...place, kind: 'hook', outcome: 'told', texts: [blockText(item['content']) ?? ''] }]
        : [];
    case 'function_call':
    case 'custom_tool_call':
      return readCall(item, place);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readResult(item, place);
    default:
      return [];
  }
}

function isOfHook(item: Fields): boolean {
  const told = item['internal_chat_message_metadata_passthrough'];
  const kinds = isFields(told) ? told['content_item_kinds'] : undefined;
  return item['role'] === 'developer' && Array.isArray(kinds) && kinds.includes('hooks.additional_context');
}

/** As hooks are asked: they know the shell by another name than the model. */
function readCall(item: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  const own = textAt(item, 'name') ?? '';
  const given =
    item['type'] === 'custom_tool_call' ? { command: item['input'] } : parsed(textAt(item, 'arguments') ?? '');
  const input = isFields(given) ? given : {};
  const space = textAt(item, 'namespace') ?? '';
  const fields =
    own === 'exec_command'
      ? { tool_name: 'Bash', tool_input: { command: input['cmd'] } }
      : { tool_name: space.startsWith('mcp__') ? `${space.replace(/_+$/, '')}__${own}` : own, tool_input: input };
  const base = { cwd: place.cwd ?? '/', home: '' };
  return [{ ...place, kind: 'call', call: readTool({ ...fields, tool_use_id: item['call_id'] }, base) }];
}

const STOPPED = /^[\w ]+ blocked by PreToolUse hook: /;
/** What the client writes before the output of a command. */
const SHELL_HEAD = /^(?:Chunk ID: .*\n)?Wall time: .*\n(?:.*\n)*?Output:\n/;
/** Of a call that did not come to its end no hook hears. */
const FAILED = /^apply_patch verification failed|^(?:Wall time: .*\n)?aborted by user/;

function readResult(item: Fields, place: RecordPlace): readonly TranscriptRecord[] {
  const call = textAt(item, 'call_id');
  if (call === undefined) return [];
  const text = blockText(item['output']) ?? '';
  const stopped = STOPPED.test(text);
  const outcome = stopped ? 'stopped' : FAILED.test(text) ? 'failed' : 'ran';
  const started = item['type'] === 'function_call_output' ? parsed(text) : undefined;
  const id = isFields(started) ? textAt(started, 'agent_id') : undefined;
  return [
    {
      ...place,
      kind: 'result',
      call,
      outcome,
      text,
      ...(stopped ? { by: 'hook' as const } : {}),
      ...(outcome === 'ran' ? { output: text.replace(SHELL_HEAD, '') } : {}),
      ...(id === undefined ? {} : { started: { id, type: 'default' } }),
    },
  ];
}

function readHappened(payload: Fields, item: Fields, place: RecordPlace, said: string): readonly TranscriptRecord[] {
  const ends: TranscriptRecord = { ...place, kind: 'answer', text: said, ends: true };
  if (payload['type'] === 'task_complete') return [ends, { ...place, kind: 'turn-end', hooks: 0 }];
  if (payload['type'] === 'turn_aborted') return [{ ...place, kind: 'turn-end', hooks: 0 }];
  if (item['type'] === 'UserMessage') {
    const origin: PromptOrigin = place.subagent === undefined ? 'human' : 'system';
    const id = textAt(payload, 'turn_id');
    const text = blockText(item['content']) ?? '';
    return [{ ...place, kind: 'prompt', text, origin, heard: true, ...(id === undefined ? {} : { id }) }];
  }
  if (item['type'] !== 'HookPrompt') return [];
  const event = place.subagent === undefined ? 'turn.stop' : 'subagent.stop';
  const fragments: readonly unknown[] = Array.isArray(item['fragments']) ? item['fragments'] : [];
  const texts = fragments.flatMap((one) => (isFields(one) ? [textAt(one, 'text') ?? ''] : []));
  return [ends, { ...place, kind: 'hook', event, outcome: 'blocked', texts }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
