import type { Effect } from '../event/effect.ts';
import type { ToolCall } from '../event/event.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { UNKNOWN } from '../shell/command.ts';
import { plainWord } from '../shell/state.ts';
import { runsOf } from './code/runners.ts';
import { FILE_PROGRAMS } from './files/programs.ts';
import { baseName, listed } from './words/arguments.ts';
import { resolvePath } from './paths/resolve-path.ts';
import type { ResolvedPath, Scene, Surroundings } from './scene.ts';
import { fileVerbOf, namesRemote, tellsOnly, wordsOf } from './tools/names.ts';
import { isAboveOwn, mayFindOwn } from './agent/own-files.ts';
import { filesInForce, isOurs, runsAmongOurs, UNTOLD_START } from './agent/settings.ts';

/** Programs that only look at the files they are given, or take their arguments for text. */
const READERS: ReadonlySet<string> = new Set(
  listed(
    'cat bat batcat tac less more head tail ls ll dir exa eza lsd tree stat file wc nl od hexdump hexyl strings grep egrep fgrep zgrep ' +
      'rg ag ack find gfind fd fdfind locate diff colordiff delta cmp comm du df md5 md5sum sha1sum sha224sum sha256sum sha384sum ' +
      'sha512sum shasum cksum b2sum readlink realpath basename dirname test [ [[ cd pushd popd pwd echo printf : true false jq gojq ' +
      'cut sort column paste join tr rev fold fmt zcat gzcat bzcat xzcat zstdcat base64 lsof fuser lsattr getfacl ' +
      'which type command hash where whereis whatis man help export declare typeset local readonly set unset alias unalias read ' +
      'source . fairlead ssh watch wait sleep exit return tput notify-send',
  ),
);
/** They change what they are given only when told so. */
const IN_PLACE: Readonly<Record<string, RegExp>> = { yq: /^(?:-[A-Za-z]*i|--in-?place)/ };
const RUNS_CODE: ReadonlySet<string> = new Set(listed('perl ruby awk gawk mawk nawk'));
/** They take code in words of which nothing else tells what it is. */
const TAKES_CODE: ReadonlySet<string> = new Set(
  listed(
    'awk gawk mawk nawk vi vim nvim view ex ed emacs sqlite3 duckdb psql gdb lldb m4 tclsh expect osascript octave',
  ),
);
/** They look only when told so. */
const LOOKS: Readonly<Record<string, RegExp>> = { sqlite3: /^-readonly$/ };
/** Subcommands of git that write no file but their own, unless an option names one. */
const GIT_LOOKS: ReadonlySet<string> = new Set(
  listed(
    'status diff log show blame annotate grep ls-files ls-tree rev-parse rev-list cat-file describe check-ignore check-attr ' +
      'hash-object shortlog whatchanged add stage commit push fetch tag branch remote update-index',
  ),
);
const GIT_TAKES_NEXT = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
/** Options of programs that are known which name a file to write, in the next word or in the same one. */
const PATH_OPTION = /^(?:-[oO]|--?[\w-]*(?:out|log|trace|dump|save|report|dest|target|prefix|fprint|fls)[\w-]*)$/;
const OPTION_WITH_PATH = /^(?:-[A-Za-z][/~.]|--?[A-Za-z][\w-]*=)/;
/** Options that say what to leave out or to look at. */
const CHOOSING_OPTION = /^--(?:exclude|include|ignore|filter|skip|from|files|newer|reference|pathspec|color)/;
/** How people look whether a file is sound; with a second file it would write there. */
const CHECKS_JSON = /^\S*python[\d.]* -m json\.tool \S+$/;
const PROGRAM = 'fairlead';

/**
 * Paths that a command hands to a program of which nothing is known: it may change what is there. Only those that could lie
 * in what this program is made of are told, as candidates: whether they do, links may have to say.
 */
