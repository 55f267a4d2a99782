import type { Effect } from '../event/effect.ts';
import type { Event } from '../event/event.ts';
import type { Reading, ShellCommand, ShellInput, ShellWord, Unclear } from '../shell/command.ts';
import { UNKNOWN } from '../shell/command.ts';
import type { CliWorld } from './command.ts';
import type { ReadCall } from './read-call.ts';
import { cut, layOut, paint, printableLine } from './table.ts';

type Screen = Pick<CliWorld, 'colour' | 'columns'>;

/** The parts of a command and what they would do; nothing for a call that has neither. */
export function readingLines({ reading, effects = [] }: ReadCall, { cwd }: Event, world: Screen): string[] {
  const lines: string[] = [];
  if (reading) lines.push('', paint(world, 'bold', 'Read as:'), ...commandLines(reading, cwd, world));
  if (effects.length > 0) lines.push('', paint(world, 'bold', 'It would:'), ...effectLines(effects, world));
  else if (reading) lines.push('', 'It has no effect that a rule could listen to.');
  return lines;
}

/** A simple command as it was read, and where and how it would run. */
export interface ReadCommand {
  readonly number: number;
  readonly text: string;
  readonly about: string;
}

export function commandsIn({ commands }: Pick<Reading, 'commands'>, cwd: string): readonly ReadCommand[] {
  return commands.map((command) => ({
    number: command.number + 1,
    text: textOf(command),
    about: aboutOf(command, cwd).join('; '),
  }));
}

function commandLines(reading: Reading, cwd: string, world: Screen): string[] {
  const { commands, unclear, exhausts } = reading;
  return [
    ...commandsIn(reading, cwd).flatMap(({ number, text, about }) => {
      const line = `  ${String(number).padStart(2)}  ${cut(text, world.columns - 6)}`;
      return about === '' ? [line] : [line, paint(world, 'dim', `      ${printableLine(about)}`)];
    }),
    ...exhausts.map(
      (text) => `  ${paint(world, 'yellow', 'never ends')}  ${cut(printableLine(text), world.columns - 14)}`,
    ),
    ...unclear.map(({ text, why }) => {
      const label = `unclear, ${WHY[why]}`;
      return `  ${paint(world, 'yellow', label)}  ${cut(printableLine(text), Math.max(20, world.columns - label.length - 4))}`;
    }),
    ...(commands.length + exhausts.length + unclear.length === 0 ? ['  no command'] : []),
  ];
}

export const WHY: Readonly<Record<Unclear['why'], string>> = {
  'too-long': 'longer than is read',
  'too-many-heredocs': 'more heredocs than are read',
  'too-deep': 'nested deeper than is read',
  'too-many-commands': 'more commands than are read',
  syntax: 'no shell syntax',
  computed: 'known only when it runs',
};

function textOf({ words, assigns }: ShellCommand): string {
  const parts = [...assigns.map(({ name, value }) => `${name}=${shown(value)}`), ...words.map(shown)];
  return parts.join(' ');
}

/** As the program would get it; `…` for what only running tells. */
function shown({ value }: ShellWord): string {
  const text = printableLine(value.replaceAll(UNKNOWN, '…'));
  return text === '' || /[\s'"\\]/.test(text) ? `'${text}'` : text;
}

function aboutOf(command: ShellCommand, cwd: string): string[] {
  const { wrappers, road, dir, redirects, input, keptIn, background } = command;
  return [
    ...(road.length > 0 ? [`in ${road.join(', ')}`] : []),
    ...(wrappers.length > 0 ? [`by ${wrappers.join(', ')}`] : []),
    ...(dir === undefined ? ['its directory is not known'] : dir === cwd ? [] : [`runs in ${dir}`]),
    ...redirects.flatMap(({ descriptor, operator, target }) =>
      target
        ? [`${descriptor === (operator.startsWith('<') ? 0 : 1) ? '' : descriptor}${operator} ${shown(target)}`]
        : [],
    ),
    ...(input ? inputOf(input) : []),
    ...(keptIn === undefined ? [] : [`its output goes into $${keptIn}`]),
    ...(background ? ['in the background'] : []),
  ];
}

function inputOf(input: ShellInput): string[] {
  if (input.kind === 'pipe') return [`reads what ${input.from + 1} prints`];
  if (input.kind === 'text')
    return [`reads ${input.known ? '' : 'partly known '}text of ${input.text.length} characters`];
  return [];
}

function effectLines(effects: readonly Effect[], world: Screen): string[] {
  const rows = effects.map((effect) => [
    `  ${effect.kind}${effect.how === undefined ? '' : `, ${effect.how}`}`,
    effect.target,
    effect.scope ?? '',
    detailsOf(effect).join('; '),
  ]);
  const columns = [{ title: '' }, { title: '', shrinksTo: 16 }, { title: '' }, { title: '', shrinksTo: 12 }];
  const table = layOut(world, columns, rows);
  return rows.map((row) => table.line(row));
}

export function detailsOf({ recursive, of: what, host, branch, road }: Effect): string[] {
  return [
    ...(recursive === true ? ['everything below'] : []),
    ...(what === undefined ? [] : [`of ${what}`]),
    ...(host === undefined || host === '' ? [] : [`host ${host}`]),
    ...(branch === undefined || branch === '' ? [] : [`branch ${branch}`]),
    ...(road.length > 0 ? [`through ${road.join(', ')}`] : []),
  ];
}
