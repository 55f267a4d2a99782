import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { readBilled } from '../../adopted/bill.ts';
import { readAdopted } from '../../adopted/store.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { contains, basename, join } from '../../platform/paths.ts';
import { carryOutReturn, planReturns } from '../adopt/give-back.ts';
import type { Return } from '../adopt/give-back.ts';
import { findAdoptable, unreadable } from '../adopt/found.ts';
import type { Found } from '../adopt/found.ts';
import { carryOutTaking, changesOf, planTaking } from '../adopt/take.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { canAsk } from '../install/ask-about.ts';
import { CONFIRM_OPTIONS, tellAndAsk } from '../install/confirm.ts';
import { writeScreen } from '../install/found-screen.ts';
import { oneAtATime } from '../install/one-at-a-time.ts';
import { targetOf } from '../install/target.ts';
import { counted, printableLine, printTable } from '../table.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { runHook } from '../../platform/run-hook.ts';
import { adoptingOf } from '../adopt/adopting-of.ts';

/** What a hook takes, in milliseconds: the middle one of its runs. */
interface Measured {
  readonly number: number;
  readonly ms?: number;
  readonly shown: string;
}

const RUNS = 3;
/** Large, and of no use to a hook that looks at one event. */
const NOT_COPIED = new Set(['.git', 'node_modules']);

/** Runs each hook on events as the agent sends them, one after the other, in a copy of the project. */
async function measureHooks(found: readonly Found[], root: string, world: CliWorld): Promise<readonly Measured[]> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-adopt-')));
  const project = join(dir, basename(root));
  try {
    cpSync(root, project, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !NOT_COPIED.has(basename(path)),
    });
    const measured: Measured[] = [];
    for (const each of found) measured.push(await measureOne(each, project, world));
    return measured;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measureOne(
  { number, agent, name, event, hook }: Found,
  project: string,
  world: CliWorld,
): Promise<Measured> {
  const { canaries, wired } = adoptingOf(agent);
  const runner = adapterNamed(agent)?.hookRunner;
  const known = wired.find((each) => each.name === event);
  const place = { session: randomUUID(), cwd: project, transcript: join(project, '.no-transcript') };
  const payload = known && canaries?.payload(known, place);
  if (!hook || !runner || !payload) return { number, shown: 'not measured' };
  const env = { ...world.env, ...canaries?.environment(place) };
  const { argv, limitMs } = runner.start({ name, event, entry: hook.entry }, env);
  const input = new TextEncoder().encode(`${JSON.stringify(payload)}\n`);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { ms } = await runHook(argv, { cwd: project, env, input, limitMs, signal: new AbortController().signal });
    times.push(ms);
  }
  const ms = Math.round(times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0);
  return { number, ms, shown: `${ms} ms` };
}

const WHY_PERSON = 'it changes which hooks of the agent run, and who runs them';

export const adopt: Command = {
  summary: 'run the hooks that you have, and make rules of others',
  changesRules: true,
  usage: '[number|name…]',
  details: `Shows every hook that is in force here: of your settings, the project's, the administrator's and of plugins, and rule files of hookify.
For each it proposes to translate it (a hookify file becomes a rule of the project), to wrap it (it leaves the agent's settings, and the engine
runs it as the agent would), or to leave it, and says why. Nothing runs and nothing is written before you have said yes; with numbers or names
only those are adopted. --undo gives everything back: a file that nobody has changed since gets the bytes it had, in another the hooks come
back and all else stays.
--measure runs the hooks that can be wrapped, each a few times, on events as the agent sends them, in a copy of the project. What they do
outside of it, they do.`,
  args: [0, 100],
  options: {
    undo: {
      type: 'boolean',
      help: 'give back what was adopted from the files of this project and of yours',
      gated: WHY_PERSON,
    },
    measure: {
      type: 'boolean',
      help: 'run the hooks in a copy of the project, and say what they cost',
      gated: 'it runs the commands of hooks',
    },
    'dry-run': CONFIRM_OPTIONS['dry-run'],
    yes: { ...CONFIRM_OPTIONS.yes, gated: WHY_PERSON },
    ...JSON_OPTION,
  },
  run: (input, world) => oneAtATime(input, world, input.has('undo') ? giveBack : take),
};

