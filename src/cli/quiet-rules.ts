import { readExceptions, strayExceptions, writeExceptions } from '../engine/limits/exceptions.ts';
import type { Exception } from '../engine/limits/exceptions.ts';
import { changeState, draftOf } from './change-state.ts';
import { UsageError } from './command.ts';
import type { CliWorld, Input, Option } from './command.ts';
import { exceptionId } from './exception-id.ts';
import { formatTime, printableLine } from './table.ts';
import { timeSpan } from './time-span.ts';

const MAX_REASON = 200;

export const QUIET_OPTIONS = {
  for: { type: 'string', value: 'TIME', help: 'with off: only for so long, and only in this project: 30m, 1h, 2d' },
  command: { type: 'string', value: 'TEXT', help: 'with --for: only this command, word for word' },
  path: {
    type: 'string',
    value: 'GLOB',
    help: 'with --for: only what lies there, seen from the root of the project',
  },
  reason: { type: 'string', value: 'TEXT', help: 'with --for: why, for whoever asks later' },
} as const satisfies Record<string, Option>;

/** How long rules are to be quiet; undefined when nothing of that is asked for. */
export function quietSpan(input: Input): number | undefined {
  const given = input.text('for');
  if (given !== undefined) return timeSpan('--for', given);
  const lone = (['command', 'path', 'reason'] as const).find((option) => input.text(option) !== undefined);
  if (lone !== undefined) throw new UsageError(`--${lone} goes with --for`);
  return undefined;
}

/** Has rules say nothing for a while, in one workspace. They still look, and the record says what they would have done. */
export function quietRules(
  rules: readonly string[],
  root: string,
  lasts: number,
  input: Input,
  world: CliWorld,
): Exception {
  const bounds = Object.fromEntries(
    (['command', 'path', 'reason'] as const).flatMap((name) => {
      const text = input.text(name);
      return text === undefined ? [] : [[name, name === 'reason' ? text.slice(0, MAX_REASON) : text]];
    }),
  ) as Pick<Exception, 'command' | 'path' | 'reason'>;
  return changeState(world, (draft): Exception => {
    const before = readExceptions(draft, root);
    const id = exceptionId(before, draft.now);
    const next = { id, rules, since: draft.now, until: draft.now + lasts, ...bounds };
    writeExceptions(draft, root, [...before, next]);
    return next;
  });
}

export function quietIn(root: string, world: CliWorld): readonly Exception[] {
  return readExceptions(draftOf(world), root);
}

/** Ends those that fit before their time, and returns them. What something else wrote there goes as well. */
export function endQuiet(root: string, world: CliWorld, fits: (exception: Exception) => boolean): readonly Exception[] {
  return changeState(world, (draft) => {
    const before = readExceptions(draft, root);
    const gone = before.filter(fits);
    const stray = strayExceptions(root, (id) => draft.read(id)).filter(fits);
    if (gone.length + stray.length > 0)
      writeExceptions(
        draft,
        root,
        before.filter((exception) => !gone.includes(exception)),
      );
    return [...gone, ...stray];
  });
}

export function describeQuiet({ id, rules, until, call, decision, command, path, reason }: Exception): string {
  const parts = [
    ...(call === undefined ? [] : [`once, for the call of decision ${decision}`]),
    ...(command === undefined ? [] : [`for ${command}`]),
    ...(path === undefined ? [] : [`on ${path}`]),
    `until ${formatTime(until)}`,
    ...(reason === undefined ? [] : [`because: ${reason}`]),
  ];
  return printableLine(`${id}  ${rules.join(', ')} is quiet ${parts.join(', ')}`);
}
