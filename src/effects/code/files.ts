import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Code } from '../../shell/languages/calls.ts';
import type { Call, Value } from '../../shell/languages/values.ts';
import { knownTextOf, knownTexts, NOTHING } from '../../shell/languages/values.ts';
import { baseName, below } from '../words/arguments.ts';
import { matchesAll } from '../paths/pattern.ts';
import type { Known } from './deeds.ts';
import { deedOf } from './deeds.ts';
import { movedAway, onPath } from '../paths/path-effect.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import type { Scene } from '../scene.ts';
import { isSecretPath } from '../paths/secret-names.ts';

/** What one call does to files. */
export function readCodeFiles(code: Code, call: Call, command: ShellCommand, scene: Scene): readonly Effect[] {
  const known = deedOf(call, code.language);
  if (!known) return handsRemoval(call, code.language) ? removedEach(code, call, command, scene) : [];
  const { deed } = known;
  const isRemoval = deed === 'remove' || deed === 'remove-tree';
  if (isRemoval && (call.self === undefined || !call.self.texts)) {
    const each = removedEach(code, call, command, scene);
    if (each.length > 0) return each;
  }
  // A path object is what the call acts on; its arguments come after.
  const self = call.self?.path ? call.self : undefined;
  const first = knownTexts(self ?? targetOf(call, known));
  const second = knownTextOf(call.args[self ? 0 : known.at + 1]);
  switch (deed) {
    case 'remove-tree':
    case 'remove': {
      const recursive = deed === 'remove-tree' || takesTree(call, code.language);
      if (call.name.startsWith('rmdir') && !recursive) return [];
      if (first.length > 0)
        return first.map((name) =>
          onPath('delete', wordOf(name), 'remove', command, scene, recursive || matchesAll(baseName(name))),
        );
      if (!recursive || call.self !== undefined || isTemporary(code, call)) return [];
      const target = shown(code, call);
      return [scene.effect(command, { kind: 'delete', how: 'remove', target, scope: 'unknown', recursive })];
    }
    case 'open':
      return opened(call, first, second, command, scene);
    case 'overwrite':
      return first.map((name) => onPath('overwrite', wordOf(name), 'code', command, scene));
    case 'append':
      return first.map((name) => onPath('write', wordOf(name), 'append', command, scene));
    case 'truncate':
      return first.map((name) => onPath('truncate', wordOf(name), 'code', command, scene));
    case 'move':
    case 'copy': {
      const effects = readSecret(first, command, scene);
      if (deed === 'move')
        for (const name of first) effects.push(scene.effect(command, movedAway(scene.place(wordOf(name), command))));
      return second === undefined ? effects : [...effects, onPath('overwrite', wordOf(second), deed, command, scene)];
    }
    case 'link':
      return linked(first[0], second, self !== undefined, command, scene);
    case 'read':
      return readSecret(first, command, scene);
  }
}

const TARGETS = ['path', 'src', 'file', 'filename', 'dir', 'x', 'target', 'literalpath'];

/** The argument that the call is about. */
function targetOf({ args, named }: Call, { at }: Known): Value | undefined {
  return args[at] ?? TARGETS.map((name) => named.get(name)).find((value) => value !== undefined);
}

/** The link comes second, but a path object is the link itself. */
function linked(
  first: string | undefined,
  second: string | undefined,
  isSelf: boolean,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const [link, to] = isSelf ? [first, second] : [second, first];
  if (link === undefined) return [];
  const effect = onPath('write', wordOf(link), 'link', command, scene);
  const dir = effect.path?.slice(0, effect.path.lastIndexOf('/')) || '/';
  const from = to === undefined ? undefined : resolvePath(wordOf(to), dir, scene.surroundings).path;
  return [from === undefined ? effect : { ...effect, from }];
}

const LISTS: ReadonlySet<string> = new Set(
  'glob iglob rglob listdir scandir iterdir walk readdirSync globSync children entries each_child foreach opendir DirectoryIterator FilesystemIterator RecursiveDirectoryIterator'.split(
    ' ',
  ),
);
/** Names that mean a walk through directories in one language or module alone. */
const WALKS = /^(?:perl (?:File\.Find)?\.find(?:depth)?|ruby Find\.find)$/;
/** Calls and words that pick some of what was listed. */
const PICKS = /^(?:if|unless|filter|endswith|endsWith|startswith|startsWith|match|select|grep|fnmatch|suffix)$/;

/** `map(os.remove, …)`: it is given a call that removes, to be made for each of them. */
function handsRemoval(call: Call, language: string): boolean {
  return call.args.some(({ name, texts }) => {
    const called = name ?? (language === 'php' ? texts?.[0] : undefined) ?? '';
    const at = called.lastIndexOf('.');
    const handed = { ...call, owner: called.slice(0, Math.max(0, at)), name: called.slice(at + 1), args: [NOTHING] };
    const deed = deedOf(handed, language)?.deed;
    return deed === 'remove' || deed === 'remove-tree';
  });
}

