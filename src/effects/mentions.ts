import type { Effect } from '../event/effect.ts';
import type { ToolCall } from '../event/event.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { runsOf } from './code/runners.ts';
import { FILE_PROGRAMS } from './files/programs.ts';
import { listed } from './words/arguments.ts';
import { resolvePath } from './paths/resolve-path.ts';
import type { ResolvedPath, Scene, Surroundings } from './scene.ts';
import { fileVerbOf, tellsOnly, wordsOf } from './tools/names.ts';
import { isAboveOwn, isOwnPath, mayFindOwn } from './agent/own-files.ts';

/** Programs that only look at the files they are given, or take their arguments for text. */
const READERS: ReadonlySet<string> = new Set(
  listed(
    'cat bat batcat tac less more head tail ls ll dir exa eza lsd tree stat file wc nl od hexdump hexyl strings grep egrep fgrep zgrep ' +
      'rg ag ack find gfind fd fdfind locate diff colordiff delta cmp comm du df md5 md5sum sha1sum sha224sum sha256sum sha384sum ' +
      'sha512sum shasum cksum b2sum readlink realpath basename dirname test [ [[ cd pushd popd pwd echo printf : true false jq gojq ' +
      'cut sort column paste join tr rev fold fmt zcat gzcat bzcat xzcat zstdcat base64 lsof fuser lsattr getfacl ' +
      'which type command hash where whereis whatis man help export declare typeset local readonly set unset alias unalias read ' +
      'source . fairlead watch wait sleep exit return tput notify-send',
  ),
);
/** They change what they are given only when told so. */
const IN_PLACE: Readonly<Record<string, RegExp>> = { yq: /^(?:-[A-Za-z]*i|--in-?place)/ };
const RUNS_CODE: ReadonlySet<string> = new Set(listed('perl ruby awk gawk mawk nawk'));
/** They look only when told so. */
const LOOKS: Readonly<Record<string, RegExp>> = { sqlite3: /^-readonly$/ };
/** Subcommands of git that write no file but their own, unless an option names one. */
const GIT_LOOKS =
  /^(?:status|diff|log|show|blame|grep|ls-files|ls-tree|rev-parse|rev-list|cat-file|describe|check-ignore)$/;
const GIT_TAKES_NEXT = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
/** An option that is given a path, in the same word or in the next one: what it does there is its own affair. */
const PATH_OPTION = /^(?:-[A-Za-z]*[oODacw]|--[A-Za-z][\w-]+)$/;
const OPTION_WITH_PATH = /^(?:-[A-Za-z][/~.]|--?[A-Za-z][\w-]*=)/;
const PROGRAM = 'fairlead';

/**
 * Paths that a command hands to a program of which nothing is known: it may change what is there. Only those that could lie
 * in what this program is made of are told, as candidates: whether they do, links may have to say.
 */
export function readMentions(scene: Scene, linked: boolean): readonly Effect[] {
  let found: Effect[] | undefined;
  for (const command of scene.reading.commands) {
    const words = command.words.slice(1);
    const looked = isKnown(command) ? words.filter((word, at) => isOfOption(word, words[at - 1])) : words;
    if (looked.length === 0 && isKnown(command)) continue;
    const add = (about: Pick<Effect, 'target' | 'path' | 'recursive'>) =>
      (found ??= []).push(scene.effect(command, { kind: 'settings', how: 'own-mention', ...about }));
    const runs = runsOf(command);
    const isTree = command.words.some(({ value }) => RECURSIVE.test(value));
    for (const word of looked) {
      if (word === runs?.file || runs?.code.includes(word) === true) continue;
      for (const place of placesIn(word, command, scene))
        if (linked || mayBeOwn(place.path, isTree, scene)) add({ ...place, recursive: isTree });
    }
    const texts = [...(runs?.code ?? []).map(({ value }) => value), ...inputOf(command, runs?.input === true)];
    const dir = texts.some(mayWrite) ? namedIn(texts, scene.surroundings) : undefined;
    if (dir !== undefined) add({ target: dir, path: dir });
  }
  return found ?? [];
}

const RECURSIVE = /^-[a-zA-Z]*[rR]|^--recursive$/;

