import type { Effect } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { programOf } from '../shell/program-name.ts';
import { quote } from '../shell/quote.ts';
import { startsOthers } from '../shell/nesting.ts';
import { runsOf } from './code/runners.ts';
import { listed } from './words/arguments.ts';
import type { Scene } from './scene.ts';

/** They take what they are given for text. */
const TAKES_TEXT: ReadonlySet<string> = new Set(
  listed(
    'echo printf say espeak cowsay cowthink figlet toilet banner lolcat logger wall write mail notify-send terminal-notifier zenity dialog whiptail ' +
      'grep egrep fgrep zgrep rg ag ack sed awk jq yq tr cut test [ [[ : true false expr seq man help info whatis apropos tldr cheat ' +
      'which whence where whereis type hash locate pgrep pidof kill alias unalias complete compgen export declare typeset local readonly set unset ' +
      'read trap return exit let history fc bind gh glab hub jira linear fairlead select case for if while until function',
  ),
);
/** They take it for names: of files, packages, hosts. */
const TAKES_NAMES: ReadonlySet<string> = new Set(
  listed(
    'ls ll dir exa eza lsd tree stat file wc cat bat less more head tail tac nl od hexdump xxd strings sort uniq paste join comm diff cmp touch mkdir ' +
      'basename dirname realpath readlink ps top htop lsof dpkg dpkg-query rpm apt apt-get apt-cache aptitude brew port dnf yum zypper pacman apk snap ' +
      'flatpak pip pip3 gem cargo go composer nuget choco scoop winget cd pushd popd shift wait jobs fg bg disown sleep date cal tput clear stty ' +
      'systemctl service journalctl loginctl hostnamectl code subl vim vi nvim nano emacs open xdg-open sqlite3 psql mysql redis-cli mongosh',
  ),
);

/** Nobody hides a command behind more words that could begin one. */
const MOST_STARTS = 8;
/** Characters of all of them: each is read from there to the end. */
const MOST_TEXT = 40_000;

/**
 * What a program that nobody knows would do if it ran what it is given, from some word on. `known` tells the programs whose
 * arguments are understood; `effectsOf` reads a text.
 */
export function readPerhaps(
  command: ShellCommand,
  scene: Scene,
  known: (program: string) => boolean,
  effectsOf: EffectsOfText,
): readonly Effect[] {
  const { words, program, input } = command;
  if (isUntold(command, scene)) return tell(program, [`rm ${inQuotes(words.slice(1))}`], command, scene, effectsOf);
  if (words.length < 2 || program === '' || TAKES_TEXT.has(program) || startsOthers(program)) return [];
  const feed = input?.kind === 'pipe' ? `${scene.reading.commands[input.from]?.text ?? ':'} | ` : '';
  const texts = new Set<string>();
  let left = MOST_TEXT;
  for (let at = 1; at < words.length && texts.size < MOST_STARTS; at += 1) {
    const { value } = words[at] as ShellWord;
    for (const code of isCode(words[at - 1]?.value ?? '') ? codesIn(value) : []) texts.add(code);
    const name = programOf(value);
    if (name === '' || name === '.' || TAKES_NAMES.has(program) || (!known(name) && !startsOthers(name))) continue;
    const text = feed + inQuotes(words.slice(at));
    texts.add(text);
    left -= text.length;
    if (left <= 0) break;
  }
  return tell(program, [...texts], command, scene, effectsOf);
}

type EffectsOfText = (text: string, dir: string | undefined) => readonly Effect[];

function tell(
  program: string,
  texts: readonly string[],
  command: ShellCommand,
  scene: Scene,
  effectsOf: EffectsOfText,
): readonly Effect[] {
  const perhaps = texts.flatMap((text) => effectsOf(text, command.dir));
  if (perhaps.length === 0) return [];
  return [scene.effect(command, { kind: 'unknown', how: 'perhaps', target: program || 'the program', perhaps })];
}

function inQuotes(words: readonly ShellWord[]): string {
  return words.map((word) => (word.glob ? word.value : quote(word.value))).join(' ');
}

/** Nobody says `-rf` but to one program. */
const FORCED_TREE = /^-[a-zA-Z]*(?:[rR][a-zA-Z]*f|f[a-zA-Z]*[rR])[a-zA-Z]*$/;

/** Its name is in a variable that comes from outside, or that a file may have set which nobody has read. */
function isUntold({ words, program, number }: ShellCommand, { reading }: Scene): boolean {
  const [first, option] = words;
  if (!first || !FORCED_TREE.test(option?.value ?? '') || !/^"?\$/.test(first.text)) return false;
  return (
    program === '' ||
    reading.commands.some((one) => one.number < number && (one.program === 'source' || one.program === '.'))
  );
}

const INTERPRETERS = /^(?:python|pypy|node|ruby|perl|php|deno|bun|lua|Rscript|julia|tclsh)[\d.]*$/;
/** Words alone, as no other language has them. */
const WORDS_ALONE = /^\s*[a-z][\w.-]*(?:\s+[\w./~*$-]+)+\s*$/;

/** Code for another language that reads as a command was meant as one. */
export function readMisread(command: ShellCommand, scene: Scene, effectsOf: EffectsOfText): readonly Effect[] {
  if (!INTERPRETERS.test(command.program)) return [];
  const texts = (runsOf(command)?.code ?? []).map(({ value }) => value).filter((text) => WORDS_ALONE.test(text));
  return texts.length === 0 ? [] : tell(command.program, texts, command, scene, effectsOf);
}

/** What comes after this word may be code. */
function isCode(before: string): boolean {
  return /^(?:-[aceEoxX]|--?(?:ex|eval|exec|command|cmd|run|execute|shell)|exec|eval|run|shell|cmd|system)$/.test(
    before,
  );
}

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/g;
const LONGEST_CODE = 4_096;
const MOST_QUOTED = 8;

/** The text, the value in `name=value`, and what stands in quotes in it: one by one, and as the words of one command. */
function codesIn(text: string): readonly string[] {
  if (text.length > LONGEST_CODE || !/\s|["'`]/.test(text)) return [];
  const value = /^[\w:.-]+=([^]*)$/.exec(text)?.[1];
  const quoted = [...text.matchAll(QUOTED)]
    .slice(0, MOST_QUOTED)
    .map((found) => found[1] ?? found[2] ?? found[3] ?? '');
  return [...new Set([value ?? text, ...quoted.filter((one) => /\s/.test(one)), quoted.join(' ')])].filter(
    (one) => one.trim() !== '',
  );
}