/** After an installation: a person who can be asked is asked, and sees all of it before anything is written. */
export async function offerAdopting(input: Input, world: CliWorld): Promise<void> {
  if (!canAsk(input, world) || !world.isPerson()) return;
  const count = findAdoptable(undefined, world).filter(({ proposal }) => proposal !== 'leave').length;
  if (count === 0) return;
  const what = count === 1 ? 'One hook or rule of others' : `${count} hooks and rules of others`;
  if (
    await world.ask(`${what} can be adopted: Fairlead runs them, says what they cost, and gives them back. Show them?`)
  )
    await take({ ...input, args: [] }, world);
}

async function take(input: Input, world: CliWorld): Promise<number> {
  const { root } = targetOf(undefined, world);
  const found = findAdoptable(undefined, world);
  const chosen = chosenOf(found, input.args);
  if (input.has('json')) {
    if (input.has('measure') && !input.has('yes'))
      throw new UsageError('--measure runs hooks: with --json it wants --yes');
    const costs = input.has('measure') ? await measureHooks(chosen, root, world) : undefined;
    printJson(world, { found: found.map((each) => plainOf(each, costs)), adopted: adoptedHere(world) });
    return 0;
  }
  for (const file of unreadable(undefined, world)) world.err(`note: ${printableLine(file)}\n`);
  show(found, undefined, world);
  showAdopted(world);
  if (chosen.length === 0) return 0;
  if (input.has('measure')) return measure(found, chosen, root, input, world);
  const taking = planTaking(chosen, input.has('dry-run') || !input.has('yes'), world);
  const changes = changesOf(taking);
  world.out(writeScreen('To be written', changes, aboutChange, root, world));
  const answer = await tellAndAsk(changes, input, world);
  if (answer !== 'yes') return answer;
  // Who can be asked may still be a program.
  if (!world.isPerson()) throw new CommandError(`only a person adopts hooks, because ${WHY_PERSON}`);
  const untrusted = carryOutTaking(taking, root, world);
  const hooks = taking.sets.flatMap(({ set }) => set.hooks);
  if (hooks.length > 0)
    world.out(
      `The engine runs ${counted(hooks.length, 'hook')} from the next session on. \`fairlead stats\` says what each costs.\n`,
    );
  if (taking.rules.length > 0)
    world.out(
      `${counted(taking.rules.length, 'rule')} of hookify ${taking.rules.length === 1 ? 'is' : 'are'} in .fairlead/rules now.\n`,
    );
  if (untrusted.length > 0)
    world.out('  They take effect once a person has accepted the project with `fairlead trust`.\n');
  world.out('  take it back    fairlead adopt --undo\n');
  return 0;
}

async function measure(
  found: readonly Found[],
  chosen: readonly Found[],
  root: string,
  input: Input,
  world: CliWorld,
): Promise<number> {
  const question = `Run ${counted(chosen.length, 'hook')}, three times each, in a copy of this project?`;
  if (!input.has('yes') && !(world.interactive && (await world.ask(question)))) return 1;
  show(found, await measureHooks(chosen, root, world), world);
  return 0;
}

function aboutChange({ before, after }: { readonly before?: string; readonly after?: string }): string {
  if (after === undefined) return 'kept by fairlead, and gone from here';
  return before === undefined ? 'the rule' : 'one entry per event, in the place of the hooks';
}

function chosenOf(found: readonly Found[], words: readonly string[]): readonly Found[] {
  if (words.length === 0) return found.filter(({ proposal }) => proposal !== 'leave');
  return words.map((word) => {
    const one = found.find(({ number, name }) => String(number) === word || name === word);
    if (!one) throw new UsageError(`nothing here is "${word}"; \`fairlead adopt --dry-run\` lists numbers and names`);
    if (one.proposal === 'leave') throw new CommandError(`${one.name} has to be left: ${one.why}`);
    return one;
  });
}

