import type { BorrowedReader, BrokenPlaceholder } from '../../event/pack.ts';
import { borrowingOf } from './borrowed-files.ts';
import type { ReaderOf } from './borrowed-readers.ts';
import type { Problem } from '../../user-rules/problem.ts';

/**
 * The first brace that was meant to open a placeholder and does not. A brace before anything but a letter belongs to
 * code in the text and stays as it is.
 */
export function findBrokenPlaceholder(text: string): BrokenPlaceholder | undefined {
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', open + 1)) {
    const rest = text.slice(open);
    if (/^\{[A-Za-z][A-Za-z0-9_]*\}/.test(rest)) continue;
    const line = text.slice(0, open).split('\n').length;
    if (!rest.includes('}')) return { line, message: 'a brace is opened and not closed' };
    if (/^\{[A-Za-z]/.test(rest)) {
      const shown = /^\{[^}\n]{0,40}\}?/.exec(rest)?.[0] ?? '';
      return {
        line,
        message: `"${shown}" is no placeholder; write {name}, or a space after a brace that is meant as text`,
      };
    }
  }
  return undefined;
}

/** A person's own wording for one variant of one rule. Empty text is intended silence. */
export interface MessageOverride {
  readonly rule: string;
  readonly variant: string;
  readonly text: string;
  /** Why the file cannot be used; the rule's own words are said then. */
  readonly problem?: string;
}

const OWN_DIR = 'messages/';
/** `name` counts from the layer's directory: `messages/<rule id>/<variant>.md`, or that of a borrowed file. */
export function parseMessage(
  text: string,
  { file, name }: { readonly file: string; readonly name: string },
  readerOf: ReaderOf,
): { readonly message?: MessageOverride; readonly problems: readonly Problem[] } {
  const about = messageNamed(name, readerOf);
  const borrowing = borrowingOf(name);
  const warn = (line: number, message: string): readonly Problem[] => [
    { file, line, key: '', message: `${message}; the override is left out`, severity: 'warning' },
  ];
  if (!about)
    return {
      problems: warn(
        1,
        `expected ${borrowing ? `<hook>/<variant>${borrowing.messageEnding}` : 'messages/<rule>/<variant>.md'}`,
      ),
    };
  const body = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const parsed = borrowing
    ? readerOf(borrowing).parseTemplate(body)
    : { text: body, broken: findBrokenPlaceholder(body) };
  if (parsed.broken) {
    const { line, message } = parsed.broken;
    return { message: { ...about, text: '', problem: message }, problems: warn(line, message) };
  }
  return { message: { ...about, text: parsed.text.trim() }, problems: [] };
}

/** Which message a file is about; undefined when its name says nothing of the kind. */
export function messageNamed(name: string, readerOf: ReaderOf): Pick<MessageOverride, 'rule' | 'variant'> | undefined {
  const borrowing = borrowingOf(name);
  const given = name.slice(borrowing ? borrowing.messageDir.length + 1 : OWN_DIR.length).replace(/\.[^./]*$/, '');
  const below = borrowing ? `${borrowing.pack}/${renamed(given, readerOf(borrowing))}` : given;
  const slash = given.includes('/') ? below.lastIndexOf('/') : -1;
  return slash === -1 ? undefined : { rule: below.slice(0, slash), variant: below.slice(slash + 1) };
}

function renamed(given: string, { messageNames }: BorrowedReader): string {
  const ownName = (name: string) => (Object.hasOwn(messageNames, name) ? messageNames[name] : undefined) ?? name;
  const slash = given.lastIndexOf('/');
  const own = ownName(given);
  return own === given && slash > 0 ? `${ownName(given.slice(0, slash))}${given.slice(slash)}` : own;
}
