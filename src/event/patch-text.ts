/** What a patch of the form `*** Begin Patch` does to one file. Paths are as they stand there. */
export interface FilePatch {
  readonly path: string;
  readonly does: 'add' | 'update' | 'delete';
  readonly movedTo?: string;
  /** Each with the lines around it; of an added file one, without `old`. */
  readonly hunks: readonly { readonly old: string; readonly new: string }[];
}

// A name may hold any sign but a line's end, also those that a dot leaves out.
const FILE = /^\*\*\* (Add|Update|Delete) File: ([^\n]+)$/;
const MOVE = /^\*\*\* Move to: ([^\n]+)$/;
const KNOWN = /^\*\*\* (?:(?:Begin|End) Patch$|End of File$|(?:(?:Add|Update|Delete) File|Move to|Environment ID): )/;

/** Whether a patch has a header that nobody here knows, so that it may do more than is read of it. */
export function hasUnknownHeader(text: string): boolean {
  return text.split('\n').some((line) => /^\s*\*\*\* /.test(line) && !KNOWN.test(line.trim()));
}

/** The files of a patch, in order. Lenient, as those who apply it are: blanks around headers, any line between them. */
export function readPatchText(text: string): readonly FilePatch[] {
  const files: Draft[] = [];
  let file: Draft | undefined;
  let hunk: Hunk | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const header = line.trim().startsWith('*** ') ? line.trim() : '';
    const [, verb, path = ''] = FILE.exec(header) ?? [];
    const target = MOVE.exec(header)?.[1];
    if (verb !== undefined) {
      hunk = undefined;
      file = { path: path.trim(), does: verb.toLowerCase() as FilePatch['does'], hunks: [] };
      files.push(file);
    } else if (header !== '') {
      if (target !== undefined && file) file.movedTo = target.trim();
      if (header === '*** End Patch') file = undefined;
    } else if (file && file.does !== 'delete') {
      if (line.startsWith('@@')) hunk = undefined;
      else {
        if (!hunk) file.hunks.push((hunk = { old: [], new: [] }));
        addLine(hunk, line);
      }
    }
  }
  return files.map(finished);
}

interface Hunk {
  readonly old: string[];
  readonly new: string[];
}

interface Draft extends Pick<FilePatch, 'path' | 'does'> {
  movedTo?: string;
  readonly hunks: Hunk[];
}

function addLine(hunk: Hunk, line: string): void {
  const rest = line.slice(1);
  if (line.startsWith('+')) hunk.new.push(rest);
  else if (line.startsWith('-')) hunk.old.push(rest);
  else {
    hunk.old.push(rest);
    hunk.new.push(rest);
  }
}

function finished({ hunks, ...about }: Draft): FilePatch {
  // Who applies it ends an added file with a line's end.
  const end = about.does === 'add' ? '\n' : '';
  const whole = hunks.map((hunk) => ({ old: hunk.old.join('\n'), new: hunk.new.join('\n') + end }));
  return { ...about, hunks: whole.filter((hunk) => hunk.old !== '' || hunk.new !== '') };
}
