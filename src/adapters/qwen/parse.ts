import type { BackgroundTask, Prompt, ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { isFields, textAt, blockText, numberAt } from '../fields.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import type { EventDraft } from '../read-event.ts';
import { addTurn, eventReader } from '../read-event.ts';
import { AGENT, canonicalName, TOOLS } from './names.ts';
import { asNamedServerCall, readCall } from '../read-call.ts';

/** One call from the fields of an event, or from one entry of a batch. */
function readTool(fields: Fields, base: PathBase): ToolCall {
  const call = readCall(textAt(fields, 'tool_name') ?? '', fields['tool_input'], { tools: TOOLS }, base);
  asNamedServerCall(call, base);
  const id = textAt(fields, 'tool_use_id');
  if (id !== undefined) call.id = id;
  const durationMs = numberAt(fields, 'duration_ms');
  if (durationMs !== undefined) call.durationMs = durationMs;
  const output = fields['tool_response'];
  const result = isFields(output) ? output : {};
  if (output !== undefined) {
    call.output = output;
    const text = blockText(result['llmContent']) ?? blockText(result['result_display']);
    if (text !== undefined) call.outputText = text;
    if (call.kind === 'shell' && (call.name === 'monitor' || call.input['is_background'] === true))
      call.background = true;
  }
  // After a call that failed it is told beside the call, in a batch as a part of the result.
  const error = textAt(fields, 'error') ?? textAt(result, 'error');
  if (error !== undefined) {
    call.failed = true;
    call.error = error;
  }
  return call;
}

const NO_PROMPT: Prompt = { text: '', origin: 'human' };

export const parse = eventReader({
  agent: AGENT,
  canonicalName,
  readTool,
  lastMessage: 'last_assistant_message',
  add(event, fields, base) {
    addTurn(event, fields, { id: 'prompt_id', selfApproving: ['yolo', 'auto'] });
    addOwn(event, fields, base);
  },
});

function addOwn(event: EventDraft, fields: Fields, base: PathBase): void {
  switch (event.name) {
    case 'prompt.submit': {
      // It comes before every request to the model. What a person has typed is told apart, and only with the first.
      const typed = textAt(fields, 'submitted_prompt');
      const prompt = event.prompt ?? NO_PROMPT;
      event.prompt = typed === undefined ? { ...prompt, origin: 'system' } : { ...prompt, text: typed };
      return;
    }
    case 'prompt.expand': {
      const command = textAt(fields, 'command_name');
      const text = textAt(fields, 'prompt') ?? '';
      event.prompt = { ...NO_PROMPT, text, ...(command !== undefined && { command }) };
      return;
    }
    case 'tool.batch': {
      const calls = fields['tool_calls'];
      event.batch = Array.isArray(calls) ? calls.filter(isFields).map((call) => readTool(call, base)) : [];
      return;
    }
    case 'turn.stop':
    case 'subagent.stop':
      if (event.stop) event.stop = { ...event.stop, background: tasksIn(fields['background_tasks']) };
      return;
    case 'turn.failed':
      event.error = textAt(fields, 'error') ?? '';
      return;
    case 'notification':
      event.notification = {
        kind: textAt(fields, 'notification_type') ?? '',
        message: textAt(fields, 'message') ?? '',
      };
      return;
    case 'instructions.loaded': {
      const path = textAt(fields, 'file_path');
      const change = textAt(fields, 'load_reason') ?? '';
      if (path !== undefined) event.place = { path: resolvePath(path, base), change };
      return;
    }
    default:
    // All others have what is usual, and nothing else.
  }
}

function tasksIn(value: unknown): readonly BackgroundTask[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isFields).map((task: Fields) => ({
    id: textAt(task, 'id') ?? '',
    kind: textAt(task, 'agent_type') ?? '',
    status: textAt(task, 'status') ?? '',
    description: textAt(task, 'description') ?? '',
  }));
}

/** Events of its names are others' too. It alone keeps its transcripts there, and tells a time with each event. */
export function marks(payload: unknown): boolean {
  if (!isFields(payload) || textAt(payload, 'timestamp') === undefined) return false;
  return /[\\/]projects[\\/][^\\/]+[\\/]chats[\\/][^\\/]*\.jsonl$/.test(textAt(payload, 'transcript_path') ?? '');
}