function removedEach(code: Code, call: Call, command: ShellCommand, scene: Scene): readonly Effect[] {
  const listing = listingFor(code, call);
  if (listing === undefined) return [];
  return [onPath('delete', wordOf(listing), 'remove', command, scene, matchesAll(baseName(listing)))];
}

/** The files that a loop removes one by one: what the code lists, unless it picks among them. */
function listingFor(code: Code, call: Call): string | undefined {
  if (knownTexts(call.args[0]).length > 0 && deedOf(call, code.language)) return undefined;
  const list = listIn(code);
  if (!list) return undefined;
  // Behind what is to be done with each, where that is said first.
  const given = list.args.length > 0 ? list.args.map(knownTextOf).find((text) => text !== undefined) : '';
  if (given === undefined) return undefined;
  if (list.self) {
    const start = knownTextOf(list.self);
    return start === undefined ? undefined : below(start, given === '' ? '*' : given);
  }
  if (list.name.includes('glob')) return given === '' ? undefined : given;
  return below(given === '' ? '.' : given, '*');
}

const listings = new WeakMap<Code, Call | null>();

/** The first call that lists files, unless the code picks among them. */
function listIn(code: Code): Call | null {
  let list = listings.get(code);
  if (list === undefined) {
    const picks = code.tokens.some(
      ({ kind, text }) => kind === 'name' && PICKS.test(text.slice(text.lastIndexOf('.') + 1)),
    );
    list = (picks ? undefined : code.calls.find((call) => listsFiles(call, code.language))) ?? null;
    listings.set(code, list);
  }
  return list;
}

function listsFiles({ name, owner }: Call, language: string): boolean {
  return LISTS.has(name) || WALKS.test(`${language} ${owner}.${name}`);
}

const NO: ReadonlySet<string | undefined> = new Set(['false', 'False', 'FALSE', 'nil']);

/** Told to take all that is below. */
function takesTree({ name, owner, args, named }: Call, language: string): boolean {
  const option =
    named.get('recursive') ?? args.map(({ fields }) => fields?.get('recursive')).find((one) => one !== undefined);
  if (option) return !NO.has(option.name);
  if (owner === 'fse' || owner === 'fs-extra') return name === 'remove';
  if (language === 'powershell') return isYes(args[1]);
  if (language === 'tcl') return named.has('force');
  return (language === 'r' || language === 'elisp') && isYes(args[1]);
}

function isYes(value: Value | undefined): boolean {
  return value !== undefined && (value.texts !== undefined || (value.name !== undefined && !NO.has(value.name)));
}

const MAKES_TEMPORARY = /mkdtemp|mktmpdir|tmpdir|tempfile|TemporaryDirectory/;
/** How much of the code is searched for the making of a temporary directory. */
const MAX_SEARCHED = 256;

/** What was made as a temporary directory may go. */
function isTemporary(code: Code, call: Call): boolean {
  const before = code.tokens.slice(Math.max(0, call.start - MAX_SEARCHED), call.start);
  return call.args.length > 0 && before.some(({ text }) => MAKES_TEMPORARY.test(text));
}

function shown({ tokens }: Code, { start, end, name }: Call): string {
  const text = tokens
    .slice(start, Math.min(end, start + 16))
    .map((token) => token.text)
    .join('');
  return text === '' ? name : text.slice(0, 60);
}

/** `open(x, 'w')` in its spellings; without a mode it reads. */
function opened(
  { args, named, self }: Call,
  first: readonly string[],
  second: string | undefined,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  // Perl: open(F, '>', 'x') or open(F, '>x').
  const perl = /^\s*(\+?[<>]{1,2})\s*(.*)$/.exec(second ?? '');
  const third = knownTextOf(args[2]) ?? perl?.[2] ?? '';
  const names = perl && !self ? [third].filter((name) => name !== '' && !name.startsWith('&')) : first;
  const mode = perl ? (perl[1] ?? '') : (knownTextOf(named.get('mode')) ?? second ?? '');
  if (/^[wx]|>(?!>)/.test(mode) && !mode.includes('>>'))
    return names.map((name) => onPath('overwrite', wordOf(name), 'code', command, scene));
  if (/^a|>>/.test(mode)) return names.map((name) => onPath('write', wordOf(name), 'append', command, scene));
  return readSecret(names, command, scene);
}

function readSecret(list: readonly string[], command: ShellCommand, scene: Scene): Effect[] {
  return list.flatMap((name) => {
    const placed = scene.place(name, command);
    if (!isSecretPath(placed.path ?? name, scene.surroundings)) return [];
    return [
      scene.effect(command, {
        kind: 'read-secret',
        how: 'code',
        of: 'secret',
        target: placed.name,
        scope: placed.scope,
        ...(placed.path && { path: placed.path }),
      }),
    ];
  });
}

function wordOf(value: string): ShellWord {
  return { text: value, value, known: true, glob: /[*?[]/.test(value), from: [] };
}
