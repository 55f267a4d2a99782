import type { CliWorld } from '../command.ts';
import { paint, printableLine, wrap } from '../table.ts';

/** Something a person should know; `attention` makes doctor exit with 1. */
export interface Finding {
  readonly level: 'attention' | 'note';
  readonly what: string;
  readonly why: string;
  /** The command, or the step, that comes next. */
  readonly next: string;
  /** The place in a file that it is about. */
  readonly at?: { readonly file: string; readonly line?: number };
}

export type Fact = readonly [name: string, value: string];

export interface Section {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  /** Something is wrong here that another section tells. */
  readonly flawed?: boolean;
}

export function needsAttention(sections: readonly Section[]): Finding[] {
  return sections.flatMap(({ findings }) => findings.filter(({ level }) => level === 'attention'));
}

export function showReport(sections: readonly Section[], world: CliWorld): void {
  for (const { title, facts, findings, flawed } of sections) {
    const worst = findings.some(({ level }) => level === 'attention')
      ? 'attention'
      : findings.length > 0 || flawed === true
        ? 'note'
        : 'ok';
    world.out(`${MARKS[worst](world)} ${paint(world, 'bold', title)}\n`);
    const width = facts.reduce((most, [name]) => Math.max(most, name.length), 0);
    for (const [name, value] of facts)
      world.out(`    ${paint(world, 'dim', name.padEnd(width))}  ${printableLine(value)}\n`);
    for (const { level, what, why, next } of findings) {
      world.out(`  ${MARKS[level](world)} ${wrap(what, world.columns, '    ').trimStart()}\n`);
      world.out(`${wrap(why, world.columns, '    ')}\n${wrap(`Next: ${next}`, world.columns, '    ')}\n`);
    }
  }
  const count = needsAttention(sections).length;
  world.out(
    count === 0
      ? `\n${paint(world, 'green', 'Nothing needs attention.')}\n`
      : `\n${paint(world, 'red', `${count} ${count === 1 ? 'thing needs' : 'things need'} attention`)}, marked with !.\n`,
  );
}

const MARKS = {
  ok: (world: CliWorld) => paint(world, 'green', '✓'),
  note: (world: CliWorld) => paint(world, 'yellow', '·'),
  attention: (world: CliWorld) => paint(world, 'red', '!'),
};
