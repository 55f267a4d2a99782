import type { CliWorld, Command, Option } from './command.ts';
import { activePacks } from './active-packs.ts';
import { beside } from './beside.ts';
import type { Row } from './beside.ts';
import { paint, wrap } from './table.ts';
import { SHOWN_VERBS } from './meant-verb.ts';
import { GROUPS, VERBS } from './verbs.generated.ts';

type Screen = Pick<CliWorld, 'colour' | 'columns'>;

/** What the first page shows: verbs, and groups of verbs. Verbs of packs come with their pack. */
const FIRST_PAGE: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Set up', ['init', 'doctor', 'uninstall']],
  ['See what happens', ['log', 'explain', 'undo']],
  ['Rules', ['packs', 'rules']],
  ['In the way?', ['allow-once', 'pause', 'off']],
  ['Code', ['graph']],
];

const PROMISE = 'rules that coding agents keep to';

/** About ten verbs, and those of the packs that are on here. */
export async function helpFirst(version: string, world: CliWorld): Promise<string> {
  const packs = await activePacks(world);
  const own = SHOWN_VERBS.filter((verb) => packs.includes(VERBS[verb]?.pack ?? '')).map(wordOf);
  const sections = own.length === 0 ? FIRST_PAGE : [...FIRST_PAGE, ['Packs that are on', [...new Set(own)]] as const];
  const width = Math.max(...sections.flatMap(([, words]) => words.map((word) => word.length)));
  return page(
    `${paint(world, 'bold', `fairlead ${version}`)}: ${PROMISE}`,
    ...sections.map(([title, words]) =>
      [paint(world, 'bold', title), ...beside(words.map(lineOf), world, width)].join('\n'),
    ),
    wrap('`fairlead help VERB` explains one, `fairlead help all` lists the rest.', world.columns),
  );
}

export function helpForAll(version: string, world: Screen): string {
  const lines = SHOWN_VERBS.map((verb): Row => [verb, VERBS[verb]?.summary ?? '']);
  return page(
    `fairlead ${version}: ${PROMISE}`,
    'usage: fairlead <verb> [options]',
    beside(lines, world).join('\n'),
    wrap(
      '`fairlead help VERB` explains one verb. FAIRLEAD_HOME moves everything fairlead keeps into one directory.',
      world.columns,
    ),
  );
}

export function helpForGroup(group: string, world: Screen): string {
  const own = SHOWN_VERBS.filter((verb) => verb.startsWith(`${group} `));
  const about = GROUPS[group];
  return page(
    `fairlead ${group}${about === undefined ? '' : `: ${about}`}`,
    beside(
      own.map((verb) => [verb, VERBS[verb]?.summary ?? '']),
      world,
    ).join('\n'),
    wrap(`\`fairlead ${group} VERB --help\` explains one.`, world.columns),
  );
}

export function helpFor(verb: string, command: Command, world: Screen): string {
  const options: Record<string, Option> = {
    ...command.options,
    help: { type: 'boolean', short: 'h', help: 'show this text' },
  };
  const lines = Object.entries(options).map(([name, option]): Row => [
    `${option.short === undefined ? '    ' : `-${option.short}, `}--${name}${valueOf(option)}`,
    option.help,
  ]);
  return page(
    wrap(`fairlead ${verb}: ${command.summary}`, world.columns),
    wrap(`usage: fairlead ${verb}${command.usage === undefined ? '' : ` ${command.usage}`} [options]`, world.columns),
    ...(command.details === undefined ? [] : [reflow(command.details.trim(), world)]),
    beside(lines, world).join('\n'),
  );
}

/** A verb that stands in a group is shown by the group. */
function wordOf(verb: string): string {
  return verb.split(' ', 1)[0] as string;
}

function lineOf(word: string): Row {
  const summary = VERBS[word]?.summary;
  if (summary !== undefined) return [word, summary];
  const verbs = SHOWN_VERBS.filter((verb) => verb.startsWith(`${word} `)).map((verb) => verb.slice(word.length + 1));
  return [word, GROUPS[word] ?? verbs.join(', ')];
}

function valueOf({ type, value = 'TEXT', bare }: Option): string {
  if (type !== 'string') return '';
  return bare === undefined ? ` ${value}` : ` [${value}]`;
}

/** Prose is broken to fit; lines that begin with a blank stay as they are. */
function reflow(text: string, { columns }: Screen): string {
  return text
    .split('\n\n')
    .map((paragraph) => {
      const parts: string[] = [];
      let isProse = false;
      for (const line of paragraph.split('\n')) {
        const goesOn = isProse && !line.startsWith(' ');
        if (goesOn) parts.push(`${parts.pop()} ${line}`);
        else parts.push(line);
        isProse = !line.startsWith(' ');
      }
      return parts.map((part) => (part.startsWith(' ') ? part : wrap(part, columns))).join('\n');
    })
    .join('\n\n');
}

function page(...sections: readonly string[]): string {
  return `${sections.join('\n\n')}\n`;
}
