import { forEachChild, parse } from 'unbash';
import type { Command, Function, SyntaxNode, Word } from 'unbash';
import { addDefinition, addReference, finishDraft, firstLine, headOf, startDraft } from '../facts-draft.ts';
import type { FactsDraft } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';

/** What shells themselves have, and what is on every machine: a call of one is no call of a function unless a file defines it. */
const WORDS = new Set(
  (
    'alias autoload bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable ' +
    'emulate eval exec exit export false fc fg getopts hash help history integer jobs kill let local logout mapfile noglob ' +
    'popd printf print pushd pwd read readarray readonly return set setopt shift shopt suspend test times trap true type ' +
    'typeset ulimit umask unalias unset unsetopt wait zmodload zstyle ' +
    'awk basename bash cat chmod chown cp curl cut date dd diff dirname docker du env expr find git grep egrep fgrep gzip ' +
    'head hostname id install ln ls make mkdir mktemp mv node npm npx nohup paste pip ps python python3 readlink realpath rm ' +
    'rmdir ruby sed seq sh sleep sort ssh stat stty sudo sync tail tar tee time timeout touch tr tty uname uniq unzip wc wget ' +
    'which whoami xargs yes zip'
  ).split(' '),
);

function isShellWord(name: string): boolean {
  return WORDS.has(name);
}

/** Of zsh what looks like bash, which is most of it. */
export function createExtractor(): Extractor {
  return { extract: ({ text }) => extractShell(text) };
}

/** Calls are of functions; whatever else may run is no part of the project, and resolution finds none of that name. */
function extractShell(text: string): Extracted {
  const draft = startDraft();
  const script = parse(text);
  visit(script, -1, text, draft);
  return finishDraft(draft, (script.errors?.length ?? 0) > 0, () => true);
}

function visit(node: SyntaxNode, within: number, text: string, draft: FactsDraft): void {
  let inside = within;
  if (node.type === 'Command') readCommand(node, within, draft);
  else if (node.type === 'Function') inside = readFunction(node, within, text, draft);
  else if (node.type === 'Word' && !mayRun(node.text)) return;
  // The text of such a script was rewritten, so nothing in it has a place here.
  else if (node.type === 'Script' && node.source !== undefined) return;
  forEachChild(node, (child) => visit(child, inside, text, draft));
}

function mayRun(word: string): boolean {
  return word.includes('`') || word.includes('$(') || word.includes('<(') || word.includes('>(');
}

/** A function inside another is there for all as soon as the outer one ran. */
function readFunction({ name, pos, end, body }: Function, within: number, text: string, draft: FactsDraft): number {
  if (name.value === '') return within;
  const definition = addDefinition(draft, name.value, 'function', within, pos, end, name.pos);
  definition.signature = headOf(text, pos, Math.max(body.pos, name.end));
  definition.exported = true;
  if (name.value.startsWith('_')) definition.visibility = 'private';
  const doc = commentBefore(text, pos);
  if (doc !== undefined) definition.doc = doc;
  return draft.definitions.length - 1;
}

/** The first line of the comment that ends on the line before. */
function commentBefore(text: string, at: number): string | undefined {
  let first: string | undefined;
  let end = text.lastIndexOf('\n', at - 1);
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 400)).trim();
    if (!line.startsWith('#') || line.startsWith('#!')) break;
    first = line.replace(/^#+\s*/, '') || first;
    end = start - 1;
  }
  return first === undefined ? undefined : firstLine(first);
}

function readCommand(command: Command, within: number, draft: FactsDraft): void {
  const { name } = command;
  if (!name) return;
  const { value } = name;
  if (value === 'source' || value === '.') readSource(command, within, draft);
  else if (isPlain(name) && !isShellWord(value)) {
    const args = command.suffix.reduce(
      (count, { type }) => count + (type === 'Word' || type === 'Assignment' ? 1 : 0),
      0,
    );
    addReference(draft.references, within, value, 'call', name.pos, undefined, args);
  }
}

/** A name that a function can have, and not a path, a variable or a pattern. */
function isPlain({ text }: Word): boolean {
  return /^[A-Za-z_][\w.:@+-]*$/.test(text);
}

function readSource({ suffix }: Command, within: number, draft: FactsDraft): void {
  const [target] = suffix;
  if (target?.type !== 'Word') return;
  const module = knownPart(target.text);
  if (module !== undefined) draft.imports.push({ local: '*', module, name: '*', kind: 'star', within, at: target.pos });
}

/** What is plain at the end of a path; `$/` stands for a directory that only a run would tell: `"$HERE/lib/log.sh"`. */
function knownPart(word: string): string | undefined {
  const text = word.replace(/["']/g, '');
  const last = Math.max(
    text.lastIndexOf('}'),
    text.lastIndexOf(')'),
    text.lastIndexOf('`'),
    text.search(/\$\w+[^$]*$/),
  );
  if (last === -1) return text === '' ? undefined : text;
  const slash = text.indexOf('/', last);
  return slash === -1 || slash === text.length - 1 ? undefined : `$${text.slice(slash)}`;
}
