import type { ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, numberAt, textAt } from '../fields.ts';
import type { PathBase } from '../paths.ts';
import { asNamedServerCall, readCall } from '../read-call.ts';
import { TOOLS } from './names.ts';

/** One call from the fields of an event, or from one entry of a batch. */
export function readTool(fields: Fields, base: PathBase): ToolCall {
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
