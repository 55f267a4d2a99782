import type { Reading, ReadingPlace, ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import { printf, unescapeText } from '../../shell/output.ts';
import type { Settings } from './settings.ts';
import { isMarkdown, resolvePath } from './target.ts';
import { drawsWith } from './tool-runs.ts';

/** Text that stands in a command and ends up in a file. */
export interface CarriedText {
  readonly path: string;
  readonly text: string;
  readonly appends: boolean;
}

export interface ShellWrites {
  readonly carried: readonly CarriedText[];
  /** Markdown files that a diagram tool fills. */
  readonly drawn: ReadonlySet<string>;
}

/** What a command writes into Markdown by itself, as far as its text tells. */
export function shellWrites(reading: Reading, settings: Settings, place: ReadingPlace): ShellWrites {
  const carried = new Map<string, CarriedText>();
  const drawn = new Set<string>();
  for (const command of reading.commands) {
    const targets = targetsOf(command, place.home).filter(({ path }) => isMarkdown(path, settings));
    if (targets.length === 0) continue;
    const isDrawn = isFedByTool(command, reading, settings, place);
    const text = isDrawn ? undefined : withBytesJoined(printedText(command));
    for (const { path, appends } of targets) {
      if (isDrawn) drawn.add(path);
      if (text === undefined) continue;
      // The parts of a group, and the steps of a list, fill the file one after the other.
      const earlier = carried.get(path);
      carried.set(path, {
        path,
        text: `${earlier?.text ?? ''}${text}`,
        appends: earlier ? earlier.appends : appends,
      });
    }
  }
  return { carried: [...carried.values()], drawn };
}

interface Target {
  readonly path: string;
  readonly appends: boolean;
}

function targetsOf(command: ShellCommand, home: string): readonly Target[] {
  const { program, words, redirects, dir } = command;
  const at = ({ text, value, known, glob }: ShellWord, appends: boolean): readonly Target[] => {
    const path = text.startsWith('~/') && value.startsWith('~/') ? `${home}${value.slice(1)}` : value;
    if (!known || glob || (!path.startsWith('/') && dir === undefined)) return [];
    return [{ path: resolvePath(path, dir ?? '/'), appends }];
  };
  const targets = redirects.flatMap(({ operator, descriptor, target }) =>
    target && descriptor === 1 && operator.startsWith('>') ? at(target, operator === '>>') : [],
  );
  if (program !== 'tee') return targets;
  const options = readOptions(words.slice(1), { flags: ['--append'] });
  return [...targets, ...options.operands.flatMap((word) => at(word, options.has('-a', '--append')))];
}

function printedText({ program, words, input }: ShellCommand): string | undefined {
  const args = words.slice(1).map(({ value }) => value);
  switch (program) {
    case 'echo': {
      const from = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
      return from < 0 ? '\n' : `${unescapeText(args.slice(from).join(' '))}\n`;
    }
    case 'printf':
      return args[0] === '-v' ? undefined : printf(args[0] === '--' ? args.slice(1) : args);
    case 'cat':
      if (args.some((arg) => arg !== '-' && !arg.startsWith('-'))) return undefined;
      return input?.kind === 'text' ? input.text : undefined;
    case 'tee':
      return input?.kind === 'text' ? input.text : undefined;
    default:
      return undefined;
  }
}

/** Escapes tell bytes, as in `\\xe2\\x94\\x8c`; together they are a character. */
function withBytesJoined(text: string | undefined): string | undefined {
  return text?.replaceAll(/[\u0080-\u00ff]{2,}/g, (bytes) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    } catch {
      return bytes;
    }
  });
}

/** A diagram tool prints into the file, by itself or at the start of a pipe. */
function isFedByTool(command: ShellCommand, { commands }: Reading, settings: Settings, place: ReadingPlace): boolean {
  const seen = new Set<ShellCommand>();
  for (let each: ShellCommand | undefined = command; each && !seen.has(each);) {
    if (drawsWith(each, settings, place) !== undefined) return true;
    seen.add(each);
    each = each.input?.kind === 'pipe' ? commands[each.input.from] : undefined;
  }
  return false;
}
