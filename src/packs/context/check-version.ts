import { asPath, defineRule, joined, marker, own } from '../../engine/rule.ts';
import type { Releases } from '../../engine/rule.ts';
import { CONTEXT_DIR } from './files.ts';
import { nudge } from './nudge.ts';
import type { Told } from './nudge.ts';
import { oneOf, readGroup } from './options.ts';
import { contextRoot } from './place.ts';

const COMPARE = { compare: 'minor' };
const NOTIFY = { key_rotation_days: 90, key_path: '' };

export default defineRule({
  id: 'context/check-version',
  pack: 'context',
  summary:
    'Once a day, says when engine, command and hooks are of different releases, or the key of the webhook is old.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'deferrable',
  priority: 55,
  // Facts keep a limit of their own.
  budgetMs: 1_000,
  state: { today: marker('context.day.version', { scope: 'day' }) },
  options: { version: COMPARE, notify: NOTIFY },
  messages: {
    mismatch:
      'Parts of Fairlead come from different releases:\nRunning engine: {binaryVersion}\nOther parts: {pluginVersion}\nOldest: {older}\nNext: {next}',
    'key-rotation':
      'The key of the webhook has been in use for long:\nAge: {keyAgeDays} days; it is called old at {mostDays}\nNext: fairlead notify rotate-key',
  },
  expect: {
    tool: 'shell',
    words: ['fairlead daemon stop', 'fairlead init', 'notify rotate-key'],
    within: 40,
    until: 'session',
  },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    if (context.state.today.isSet()) return context.pass('checked today');
    const { facts, options, workspace } = context;
    const { key_rotation_days: days, key_path: keyPath } = readGroup(options.notify, NOTIFY);
    const mostDays = days >= 0 ? days : NOTIFY.key_rotation_days;
    const judge = async () => {
      const [releases, keyAge] = await Promise.all([
        facts.releases(workspace.root, workspace.variable('PATH')),
        mostDays === 0 ? 'none' : facts.keyAgeDays(root, keyPath === '' ? undefined : keyPath),
      ]);
      if (!releases || keyAge === undefined) return context.pass('the releases are not known yet');
      context.state.today.first();
      const compare = oneOf(readGroup(options.version, COMPARE).compare, ['minor', 'patch']);
      const mismatch = mismatchOf(releases, compare);
      const isOld = keyAge !== 'none' && keyAge >= mostDays;
      if (!mismatch && !isOld) return context.pass('nothing needs to be done');
      const { engine } = releases;
      const rotation = { values: { keyAgeDays: keyAge, mostDays }, relayed: { days: keyAge } };
      return [
        ...(mismatch ? nudge(context, root, { variant: 'mismatch', values: mismatch, relayed: { engine } }) : []),
        ...(isOld ? nudge(context, root, { variant: 'key-rotation', ...rotation }) : []),
      ];
    };
    return judge();
  },
});

type Numbers = readonly [major: number, minor: number, patch: number];

interface Part {
  readonly name: string;
  readonly version: string;
  readonly numbers: Numbers;
}

/** Undefined when all parts whose version can be read agree. A development build agrees with everything. */
function mismatchOf({ engine, installed, registered }: Releases, compare: 'minor' | 'patch'): Told['values'] {
  const running = partOf('engine', engine);
  if (!running) return undefined;
  const command = partOf('command on disk', installed);
  const hooks = partOf('hooks', registered);
  const others = [command, hooks].filter((part) => part !== undefined);
  const weight = (part: Part) => weigh(part.numbers, compare);
  if (others.every((part) => weight(part) === weight(running))) return undefined;
  const all = [running, ...others];
  const least = Math.min(...all.map(weight));
  // Hooks that start another release than the command on disk go on doing so until they are written anew.
  const hooksDiffer = hooks !== undefined && weight(hooks) !== weight(command ?? running);
  return {
    binaryVersion: own(engine),
    pluginVersion: joined(
      others.map(({ name, version }) => own`${own(name)} ${asPath(version)}`),
      ', ',
    ),
    older: joined(
      all.filter((part) => weight(part) === least).map(({ name }) => own(name)),
      ', ',
    ),
    next: own(hooksDiffer ? 'fairlead init' : 'fairlead daemon stop'),
  };
}

function partOf(name: string, version: string | undefined): Part | undefined {
  const [, major, minor, patch] = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(version ?? '') ?? [];
  if (version === undefined || major === undefined) return undefined;
  return { name, version, numbers: [Number(major), Number(minor), Number(patch)] };
}

/** Versions in an order, as one number each. */
function weigh([major, minor, patch]: Numbers, compare: 'minor' | 'patch'): number {
  return (major * 1e6 + minor) * 1e6 + (compare === 'patch' ? patch : 0);
}
