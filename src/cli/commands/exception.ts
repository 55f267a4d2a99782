import { readExceptions, writeExceptions } from '../../engine/limits/exceptions.ts';
import type { Exception } from '../../engine/limits/exceptions.ts';
import { changeState, draftOf } from '../change-state.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { Command, Input, VerbFile } from '../command.ts';
import { exceptionId } from '../exception-id.ts';
import { knownRules, rootAt, ruleNamed } from '../known-rules.ts';
import { counted, formatTime, printableLine } from '../table.ts';
import { timeSpan } from '../time-span.ts';

const MAX_REASON = 200;

export const add: Command = {
  summary: 'silence a rule for a time, in this workspace',
  gated: 'it silences a rule for a time',
  usage: '<RULE>',
  details: `The rule still looks, and the record says what it would have done. With --command only that very command passes, with --path only
calls of which everything they touch matches; with both, both must hold.`,
  args: [1, 1],
  options: {
    for: { type: 'string', value: 'TIME', help: 'how long: 30m, 1h, 2d; must be given' },
    command: { type: 'string', value: 'TEXT', help: 'only this command, word for word' },
    path: { type: 'string', value: 'GLOB', help: 'only what lies there, seen from the root of the workspace' },
    reason: { type: 'string', value: 'TEXT', help: 'why, for whoever asks later' },
    ...JSON_OPTION,
  },
  async check(input, world) {
    lengthOf(input);
    ruleNamed(await knownRules(world), input.args[0] ?? '');
  },
  async run(input, world) {
    const lasts = lengthOf(input);
    const known = await knownRules(world);
    const rule = ruleNamed(known, input.args[0] ?? '').meta.id;
    const bounds = Object.fromEntries(
      (['command', 'path', 'reason'] as const).flatMap((name) => {
        const text = input.text(name);
        return text === undefined ? [] : [[name, name === 'reason' ? text.slice(0, MAX_REASON) : text]];
      }),
    ) as Pick<Exception, 'command' | 'path' | 'reason'>;
    const exception = changeState(world, (draft): Exception => {
      const before = readExceptions(draft, known.root);
      const next = {
        id: exceptionId(before, draft.now),
        rules: [rule],
        since: draft.now,
        until: draft.now + lasts,
        ...bounds,
      };
      writeExceptions(draft, known.root, [...before, next]);
      return next;
    });
    if (input.has('json')) return printJson(world, exception);
    world.out(`${describe(exception)}. \`fairlead exception end ${exception.id}\` ends it before.\n`);
  },
};

function lengthOf(input: Input): number {
  const given = input.text('for');
  if (given === undefined) throw new UsageError('an exception has an end: give --for, such as --for 1h');
  return timeSpan('--for', given);
}

export const list: Command = {
  summary: 'the exceptions in force',
  details: 'Those of the workspace it is called in.',
  options: JSON_OPTION,
  run(input, world) {
    const root = rootAt(world);
    const exceptions = readExceptions(draftOf(world), root);
    if (input.has('json')) return printJson(world, exceptions);
    world.out(
      exceptions.length === 0
        ? `No exception is in force in ${root}.\n`
        : exceptions.map((exception) => `${describe(exception)}\n`).join(''),
    );
  },
};

export const end: Command = {
  summary: 'end exceptions before their time',
  usage: '[ID]',
  args: [0, 1],
  options: { all: { type: 'boolean', help: 'every exception of this workspace' }, ...JSON_OPTION },
  run(input, world) {
    const [id] = input.args;
    if ((id === undefined) === !input.has('all')) throw new UsageError('give the id of an exception, or --all');
    const root = rootAt(world);
    const ended = changeState(world, (draft) => {
      const before = readExceptions(draft, root);
      const gone = before.filter((exception) => id === undefined || exception.id === id);
      if (gone.length > 0)
        writeExceptions(
          draft,
          root,
          before.filter((exception) => !gone.includes(exception)),
        );
      return gone;
    });
    if (id !== undefined && ended.length === 0)
      throw new CommandError(`no exception "${id}" is in force in ${root}; \`fairlead exception list\` names them`);
    if (input.has('json')) return printJson(world, { ended: ended.map((exception) => exception.id) });
    world.out(ended.length === 0 ? 'There was none.\n' : `Ended: ${counted(ended.length, 'exception')}.\n`);
  },
};

export function describe({ id, rules, until, call, decision, command, path, reason }: Exception): string {
  const parts = [
    ...(call === undefined ? [] : [`once, for the call of decision ${decision}`]),
    ...(command === undefined ? [] : [`for ${command}`]),
    ...(path === undefined ? [] : [`on ${path}`]),
    `until ${formatTime(until)}`,
    ...(reason === undefined ? [] : [`because: ${reason}`]),
  ];
  return printableLine(`${id}  ${rules.join(', ')} is silent ${parts.join(', ')}`);
}

export default {
  order: 100,
  verbs: { 'exception add': add, 'exception list': list, 'exception end': end },
} satisfies VerbFile;
