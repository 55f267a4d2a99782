import type { FileMark, Marks } from '../event/marks.ts';
import type { Surroundings } from './scene.ts';
import { keyStamp, keyTokens } from './words/key-tokens.ts';

interface Opened {
  readonly files: ReadonlyMap<string, FileMark>;
  readonly shown: ReadonlyMap<string, string>;
  readonly id: number;
}

const opened = new WeakMap<Marks, Opened>();
let ids = 0;

function open(marks: Marks): Opened {
  const known = opened.get(marks);
  if (known) return known;
  const files = new Map(marks.files.map((mark) => [mark.path, mark]));
  const made = { files, shown: new Map(marks.shown), id: (ids += 1) };
  opened.set(marks, made);
  return made;
}

type Marked = Pick<Surroundings, 'marks'>;

/** Another one for other marks. */
export function marksKey({ marks }: Marked): string {
  return marks ? String(open(marks).id) : '';
}

export function markOf(path: string | undefined, { marks }: Marked): FileMark | undefined {
  return marks && path !== undefined ? open(marks).files.get(path) : undefined;
}

export function isMarkedSecret(path: string | undefined, surroundings: Marked): boolean {
  const mark = markOf(path, surroundings);
  return mark !== undefined && mark.what !== 'download';
}

/** The text without the keys that were shown in this session. */
export function hideShown(text: string, { marks }: Marked): string {
  if (!marks || marks.shown.length === 0) return text;
  const { shown } = open(marks);
  const keys = keyTokens(text).filter((token) => shown.has(keyStamp(token)));
  return keys.reduce((clean, key) => clean.replaceAll(key, '[redacted]'), text);
}

/** What held the key that is in the text, where one was shown in this session. */
export function shownIn(text: string, { marks }: Marked): string | undefined {
  if (!marks || marks.shown.length === 0) return undefined;
  const { shown } = open(marks);
  for (const token of keyTokens(text)) {
    const name = shown.get(keyStamp(token));
    if (name !== undefined) return name;
  }
  return undefined;
}