export function readMentions(scene: Scene, linked: boolean): readonly Effect[] {
  let found: Effect[] | undefined;
  const isAmong = ({ dir }: ShellCommand) => dir !== undefined && runsAmongOurs(dir, scene.surroundings);
  for (const command of scene.reading.commands) {
    const words = command.words.slice(1);
    const isTold = isKnown(command);
    const looked = isTold
      ? words.filter((word, at) => isOfOption(word, words[at - 1]))
      : words.filter((word, at) => !isLeftOut(command, word, words[at - 1]));
    const takesCode = takesText(command) && !looksOnly(command);
    if (looked.length === 0 && isTold && !takesCode && command.wrappers.length === 0) continue;
    const add = (about: Pick<Effect, 'target' | 'path' | 'recursive'>) =>
      (found ??= []).push(scene.effect(command, { kind: 'settings', how: 'own-mention', ...about }));
    const runs = runsOf(command);
    const isTree = command.words.some(({ value }) => RECURSIVE.test(value)) || putsTree(command);
    const home = homeFilledBy(command, scene.surroundings);
    if (home !== undefined) add({ target: home, path: home, recursive: true });
    const done = new Set<string>();
    for (const word of [...looked, ...outputsOfWrappers(command)]) {
      if (done.has(word.value) || word === runs?.file || runs?.code.includes(word) === true) continue;
      // One that cannot be told may come from elsewhere than another.
      if (word.known) done.add(word.value);
      for (const place of placesIn(word, command, isAmong(command), scene))
        if (linked || mayBeOurs(place.path, isTree, scene)) add({ ...place, recursive: isTree });
    }
    const code = takesCode ? words : (runs?.code ?? []);
    const texts = [...code.map(({ value }) => value), ...inputOf(command, takesCode || runs?.input === true)];
    const dir = takesCode || texts.some(mayWrite) ? namedIn(texts, scene.surroundings) : undefined;
    if (dir !== undefined) add({ target: dir, path: dir });
  }
  return found ?? [];
}

