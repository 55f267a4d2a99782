import type { Edit, Event } from '../event/event.ts';
import { findRepository, readSmall } from '../git/repository.ts';
import type { RuleContext } from '../engine/rule.ts';

/** The names a condition may use for its field. Any other name is looked up in the tool's own arguments. */
export const FIELDS = [
  'command',
  'file_path',
  'new_text',
  'added_text',
  'old_text',
  'content',
  'user_prompt',
  'branch',
  'query',
  'output',
  'error',
  'last_message',
  'reason',
  'transcript',
] as const;
type Field = (typeof FIELDS)[number];

/** A longer transcript is left unread, and a condition on it does not hold. */
const MAX_TRANSCRIPT = 16 * 1024 * 1024;
/** Of a longer file, what comes behind this counts as added. */
const MAX_BEFORE = 1 << 20;

/** Every text the field has in this event; none when the event does not have the field. */
export function fieldTexts(field: string, event: Event, context: RuleContext): readonly string[] {
  const own = (FIELDS as readonly string[]).includes(field) ? knownTexts(field as Field, event, context) : [];
  return own.length > 0 ? own : argumentTexts(field, event);
}

function knownTexts(field: Field, event: Event, context: RuleContext): readonly string[] {
  const { tool, prompt, stop } = event;
  switch (field) {
    case 'command':
      return given(tool?.command);
    case 'file_path':
      return (tool?.paths ?? given(event.place?.path)).flatMap((path) => [
        ...new Set([path, context.workspace.relative(path)]),
      ]);
    case 'new_text':
    case 'content':
      return (tool?.edits ?? []).flatMap((edit) => given(edit.new));
    case 'added_text':
      return (tool?.edits ?? []).flatMap((edit) => addedBy(edit, context));
    case 'branch':
      return branchesOf(event, context);
    case 'old_text':
      return (tool?.edits ?? []).flatMap((edit) => given(edit.old));
    case 'user_prompt':
      return given(prompt?.text);
    case 'query':
      return given(tool?.query);
    case 'output':
      return given(tool?.outputText);
    case 'error':
      return given(tool?.error ?? event.error);
    case 'last_message':
      return given(stop?.lastMessage);
    case 'reason':
      return tool ? [] : [event.end?.reason ?? ''];
    case 'transcript':
      return given(transcriptOf(event, context));
  }
}

/** What `pattern` is held against: what the event brings. */
export function mainTexts(event: Event): readonly string[] {
  const { tool, prompt, stop, notification } = event;
  if (!tool)
    return [prompt?.text ?? stop?.lastMessage ?? notification?.message ?? event.error ?? event.end?.reason ?? ''];
  const texts = [...given(tool.command), ...tool.edits.flatMap((edit) => given(edit.new)), ...given(tool.query)];
  if (event.name !== 'tool.before') texts.push(...given(tool.outputText), ...given(tool.error));
  if (texts.length > 0) return texts;
  return tool.hasInput ? Object.values(tool.input).map(asText) : [];
}

/** The lines that the text had not before; of a file that is written anew, those that it has not now. */
function addedBy({ path, operation, old, new: text }: Edit, { files }: RuleContext): readonly string[] {
  if (text === undefined) return [];
  const before = old ?? (operation === 'write' ? files.readText(path, MAX_BEFORE) : undefined);
  if (before === undefined) return [text];
  const known = new Set(before.split('\n').map((line) => line.trim()));
  const added = text.split('\n').filter((line) => !known.has(line.trim()));
  return added.length === 0 ? [] : [added.join('\n')];
}

/** The branches that the call's effects hit; where it names none, the one that is checked out. */
function branchesOf({ cwd }: Event, { effects, files }: RuleContext): readonly string[] {
  const named = effects.flatMap(({ branch }) => given(branch));
  const places = effects.flatMap(({ git }) => given(git?.dir));
  const isNamed = named.length > 0 && named.every((branch) => branch !== '');
  const current = isNamed ? undefined : branchAt(places[0] ?? cwd, files);
  return [...new Set([...named.filter((branch) => branch !== ''), ...given(current)])];
}

function branchAt(dir: string, files: RuleContext['files']): string | undefined {
  const repository = findRepository(files, dir);
  const head = repository && readSmall(files, `${repository.gitDir}/HEAD`);
  return /^ref: refs\/heads\/(.+)$/.exec(head ?? '')?.[1];
}

function argumentTexts(field: string, { tool }: Event): readonly string[] {
  return tool && Object.hasOwn(tool.input, field) ? [asText(tool.input[field])] : [];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function transcriptOf({ transcript }: Event, { files }: RuleContext): string | undefined {
  if (transcript === undefined) return undefined;
  const size = files.stat(transcript)?.size;
  return size === undefined || size > MAX_TRANSCRIPT ? undefined : files.readText(transcript);
}

function given(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
