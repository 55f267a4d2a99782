import { applyEdits } from '../../event/apply-edits.ts';
import type { Edit } from '../../event/event.ts';
import type { CarriedText } from './shell-writes.ts';
import type { Here } from './target.ts';

/** What a file, or a cell of a notebook, would hold. */
export interface ResultingText {
  readonly path: string;
  /** What it is remembered under. */
  readonly key: string;
  readonly text: string;
  /** Only what the call brings, where the rest of the file is too big or cannot be read. */
  readonly fragment: boolean;
  /** What is there now, read when somebody asks; undefined for a new file. */
  before(): string | undefined;
}

/** Bigger files are not read. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The text of one file after a write or edits; undefined when they cannot apply, or change no Markdown cell. */
export function resultOfEdits(edits: readonly Edit[], here: Here): ResultingText | undefined {
  const [first] = edits;
  if (!first) return undefined;
  if (first.cell) return resultInCell(first, first.cell, here);
  const { path } = first;
  if (first.operation === 'write' && edits.length === 1)
    return { path, key: path, text: first.new ?? '', fragment: false, before: once(() => textOnDisk(path, here)) };
  const base = { path, key: path };
  const found = textOf(path, here);
  if (found === UNTOLD)
    return {
      ...base,
      text: joined(edits.map((edit) => edit.new)),
      fragment: true,
      before: () => joined(edits.map((edit) => edit.old)),
    };
  const text = applyEdits(found, edits);
  return text === undefined ? undefined : { ...base, text, fragment: false, before: () => found };
}

/** The text after what a command carries into a file. */
export function resultOfCommand({ path, text, appends }: CarriedText, here: Here): ResultingText {
  const base = { path, key: path };
  const before = once(() => textOf(path, here));
  if (!appends) return { ...base, text, fragment: false, before: () => told(before()) };
  const found = before();
  if (found === UNTOLD) return { ...base, text, fragment: true, before: () => undefined };
  return { ...base, text: `${found ?? ''}${text}`, fragment: false, before: () => found };
}

/** The file as it is, for what may have changed it unseen. */
export function textOnDisk(path: string, here: Here): string | undefined {
  return told(textOf(path, here));
}

function resultInCell(edit: Edit, cell: NonNullable<Edit['cell']>, here: Here): ResultingText | undefined {
  if (edit.operation === 'delete') return undefined;
  const old = once(() => (edit.operation === 'insert' ? undefined : cellOf(edit.path, cell.id, here)));
  if ((cell.kind ?? old()?.kind) !== 'markdown') return undefined;
  const { path } = edit;
  const before = () => old()?.text;
  // A cell that is not there yet has nothing to be remembered by.
  const key = edit.operation === 'insert' ? `${path}#after ${cell.id ?? ''}` : `${path}#${cell.id ?? ''}`;
  return { path, key, text: edit.new ?? '', fragment: false, before };
}

interface Cell {
  readonly kind: string;
  readonly text: string;
}

/** A cell by its id, or by its place where the notebook gives no ids. */
function cellOf(path: string, id: string | undefined, here: Here): Cell | undefined {
  const text = textOf(path, here);
  if (text === undefined || text === UNTOLD || id === undefined) return undefined;
  try {
    const { cells } = JSON.parse(text) as { cells?: unknown };
    if (!Array.isArray(cells)) return undefined;
    const list = cells as readonly { id?: unknown; cell_type?: unknown; source?: unknown }[];
    const found = list.find((each) => each.id === id) ?? list[Number(/^(?:cell-)?(\d+)$/.exec(id)?.[1] ?? Number.NaN)];
    if (!found) return undefined;
    const { cell_type: kind, source } = found;
    const lines: readonly unknown[] = Array.isArray(source) ? source : [source];
    return { kind: String(kind), text: lines.filter((line) => typeof line === 'string').join('') };
  } catch {
    return undefined;
  }
}

/** A file that is there, and is too big or not to be read. */
const UNTOLD = Symbol('untold');

function textOf(path: string, { files }: Here): string | typeof UNTOLD | undefined {
  const found = files.stat(path);
  if (!found) return undefined;
  if (found.kind !== 'file' || found.size > MOST_BYTES) return UNTOLD;
  return files.readText(path, MOST_BYTES) ?? UNTOLD;
}

function told(text: string | typeof UNTOLD | undefined): string | undefined {
  return text === UNTOLD ? undefined : text;
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join('\n\n\n');
}

export function once<T>(read: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: read() }).value;
}
