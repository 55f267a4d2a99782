import { judgeResources, readLimits, readMemorySource } from '../../resource-levels.ts';
import type { Amount } from '../../../../engine/rule.ts';
import type { ResourceLevel } from '../../resource-levels.ts';
import { readResources } from '../../../../platform/resources.ts';
import type { Resources } from '../../../../platform/resources.ts';
import { JSON_OPTION, printJson } from '../../../../cli/command.ts';
import type { Command, VerbFile } from '../../../../cli/command.ts';
import { contextOptions, placeForContext } from '../context-place.ts';
import { printTable } from '../../../../cli/table.ts';

const STYLES = { fine: 'green', warn: 'yellow', danger: 'red' } as const;

export const resources: Command = {
  summary: 'memory, swap, disk and load, held against the limits',
  details: `The limits are resources.<metric>.warn and danger. In a container its own limits are the totals. What the system does not tell is left out.
Exits with 1 when something is in danger.`,
  options: JSON_OPTION,
  async run(input, world) {
    const place = placeForContext(world);
    const given = (await contextOptions(world, place))['resources'];
    const found = await readResources(place.root);
    const levels = judgeResources(found, readLimits(given), readMemorySource(given));
    const exitCode = levels.some(({ level }) => level === 'danger') ? 1 : 0;
    if (input.has('json')) {
      printJson(world, { ...found, levels });
      return exitCode;
    }
    if (levels.length === 0) world.out('This system tells nothing about its resources.\n');
    else
      printTable(
        world,
        [{ title: 'what' }, { title: 'now' }, { title: 'limit', align: 'right' }, { title: 'level' }],
        levels.map((level) => [
          level.metric,
          describe(level, found),
          level.limit <= 0 ? 'none' : level.by === 'load' ? `${level.limit} per CPU` : `${level.limit} %`,
          { text: level.level, style: STYLES[level.level] },
        ]),
      );
    const { memory, cpus } = found.container ?? {};
    if (memory !== undefined) world.out(`The container's limit is ${gigabytes(memory)} of memory.\n`);
    if (cpus !== undefined) world.out(`The container's limit is ${Number(cpus.toFixed(2))} CPUs.\n`);
    return exitCode;
  },
};

function describe({ metric, value, by }: ResourceLevel, found: Resources): string {
  if (metric === 'load') return `${value.toFixed(2)} per CPU`;
  const amount = found[metric];
  const size = amount ? `${share(amount)} % of ${gigabytes(amount.total)}` : '';
  return by === 'pressure' ? `${value.toFixed(1)} % waiting${size === '' ? '' : `, ${size} used`}` : size;
}

function share({ used, total }: Amount): number {
  return total > 0 ? Math.round((used * 100) / total) : 0;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

export default { order: 230, verbs: { 'context resources': resources } } satisfies VerbFile;
