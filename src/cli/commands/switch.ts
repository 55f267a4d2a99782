import { DISABLED } from '../../adapters/forwarded.ts';
import { nodeFiles } from '../../platform/files.ts';
import { clearSwitch, readSwitch, writeSwitch } from '../../state/switch.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import type { Command, Input, VerbFile } from '../command.ts';
import { formatSpan, formatTime } from '../table.ts';
import { timeSpan } from '../time-span.ts';

export const off: Command = {
  summary: 'silence every rule, everywhere',
  gated: 'it silences every rule',
  details:
    'Every event is answered at once with nothing and nothing is recorded, in every session and project, until `fairlead on` or the end of the time.',
  options: { for: { type: 'string', value: 'TIME', help: 'only for so long: 30m, 1h, 2d' }, ...JSON_OPTION },
  check: (input) => void lengthOf(input),
  run(input, world) {
    const lasts = lengthOf(input);
    const now = Date.now();
    const before = readSwitch(nodeFiles, world.paths.state, now);
    const until = lasts === undefined ? undefined : now + lasts;
    const value = { since: before?.since ?? now, ...(until === undefined ? {} : { until }) };
    writeSwitch(nodeFiles, world.paths.state, value);
    if (input.has('json')) return printJson(world, { off: true, ...value });
    world.out(
      `Every rule is off${until === undefined ? '' : ` until ${formatTime(until)}`}. \`fairlead on\` ends it.\n`,
    );
  },
};

function lengthOf(input: Input): number | undefined {
  const text = input.text('for');
  return text === undefined ? undefined : timeSpan('--for', text);
}

export const on: Command = {
  summary: 'end `off`',
  options: JSON_OPTION,
  run(input, world) {
    const now = Date.now();
    const before = readSwitch(nodeFiles, world.paths.state, now);
    clearSwitch(nodeFiles, world.paths.state);
    if (input.has('json'))
      printJson(world, { off: false, changed: before !== undefined, ...(before ? { since: before.since } : {}) });
    else if (!before) world.out('Nothing was off; the rules are on.\n');
    else world.out(`The rules are on again${before.since > 0 ? ` after ${formatSpan(now - before.since)}` : ''}.\n`);
    if (world.env[DISABLED] === '1')
      world.err(`${DISABLED}=1 is set here: agents started from this shell stay without rules.\n`);
  },
};

export default { order: 60, verbs: { off, on } } satisfies VerbFile;
