import type { Effect } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { programOf } from '../shell/program-name.ts';
import { quote } from '../shell/quote.ts';
import { startsOthers } from '../shell/nesting.ts';
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

/**
 * What a program that nobody knows would do if it ran what it is given, from some word on. `known` tells the programs whose
 * arguments are understood; `effectsOf` reads a text.
 */
export function readPerhaps(
  command: ShellCommand,
  scene: Scene,
  known: (program: string) => boolean,
  effectsOf: (text: string, dir: string | undefined) => readonly Effect[],
): readonly Effect[] {
  const { words, program, input } = command;
  if (words.length < 2 || program === '' || TAKES_TEXT.has(program) || startsOthers(program)) return [];
  const feed = input?.kind === 'pipe' ? `${scene.reading.commands[input.from]?.text ?? ':'} | ` : '';
  const texts = new Set<string>();
  for (let at = 1; at < words.length && texts.size < MOST_STARTS; at += 1) {
    const { value } = words[at] as ShellWord;
    for (const code of isCode(words[at - 1]?.value ?? '') ? codesIn(value) : []) texts.add(code);
    const name = programOf(value);
    if (name === '' || name === '.' || TAKES_NAMES.has(program) || (!known(name) && !startsOthers(name))) continue;
    const rest = words.slice(at).map((word) => (word.glob ? word.value : quote(word.value)));
    texts.add(feed + rest.join(' '));
  }
  const perhaps = [...texts].flatMap((text) => effectsOf(text, command.dir));
  if (perhaps.length === 0) return [];
  return [scene.effect(command, { kind: 'unknown', how: 'perhaps', target: program, perhaps })];
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
