import type { StatusInput } from '../adapter.ts';
import { isFields, numberAt, textAt } from '../fields.ts';
import type { Fields } from '../fields.ts';

export function readStatus(payload: unknown): StatusInput {
  const fields = fieldsIn(payload);
  const workspace = fieldsIn(fields['workspace']);
  const context = fieldsIn(fields['context_window']);
  const session = textAt(fields, 'session_id');
  const projectDir = textAt(workspace, 'project_dir');
  const cwd = textAt(workspace, 'current_dir') ?? textAt(fields, 'cwd');
  const size = numberAt(context, 'context_window_size') ?? 0;
  const contextPercent = percentOf(context, size);
  return {
    ...(session === undefined ? {} : { session }),
    ...(projectDir === undefined ? {} : { projectDir }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(contextPercent === undefined ? {} : { contextPercent }),
    ...(Number.isSafeInteger(size) && size > 0 ? { contextWindow: size } : {}),
  };
}

function fieldsIn(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Told, or else what the last request took of the window. */
function percentOf(context: Fields, size: number): number | undefined {
  const told = numberAt(context, 'used_percentage');
  if (told !== undefined) return told >= 0 && told <= 1_000 ? told : undefined;
  const usage = context['current_usage'];
  if (!isFields(usage) || size <= 0) return undefined;
  const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  const tokens = parts.reduce((sum, key) => sum + (numberAt(usage, key) ?? 0), 0);
  return tokens > 0 ? Math.min(100, (tokens * 100) / size) : undefined;
}