/** What git is told to leave alone. */
function isLeftOut({ program }: ShellCommand, { value }: ShellWord, before: ShellWord | undefined): boolean {
  return program === 'git' && (/^:(?:[!^]|\(exclude)/.test(value) || /^(?:-e|--exclude)$/.test(before?.value ?? ''));
}

function takesText({ program, words }: ShellCommand): boolean {
  return TAKES_CODE.has(program) || (program === 'git' && /^(?:apply|am)$/.test(subcommandOf(words)));
}

/** `strace -o file program`: what starts the program was taken off with its options. */
function outputsOfWrappers({ wrappers, text }: ShellCommand): readonly ShellWord[] {
  if (wrappers.length === 0) return [];
  const words = text.split(/\s+/).map((word) => plainWord(word.replaceAll(/["']/g, '')));
  return words.filter((word, at) => isOfOption(word, words[at - 1]));
}

const RECURSIVE =
  /^-[a-zA-Z]*[rR]|^-x$|^--(?:recursive|extract)$|^(?:sync|rsync|copy|cp|mirror|restore|extract|unpack)$/;
/** Whatever directory they are given gets all that they have. */
const PUTS_TREES: ReadonlySet<string> = new Set(['stow', 'unison']);

function putsTree({ program, words }: ShellCommand): boolean {
  return PUTS_TREES.has(program) && !words.some(({ value }) => LOOKS_HOME.test(value));
}

/** They keep the files of a home in line with a copy elsewhere; these words only look, or change the copy. */
const FILLS_HOME: ReadonlySet<string> = new Set(
  listed('stow chezmoi yadm vcsh homeshick homesick rcup dotdrop dotbot'),
);
const LOOKS_HOME =
  /^(?:status|diff|list|managed|unmanaged|data|doctor|verify|cat|source-path|add|re-add|edit|commit|push|log|show|remote|help|-n|--no|--simulate|--dry-run|--help|--version|-V)$/;

/** The directory that such a program writes to without being told: the home, for `stow` the one above. */
function homeFilledBy({ program, words, dir }: ShellCommand, { home }: Surroundings): string | undefined {
  if (!FILLS_HOME.has(program) || words.length === 1 || words.some(({ value }) => LOOKS_HOME.test(value)))
    return undefined;
  if (program !== 'stow') return home;
  const isTold = words.some(({ value }) => /^(?:-[a-zA-Z]*[td]|--(?:target|dir)(?:=|$))/.test(value));
  return isTold || dir === undefined ? undefined : dir.slice(0, dir.lastIndexOf('/')) || '/';
}

/** Also a directory above, with all that is in it or as the start of a search, and what links on disk may lead to. */
function mayBeOurs(path: string, isTree: boolean, { surroundings }: Scene): boolean {
  if (path.includes(PROGRAM) || isOurs(path, surroundings)) return true;
  if (surroundings.agentSettings.some((file) => baseName(file) === baseName(path))) return true;
  return (isTree && isAboveOwn(path, surroundings)) || mayFindOwn(path, surroundings);
}

function isOfOption({ value }: ShellWord, before: ShellWord | undefined): boolean {
  if (CHOOSING_OPTION.test(value)) return false;
  return OPTION_WITH_PATH.test(value) || (before !== undefined && PATH_OPTION.test(before.value));
}

/** Behind the options of git itself, some of which take the next word. */
function subcommandOf(words: readonly ShellWord[]): string {
  let at = 1;
  while (words[at]?.value.startsWith('-') === true) at += GIT_TAKES_NEXT.test(words[at]?.value ?? '') ? 2 : 1;
  return words[at]?.value ?? '';
}

/** What it does to the files that it is given is known; what its options may do with a path is not. */
function isKnown({ program, words }: ShellCommand): boolean {
  if (program === 'git') return GIT_LOOKS.has(subcommandOf(words));
  if (READERS.has(program)) return true;
  if (IN_PLACE[program]) return !words.some(({ value }) => IN_PLACE[program]?.test(value));
  if (program.startsWith('python') && CHECKS_JSON.test(words.map(({ value }) => value).join(' '))) return true;
  if (looksOnly({ program, words })) return true;
  // Those that run code may do anything; what the others do is told by their tables.
  return !RUNS_CODE.has(program) && (Object.hasOwn(FILE_PROGRAMS, program) || program === 'dd');
}

function looksOnly({ program, words }: Pick<ShellCommand, 'program' | 'words'>): boolean {
  return words.some(({ value }) => LOOKS[program]?.test(value) === true);
}

/** `name=path`, `-Xpath`, `here:there`, `@path`. */
const BEFORE_PATH = /[=:,@]|^-[A-Za-z](?=[/~.])/;
const READ_ONLY = /(?:^|[:,])(?:ro|readonly)(?:$|[,:=])/;

/** `isAmong`: the command runs in a directory of ours. */
function placesIn(word: ShellWord, command: ShellCommand, isAmong: boolean, scene: Scene) {
  const { value } = word;
  if (READ_ONLY.test(value) || ADDRESS.test(value)) return [];
  if (!word.known || value.includes('{}')) {
    const places = told([scene.place(word, command)]);
    if (places.length > 0 || word.known) return places;
    // Only its end is known; where the command runs among our files, it may be any of them.
    const path = isAmong
      ? `${command.dir ?? ''}/*`
      : UNTOLD_START + value.slice(value.lastIndexOf(UNKNOWN) + 1).replace(/^\//, '');
    return [{ target: word.text, path }];
  }
  if (!isAmong && !PATH_LIKE.test(value) && !word.glob) return [];
  const parts = BEFORE_PATH.test(value) ? value.split(BEFORE_PATH) : [];
  if (isAmong && value.startsWith('-')) parts.push(value.slice(2));
  const whole = value.startsWith('-') ? [] : [word];
  const words = [...whole, ...parts.map((part): ShellWord => ({ ...word, text: part, value: part }))];
  return told(words.filter((one) => one.value !== '').map((one) => scene.place(one, command)));
}

/** Also a file whose name begins with a dot, behind an option or not. */
const PATH_LIKE = /[/~]|(?:^(?:-[A-Za-z])?|[=:,@])\.\w/;

/** Of another machine, whatever its path looks like. */
const ADDRESS = /^(?:--?[\w-]+=)?(?!file:)[a-z][a-z0-9+.-]+:\/\//i;

function told(places: readonly ResolvedPath[]) {
  const found: { target: string; path: string; winding?: string }[] = [];
  for (const { name: target, path, winding } of places)
    if (path !== undefined) found.push(winding === undefined ? { target, path } : { target, path, winding });
  return found;
}

function inputOf({ input }: ShellCommand, isCode: boolean): readonly string[] {
  return isCode && input?.kind === 'text' ? [input.text] : [];
}

/** What code that only reads does not have. */
const WRITES =
  /writ|unlink|remove|\brm|rename|replace|move|copy|trunc|append|save|dump(?!s)|chmod|chown|link|exec|spawn|system|popen|\brun\b|call\b|sqlite|connect|eval|delete|mkdir|touch|(?<![a-z])put(?!s)|`|(?<![=-])>(?!=)|open\([^)]*,\s*(?:mode\s*=\s*)?["'][^"']*[wax+]/i;

function mayWrite(code: string): boolean {
  return WRITES.test(code);
}

/** What of ours code names, in one string or put together of several. */
function namedIn(texts: readonly string[], surroundings: Surroundings): string | undefined {
  const { ownDirs, root, home } = surroundings;
  return [...ownDirs, ...filesInForce(surroundings), `${root}/.fairlead`].find((path) => {
    const [above = '', name = ''] = path.split('/').slice(-2);
    const isOfItself = name.startsWith('.') && (path === `${root}/${name}` || path === `${home}/${name}`);
    return texts.some((text) => (isOfItself ? text.includes(name) : namesBoth(text, above, name)));
  });
}

function namesBoth(text: string, above: string, name: string): boolean {
  for (let at = text.indexOf(above); at >= 0; at = text.indexOf(above, at + 1)) {
    const between = /^[^\w]{1,12}/.exec(text.slice(at + above.length))?.[0].length ?? 0;
    if (between > 0 && text.startsWith(name, at + above.length + between)) return true;
  }
  return false;
}

/** The same for a tool of another server, under whatever key and however deep it is given a path. */
export function readToolMentions(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  if (tool.kind !== 'mcp' && tool.kind !== 'other') return [];
  const words = wordsOf(tool.mcp?.tool ?? tool.name);
  const verb = fileVerbOf(words);
  if (verb === 'read' || tellsOnly(words) || namesRemote(tool.input)) return [];
  const about = (given: string): readonly Effect[] => {
    const { name, path } = resolvePath(given, surroundings.cwd, surroundings);
    if (path === undefined) return [];
    return [{ kind: 'settings', how: 'own-mention', target: name, path, seen: `${tool.name} ${name}`, road: [] }];
  };
  const named = verb === undefined ? tool.paths.flatMap(about) : [];
  const others = stringsBelow(tool.input).flatMap((text) => about(text.replace(/^file:\/\//, '')));
  const patched = patchesIn(tool.input).flatMap((text) => namedIn([text], surroundings) ?? []);
  const fresh = [...others, ...patched.flatMap(about)].filter(
    ({ path = '' }) => !tool.paths.includes(path) && isOurs(path, surroundings),
  );
  return fresh.length === 0 ? named : [...named, ...fresh];
}

const PATCH = /^(?:\+\+\+ |--- |\*\*\* (?:Update|Add|Delete|Move) )/m;
const MOST_PATCH = 65_536;

/** Texts that say which files they change. */
function patchesIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return PATCH.test(value) ? [value.slice(0, MOST_PATCH)] : [];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((below) => patchesIn(below, depth + 1));
}

/** So long a path can be, so many of them somebody gives, and so deep. */
const LONGEST = 4_096;
const MOST_TEXTS = 1_000;
const DEEPEST = 100;

function stringsBelow(value: unknown, found: string[] = [], depth = 0): readonly string[] {
  if (typeof value === 'string') {
    if (value !== '' && value.length <= LONGEST && !value.includes('\n')) found.push(value);
  } else if (typeof value === 'object' && value !== null && depth < DEEPEST)
    for (const below of Object.values(value)) if (found.length < MOST_TEXTS) stringsBelow(below, found, depth + 1);
  return found;
}
