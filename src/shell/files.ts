import { UNKNOWN } from './command.ts';
import type { Draft, Shell } from './state.ts';
import { MAX_VALUE, addUnclear, isCut, knownText, onlyOf, writeStore } from './state.ts';
import { resolveDir } from './variables.ts';

/** Keeps what a command writes to a file, so that a later command that runs the file can be read. */
export function keepWritten(draft: Draft, shell: Shell, outputOf: (draft: Draft, shell: Shell) => string): void {
  const { program, redirects, dir } = draft;
  if (program === 'tee') {
    const text = knownText(draft.input);
    const append = draft.words.some((word) => word.value === '-a' || word.value === '--append');
    for (const word of draft.words.slice(1)) {
      if (!word.value.startsWith('-') && text !== undefined) write(shell, resolveDir(dir, word.value), text, append);
    }
    return;
  }
  for (const { operator, descriptor, target } of redirects) {
    if (descriptor !== 1 || !target || operator === '<') continue;
    const path = resolveDir(dir, target.value);
    if (path === undefined || (isDevice(path) && !shell.all.waiting.has(path))) continue;
    const text = program === 'echo' || program === 'printf' || program === 'cat' ? outputOf(draft, shell) : UNKNOWN;
    write(shell, path, text, operator === '>>');
  }
}

/** True below `/dev`, but for the shared memory there, which holds files. */
export function isDevice(path: string | undefined): boolean {
  return path?.startsWith('/dev/') === true && !path.startsWith('/dev/shm/');
}

function write(shell: Shell, path: string | undefined, text: string, append: boolean): void {
  if (path === undefined) return;
  const files = writeStore(shell, 'files');
  const before = append ? (onlyOf(files.get(path)) ?? `${UNKNOWN}\n`) : '';
  if (text.replaceAll(UNKNOWN, '').trim() === '') files.delete(path);
  // What is longer than a value may be is not followed; whoever would run the file says that it is too long.
  else if (before.length <= MAX_VALUE) {
    files.set(path, before + text);
    const read = shell.all.waiting.get(path);
    shell.all.waiting.delete(path);
    read?.(before + text);
  }
}

/** What a file holds, when this very text wrote it. */
export function writtenText(path: string, dir: string | undefined, shell: Shell): string | undefined {
  if (shell.all.files.size === 0) return undefined;
  const whole = resolveDir(dir, path);
  const held = whole === undefined ? undefined : shell.all.files.get(whole);
  if (isCut(held)) addUnclear(shell.all, 'too-many-commands', path);
  return onlyOf(held);
}
