import { GRAPH_PACK } from '../../event/known-packs.ts';
import { PACKS } from '../../event/packs.generated.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { requireProject, targetOf } from '../install/target.ts';
import { acceptingOwn } from '../accepted-settings.ts';
import { changeProject } from '../change-project.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { hint } from '../hint.ts';
import { switchedPack } from '../install/packs.ts';
import { fittingPacks } from '../install/fitting-packs.ts';
import { rewire } from '../install/rewire.ts';
import { knownRules, shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { printableLine, printTable } from '../table.ts';
import { editConfigFile, projectConfigPath, userConfigPath } from '../user-config.ts';

const NAMES = Object.keys(PACKS);
const OPTIONS = { user: { type: 'boolean', help: 'in every project, in your own settings' }, ...JSON_OPTION } as const;
const DETAILS = `Changes .fairlead/config.yaml of this project, or your own config.yaml with --user, and nothing else in it. What you change in a project that
is trusted stays trusted.`;

interface PackState {
  readonly pack: string;
  readonly on: boolean;
  /** Where that is said: in the project's settings, the person's, or nowhere. */
  readonly by: 'project' | 'user' | 'default';
  readonly rules: { readonly on: number; readonly all: number };
  readonly about: string;
  /** What the project has for it. */
  readonly fits?: string;
  /** It is on and has nothing to do here, because the project has no such file or directory. */
  readonly waitsFor?: string;
}

export const list: Command = {
  summary: 'every pack: whether it is on here, and what it does',
  options: JSON_OPTION,
  async run(input, world) {
    const known = await knownRules(world);
    const fits = new Map((await fittingPacks(known.root, world)).map(({ pack, found }) => [pack, found]));
    const packs = NAMES.map((pack) => stateOf(pack, known, fits.get(pack)));
    if (input.has('json')) return printJson(world, { root: known.root, packs });
    printTable(
      world,
      [
        { title: 'PACK' },
        { title: '' },
        { title: 'RULES', align: 'right', leaves: 1 },
        { title: 'WHAT IT DOES', shrinksTo: 30 },
      ],
      packs.map(({ pack, on, by, rules, about, waitsFor }) => [
        pack,
        waitsFor === undefined
          ? { text: `${on ? 'on' : 'off'}${BY[by]}`, ...(on ? { style: 'green' as const } : {}) }
          : `on${BY[by]}, waits for ${waitsFor}`,
        `${rules.on}/${rules.all}`,
        about,
      ]),
    );
    for (const { pack, on, fits: found } of packs)
      if (!on && found !== undefined) world.out(`\n${printableLine(found)}: \`fairlead packs on ${pack}\`\n`);
    return undefined;
  },
};

const ABOVE = {
  project: "project's config.yaml",
  user: "user's config.yaml",
  default: 'settings of its rules',
} as const;
const BY = { project: ' (project)', user: ' (you)', default: '' } as const;

function stateOf(pack: string, { rules, layers, root }: KnownRules, fits: string | undefined): PackState {
  const own = rules.filter(({ meta }) => meta.pack === pack);
  const active = own.filter(({ mode }) => mode !== 'off');
  const setIn = (layer: 'project' | 'user') => layers[layer].config.packs?.[pack];
  const by =
    (['project', 'user'] as const).find((layer) => setIn(layer)?.enabled !== undefined) ??
    (['project', 'user'] as const).find((layer) => setIn(layer) !== undefined);
  const needed = active.map(({ meta }) => meta.needs?.entry);
  const [entry] = needed;
  const isIdle = entry !== undefined && needed.every((each) => each === entry) && !nodeFiles.exists(join(root, entry));
  const waitsFor = isIdle ? entry : undefined;
  return {
    pack,
    on: active.length > 0,
    by: by ?? 'default',
    rules: { on: active.length, all: own.length },
    about: PACKS[pack]?.about ?? '',
    ...(fits === undefined ? {} : { fits }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
  };
}

const switching = (isOn: boolean): Command => ({
  summary: `switch packs ${isOn ? 'on' : 'off'}, in this project`,
  changesRules: true,
  usage: '<pack…>',
  details: DETAILS,
  args: [1, 100],
  options: OPTIONS,
  check: (input, world) => void targetsOf(input, world),
  run: (input, world) => change(input, world, isOn),
});

export const on = switching(true);
export const off: Command = { ...switching(false), gated: 'it silences a pack' };

interface Targets {
  readonly packs: readonly string[];
  readonly file: string;
  /** The project that it is about; absent with --user. */
  readonly root?: string;
}

function targetsOf(input: Input, world: CliWorld): Targets {
  const packs = [...new Set(input.args)];
  const unknown = packs.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`no pack "${unknown}"${hint(unknown, NAMES) || `; there are ${NAMES.join(', ')}`}`);
  if (input.has('user')) return { packs, file: userConfigPath(world.paths.config) };
  const target = targetOf(undefined, world);
  requireProject(target, '--user');
  return { packs, file: projectConfigPath(target.root), root: target.root };
}

async function change(input: Input, world: CliWorld, isOn: boolean): Promise<number> {
  const { packs, file, root } = targetsOf(input, world);
  const before = await knownRules(world);
  const text = nodeFiles.readText(file) ?? '';
  const edits = packs.flatMap((pack) => switchedPack(text, pack, isOn, file));
  let changed = false;
  const write = () => void (changed = editConfigFile(file, edits, nodeFiles, root === undefined ? 0o700 : 0o755));
  const isTrusted = root === undefined || changeProject(root, 'config.yaml', write, world);
  if (root === undefined) await acceptingOwn(world, write);
  const after = await knownRules(world, before.root);
  const states = packs.map((pack) => stateOf(pack, after, undefined));
  const missed = states.filter(({ on: isNow }) => isNow !== isOn);
  if (input.has('json')) printJson(world, { file, changed, trusted: isTrusted, packs: states });
  else {
    world.out(
      changed
        ? `${shown(world, file)}: ${packs.join(', ')} ${isOn ? 'on' : 'off'}\n`
        : `${shown(world, file)} already says so; nothing was changed.\n`,
    );
    if (!isTrusted && (changed || missed.length > 0))
      world.out('It takes effect once a person has accepted it with `fairlead trust`.\n');
    if (isOn && changed && packs.includes(GRAPH_PACK))
      world.out('`fairlead init` tells the agent of its tools as well. `fairlead log` shows what the agent is told.\n');
  }
  await rewire(before.root, world);
  if (missed.length > 0 && isTrusted)
    throw new CommandError(
      missed.map(({ pack, by }) => `${pack} stays ${isOn ? 'off' : 'on'}, because of the ${ABOVE[by]}`).join('; '),
    );
  return 0;
}

export default {
  order: 105,
  groups: { packs: 'rules that belong together: list, on, off' },
  verbs: { 'packs list': list, 'packs on': on, 'packs off': off },
} satisfies VerbFile;
