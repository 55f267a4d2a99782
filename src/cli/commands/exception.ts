import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { Command, Input, VerbFile } from '../command.ts';
import { knownRules, rootAt, ruleNamed } from '../known-rules.ts';
import { describeQuiet, endQuiet, QUIET_OPTIONS, quietIn, quietPlace, quietRules, quietSpan } from '../quiet-rules.ts';
import { counted } from '../table.ts';

export const add: Command = {
  summary: 'silence a rule for a time, in this project',
  now: 'rules mode RULE off --for TIME',
  gated: 'it silences a rule for a time',
  usage: '<RULE>',
  args: [1, 1],
  options: { ...QUIET_OPTIONS, ...JSON_OPTION },
  async check(input, world) {
    spanOf(input);
    ruleNamed(await knownRules(world), input.args[0] ?? '');
  },
  async run(input, world) {
    const known = await knownRules(world);
    const rule = ruleNamed(known, input.args[0] ?? '').meta.id;
    const exception = quietRules([rule], await quietPlace(known.root, input, world), spanOf(input), input, world);
    if (input.has('json')) return printJson(world, exception);
    world.out(`${describeQuiet(exception)}. \`fairlead rules enable ${rule}\` ends it before.\n`);
  },
};

function spanOf(input: Input): number {
  const span = quietSpan(input);
  if (span === undefined) throw new UsageError('an exception has an end: give --for, such as --for 1h');
  return span;
}

export const list: Command = {
  summary: 'the exceptions in force',
  now: 'rules list',
  details: 'Those of the project it is called in.',
  options: JSON_OPTION,
  async run(input, world) {
    const root = rootAt(world);
    const exceptions = await quietIn(root, world);
    if (input.has('json')) return printJson(world, exceptions);
    world.out(
      exceptions.length === 0
        ? `No exception is in force in ${root}.\n`
        : exceptions.map((exception) => `${describeQuiet(exception)}\n`).join(''),
    );
  },
};

export const end: Command = {
  summary: 'end exceptions before their time',
  now: 'rules enable RULE',
  usage: '[ID]',
  args: [0, 1],
  options: { all: { type: 'boolean', help: 'every exception of this project' }, ...JSON_OPTION },
  async run(input, world) {
    const [id] = input.args;
    if ((id === undefined) === !input.has('all')) throw new UsageError('give the id of an exception, or --all');
    const root = rootAt(world);
    const ended = await endQuiet(root, world, (exception) => id === undefined || exception.id === id);
    if (id !== undefined && ended.length === 0)
      throw new CommandError(`no exception "${id}" is in force in ${root}; \`fairlead rules list\` names them`);
    if (input.has('json')) return printJson(world, { ended: ended.map((exception) => exception.id) });
    world.out(ended.length === 0 ? 'There was none.\n' : `Ended: ${counted(ended.length, 'exception')}.\n`);
  },
};

export default {
  order: 100,
  verbs: { 'exception add': add, 'exception list': list, 'exception end': end },
} satisfies VerbFile;
