import { readExceptions, strayExceptions, writeExceptions } from '../engine/limits/exceptions.ts';
import type { Exception, ExceptionPlace } from '../engine/limits/exceptions.ts';
import { changeState, draftOf } from './change-state.ts';
import { UsageError } from './command.ts';
import type { CliWorld, Input, Option } from './command.ts';
import { exceptionId } from './exception-id.ts';
import { formatTime, printableLine } from './table.ts';
import { sharingOf, teamOf } from './team-sharing.ts';
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
  team: { type: 'boolean', help: 'with --for: in every project, on every machine of the team whose state is shared' },
} as const satisfies Record<string, Option>;

/** How long rules are to be quiet; undefined when nothing of that is asked for. */
export function quietSpan(input: Input): number | undefined {
  const given = input.text('for');
  if (given !== undefined) return timeSpan('--for', given);
  const lone = (['command', 'path', 'reason'] as const).find((option) => input.text(option) !== undefined);
  if (lone !== undefined) throw new UsageError(`--${lone} goes with --for`);
  if (input.has('team')) throw new UsageError('--team goes with --for');
  return undefined;
}

/** Where rules are to be quiet: in the project, or for the team. */
export async function quietPlace(root: string, input: Input, world: CliWorld): Promise<ExceptionPlace> {
  return input.has('team') ? { team: (await teamOf(world)).team } : root;
}

/** All places whose exceptions count in a project. */
export async function quietPlaces(root: string, world: CliWorld): Promise<readonly ExceptionPlace[]> {
  const sharing = await sharingOf(world);
  return sharing ? [root, { team: sharing.team }] : [root];
}

/** Has rules say nothing for a while, in one workspace or for a team. They still look, and the record says what they would have done. */
export function quietRules(
  rules: readonly string[],
  root: ExceptionPlace,
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

export async function quietIn(root: string, world: CliWorld): Promise<readonly Exception[]> {
  const draft = draftOf(world);
  return (await quietPlaces(root, world)).flatMap((place) => readExceptions(draft, place));
}

/** Ends those that fit before their time, and returns them. What something else wrote there goes as well. */
export async function endQuiet(
  root: string,
  world: CliWorld,
  fits: (exception: Exception) => boolean,
): Promise<readonly Exception[]> {
  return (await quietPlaces(root, world)).flatMap((place) => endQuietAt(place, world, fits));
}

function endQuietAt(
  root: ExceptionPlace,
  world: CliWorld,
  fits: (exception: Exception) => boolean,
): readonly Exception[] {
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