function show(found: readonly Found[], costs: readonly Measured[] | undefined, world: CliWorld): void {
  if (found.length === 0) return world.out('No hooks of others are in force here, and no rules of hookify.\n');
  const costOf = (number: number): string => costs?.find((each) => each.number === number)?.shown ?? '';
  printTable(
    world,
    [
      { title: '#', align: 'right' },
      { title: 'name' },
      { title: 'event' },
      { title: 'matcher', shrinksTo: 8 },
      { title: 'command', shrinksTo: 20, leaves: 1 },
      { title: 'from', shrinksTo: 12 },
      ...(costs ? [{ title: 'cost' }] : []),
      { title: 'proposal' },
    ],
    found.map(({ number, name, event, matcher = '', command, from, proposal }) => [
      ...[number, name, event, matcher, command, from],
      ...(costs ? [costOf(number)] : []),
      proposal,
    ]),
  );
  for (const { number, why } of found) if (why !== undefined) world.out(`  ${number}: ${printableLine(why)}.\n`);
  world.out('\n');
}

function plainOf(found: Found, costs: readonly Measured[] | undefined): object {
  const { number, name, agent, event, matcher, command, from, file, proposal, why, rule } = found;
  const cost = costs?.find((each) => each.number === number);
  const row = { number, name, agent, event, matcher, command, from, file, proposal, why };
  return { ...row, ...(rule && { rule: rule.path }), ...(cost && { cost: cost.ms }) };
}

function adoptedHere(world: CliWorld): readonly object[] {
  const { sets, rules } = readAdopted(nodeFiles, world.paths.state);
  return [
    ...sets.flatMap(({ id, file, hooks }) =>
      hooks.map(({ name, event, matcher }) => ({ name, event, matcher, file, set: id })),
    ),
    ...rules.map(({ name, file, rule }) => ({ name, file, rule })),
  ];
}

const DAY_MS = 86_400_000;

function showAdopted(world: CliWorld): void {
  const { sets, rules } = readAdopted(nodeFiles, world.paths.state);
  const hooks = sets.reduce((sum, set) => sum + set.hooks.length, 0);
  if (hooks + rules.length === 0) return;
  const runs = readBilled(nodeFiles, world.paths.state, Date.now() - DAY_MS).length;
  world.out(
    `Adopted: ${counted(hooks, 'hook')}, run ${counted(runs, 'time')} in the last 24 hours, and ${counted(rules.length, 'rule')}. \`fairlead adopt --undo\` gives them back.\n\n`,
  );
}

async function giveBack(input: Input, world: CliWorld): Promise<number> {
  const { root } = targetOf(undefined, world);
  const returns = planReturns(isSeenFrom(root, world), world);
  const changes = returns.flatMap((each) => each.changes);
  const elsewhere = planReturns((file) => !isSeenFrom(root, world)(file), world);
  for (const file of new Set(elsewhere.flatMap((each) => filesOf(each))))
    world.err(`note: what was adopted from ${file} stays; run this in its project\n`);
  if (returns.length === 0) {
    world.out('Nothing to give back: nothing is adopted from the files of this project or of yours.\n');
    return 0;
  }
  world.out(
    writeScreen(
      'To be written',
      changes,
      ({ after }) => (after === undefined ? 'goes' : 'what was adopted comes back'),
      root,
      world,
    ),
  );
  for (const remark of returns.flatMap(({ remarks }) => remarks)) world.err(`note: ${remark}\n`);
  const answer = await tellAndAsk(changes, input, world);
  if (answer !== 'yes') return answer;
  for (const each of returns) carryOutReturn(each, world);
  const hooks = returns.flatMap(({ sets }) => sets.flatMap((set) => set.hooks));
  world.out(
    `Given back: ${counted(hooks.length, 'hook')} and ${counted(returns.flatMap(({ rules }) => rules).length, 'rule')}.\n`,
  );
  return 0;
}

function filesOf({ sets, rules }: Return): readonly string[] {
  return [...sets, ...rules].map(({ file }) => file);
}

/** Files of this project, and those of the person that lie in no other. */
function isSeenFrom(root: string, world: CliWorld): (file: string) => boolean {
  const place = targetOf(undefined, world);
  const own = INSTALLERS.flatMap((installer) => installer.settingsPath('user', place) ?? []);
  const user = new Set(own.map((path) => canonicalPath(nodeFiles, path)));
  return (file) => contains(root, file) || user.has(file);
}

export default { order: 15, verbs: { adopt } } satisfies VerbFile;
