import { settingsOf } from '../../workspace/policy.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { counted, formatBytes, formatTime } from '../table.ts';
import { copiesOf, sumUp } from '../undo-copies.ts';
import type { Section } from './report.ts';

export function checkUndo({ layers }: KnownRules, world: CliWorld): Section {
  const { days, megabytes, budgetMs, budgetMegabytes, exclude } = settingsOf(layers).undo;
  const { count, bytes, oldest } = sumUp(copiesOf(world).store.list());
  return {
    title: 'Copies for undo',
    facts: [
      [
        'copies',
        oldest === undefined ? 'none' : `${count}, ${formatBytes(bytes)}, the oldest of ${formatTime(oldest)}`,
      ],
      ['keeps', `${counted(days, 'day')}, at most ${megabytes} MB`],
      ['one copy', `at most ${budgetMs} ms and ${budgetMegabytes} MB; what needs more is asked about`],
      ...(exclude.length === 0 ? [] : ([['never', exclude.join(', ')]] as const)),
    ],
    findings: [],
  };
}