/** Also a directory above, with all that is in it or as the start of a search, and what links on disk may lead to. */
function mayBeOwn(path: string, isTree: boolean, { surroundings }: Scene): boolean {
  if (path.includes(PROGRAM) || isOwnPath(path, surroundings)) return true;
  return (isTree && isAboveOwn(path, surroundings)) || mayFindOwn(path, surroundings);
}

function isOfOption({ value }: ShellWord, before: ShellWord | undefined): boolean {
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
  if (program === 'git') return GIT_LOOKS.test(subcommandOf(words));
  if (READERS.has(program) || program === '') return true;
  if (IN_PLACE[program]) return !words.some(({ value }) => IN_PLACE[program]?.test(value));
  if (LOOKS[program] && words.some(({ value }) => LOOKS[program]?.test(value))) return true;
  // Those that run code may do anything; what the others do is told by their tables.
  return !RUNS_CODE.has(program) && (Object.hasOwn(FILE_PROGRAMS, program) || program === 'dd');
}

/** `name=path`, `-Xpath`, `here:there`, `@path`. */
const BEFORE_PATH = /[=:,@]|^-[A-Za-z](?=[/~.])/;
const READ_ONLY = /(?:^|[:,])(?:ro|readonly)(?:$|[,:=])/;

function placesIn(word: ShellWord, command: ShellCommand, scene: Scene) {
  const { value } = word;
  if (READ_ONLY.test(value)) return [];
  if (!word.known || value.includes('{}')) return told([scene.place(word, command)]);
  const isHere = command.dir !== undefined && isOwnPath(command.dir, scene.surroundings);
  if (value.startsWith('-') && !/[/~]/.test(value)) return [];
  if (!isHere && !/[/~]/.test(value) && !word.glob) return [];
  const parts = BEFORE_PATH.test(value) ? value.split(BEFORE_PATH) : [];
  const words = [word, ...parts.map((part): ShellWord => ({ ...word, text: part, value: part }))];
  return told(words.filter((one) => one.value !== '').map((one) => scene.place(one, command)));
}

function told(places: readonly ResolvedPath[]) {
  return places.flatMap(({ name, path, winding }) =>
    path === undefined ? [] : [{ target: name, path, ...(winding !== undefined && { winding }) }],
  );
}

function inputOf({ input }: ShellCommand, isCode: boolean): readonly string[] {
  return isCode && input?.kind === 'text' ? [input.text] : [];
}

/** What code that only reads does not have. */
const WRITES =
  /writ|unlink|remove|\brm|rename|replace|move|copy|trunc|append|save|dump|chmod|chown|link|exec|spawn|system|popen|\brun\b|call\b|sqlite|connect|eval|delete|mkdir|touch|put|`|>|open\([^)]*,\s*(?:mode\s*=\s*)?["'][^"']*[wax+]/i;

function mayWrite(code: string): boolean {
  return WRITES.test(code);
}

/** The directory of ours that code names, in one string or put together of several. */
function namedIn(texts: readonly string[], { ownDirs }: Surroundings): string | undefined {
  return ownDirs.find((dir) => {
    const [above = '', name = ''] = dir.split('/').slice(-2);
    return texts.some((text) => {
      for (let at = text.indexOf(above); at >= 0; at = text.indexOf(above, at + 1)) {
        const between = /^[^\w]{1,12}/.exec(text.slice(at + above.length))?.[0].length ?? 0;
        if (between > 0 && text.startsWith(name, at + above.length + between)) return true;
      }
      return false;
    });
  });
}

/** The same for a tool of another server whose name does not tell what it does. */
export function readToolMentions(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  if (tool.kind !== 'mcp' && tool.kind !== 'other') return [];
  const words = wordsOf(tool.mcp?.tool ?? tool.name);
  if (fileVerbOf(words) !== undefined || tellsOnly(words)) return [];
  return tool.paths.flatMap((given): Effect[] => {
    const { name, path } = resolvePath(given, surroundings.cwd, surroundings);
    if (path === undefined) return [];
    return [{ kind: 'settings', how: 'own-mention', target: name, path, seen: `${tool.name} ${name}`, road: [] }];
  });
}
