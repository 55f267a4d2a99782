import type { ShellCommand, ShellWord } from './command.ts';
import { COMPOSE_GLOBAL, ENGINE_GLOBAL, ENGINE_RUN } from './containers.ts';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { SECURE_SHELL } from './remote.ts';

/** What a command has run in a container, in a cluster or on another machine. */
export interface Elsewhere {
  /** How it got there: `docker exec`, `ssh`. */
  readonly road: string;
  /** Program and arguments; none where a shell reads its input. */
  readonly words: readonly ShellWord[];
  /** A shell there gets the words as one text. */
  readonly joined: boolean;
  /** What stands for a place where nothing else is named to run: an image, a package. */
  readonly image: ShellWord | undefined;
  /** It goes on when the command has ended. */
  readonly detached: boolean;
}

/** How a program is told where to run what. */
interface Reach {
  /** What may stand before the verb, and after it. */
  readonly options?: OptionSpec;
  /** One of them comes first, each of one word or more. */
  readonly verbs?: readonly string[];
  /** The first operand is what runs, not where. */
  readonly here?: boolean;
  /** The place is an image that may run something by itself. */
  readonly image?: boolean;
  /** What is run stands after `--`; options may follow the place. */
  readonly dashes?: boolean;
  readonly joined?: boolean;
  /** Options whose value is the code for a shell there. */
  readonly code?: readonly string[];
  /** The option that the program and its arguments come after. */
  readonly after?: readonly string[];
  readonly entry?: string;
  readonly detach?: readonly string[];
}

const DETACH = ['-d', '--detach'];
const ENGINE_VERBS: Readonly<Record<string, Reach>> = {
  run: { options: ENGINE_RUN, image: true, entry: '--entrypoint', detach: DETACH },
  exec: {
    options: { values: ['-e', '--env', '--env-file', '-u', '--user', '-w', '--workdir', '--detach-keys', '--index'] },
    detach: DETACH,
  },
};

const CLUSTER: Reach = {
  verbs: ['exec', 'run', 'debug', 'rsh'],
  options: {
    values: [
      ...['-n', '--namespace', '--context', '--cluster', '--user', '--kubeconfig', '-s', '--server', '--as', '--token'],
      ...'-c --container --pod-running-timeout --image --overrides --restart -l --labels --env'.split(' '),
    ],
  },
  dashes: true,
};
const SYSTEM: Reach = { verbs: ['exec'], options: { values: ['--env', '--cwd', '--user', '--group', '--mode'] } };
const APPTAINER: Reach = {
  verbs: ['exec', 'run'],
  options: {
    values: ['-B', '--bind', '--env', '--env-file', '-H', '--home', '--pwd', '--cwd', '-W', '-o', '--overlay'],
  },
  image: true,
};

const REACHES: ReadonlyMap<string, Reach> = new Map<string, Reach>([
  ['kubectl', CLUSTER],
  ['oc', CLUSTER],
  ['k', CLUSTER],
  ['ssh', { options: SECURE_SHELL, joined: true, detach: ['-f'] }],
  ['autossh', { options: { values: [...SECURE_SHELL.values, '-M'] }, joined: true, detach: ['-f'] }],
  ['mosh', { options: { values: ['-p', '--port', '--server'] } }],
  ['tsh', { verbs: ['ssh'], options: { values: ['-l', '--login', '--proxy', '--cluster', '-p'] }, joined: true }],
  ['vagrant', { verbs: ['ssh'], code: ['-c', '--command'] }],
  [
    'gcloud',
    { verbs: ['compute ssh'], options: { values: ['--zone', '--project'] }, code: ['--command'], dashes: true },
  ],
  ['fly', { verbs: ['ssh console'], options: { values: ['-a', '--app'] }, code: ['-C', '--command'] }],
  ['flyctl', { verbs: ['ssh console'], options: { values: ['-a', '--app'] }, code: ['-C', '--command'] }],
  ['heroku', { verbs: ['run'], options: { values: ['-a', '--app', '-s', '--size'] }, here: true, joined: true }],
  ['lima', { here: true }],
  ['limactl', { verbs: ['shell'], options: { values: ['--workdir', '--shell'] } }],
  ['colima', { verbs: ['ssh'], here: true }],
  ['multipass', SYSTEM],
  ['lxc', SYSTEM],
  ['incus', SYSTEM],
  ['pct', SYSTEM],
  ['machinectl', { verbs: ['shell'], options: { values: ['--uid', '-M', '--machine'] } }],
  ['distrobox', { verbs: ['enter'], options: { values: ['-n', '--name'] }, dashes: true }],
  ['distrobox-enter', { options: { values: ['-n', '--name'] }, dashes: true }],
  ['toolbox', { verbs: ['run'], options: { values: ['-c', '--container', '-d', '--distro', '-r'] }, here: true }],
  ['devcontainer', { verbs: ['exec'], options: { values: ['--workspace-folder', '--container-id'] }, here: true }],
  ['ddev', { verbs: ['exec'], options: { values: ['-s', '--service', '-d', '--dir'] }, here: true, joined: true }],
  ['apptainer', APPTAINER],
  ['singularity', APPTAINER],
  ['schroot', { options: { values: ['-c', '--chroot', '-u', '--user', '-d'] }, here: true }],
  ['nix', { verbs: ['run', 'shell', 'develop'], image: true, dashes: true, after: ['-c', '--command'] }],
  ['flatpak', { verbs: ['run'], options: { values: ['--branch', '--arch'] }, image: true, entry: '--command' }],
]);

const ENGINES: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'finch']);
const COMPOSERS: ReadonlySet<string> = new Set(['docker-compose', 'podman-compose']);
export const REACHING: readonly string[] = [...REACHES.keys(), ...ENGINES, ...COMPOSERS];

/** What the command hands to a container, a cluster or another machine; undefined when it is none that does. */
export function handedOn({ program, words }: Pick<ShellCommand, 'program' | 'words'>): Elsewhere | undefined {
  const rest = words.slice(1);
  if (ENGINES.has(program) || COMPOSERS.has(program)) return byEngine(program, rest, COMPOSERS.has(program));
  const reach = REACHES.get(program);
  if (!reach) return undefined;
  if (!reach.verbs) return readReach(program, rest, reach);
  const { operands } = readOptions(rest, { ...reach.options, stopAtOperand: true });
  const verb = reach.verbs.find((one) => one.split(' ').every((word, at) => operands[at]?.value === word));
  return verb === undefined
    ? undefined
    : readReach(`${program} ${verb}`, operands.slice(verb.split(' ').length), reach);
}

/** `docker [options] [container|compose [options]] run|exec …`. */
function byEngine(program: string, words: readonly ShellWord[], composed: boolean): Elsewhere | undefined {
  const [verb, ...rest] = readOptions(words, composed ? COMPOSE_GLOBAL : ENGINE_GLOBAL).operands;
  if (!composed && verb?.value === 'compose') return byEngine(program, rest, true);
  if (!composed && verb?.value === 'container') return byEngine(program, rest, false);
  const reach = verb && Object.hasOwn(ENGINE_VERBS, verb.value) ? ENGINE_VERBS[verb.value] : undefined;
  return verb && reach && readReach(`${program} ${verb.value}`, rest, composed ? { ...reach, image: false } : reach);
}

function readReach(road: string, words: readonly ShellWord[], reach: Reach): Elsewhere | undefined {
  const { code = [], after = [], entry, detach = [] } = reach;
  const values = [...(reach.options?.values ?? []), ...code, ...(entry === undefined ? [] : [entry])];
  const end = words.findIndex(({ value }) => after.includes(value));
  if (end >= 0) return found(road, words.slice(end + 1), reach);
  const spec = { ...reach.options, values, stopAtOperand: true };
  const options = readOptions(words, spec);
  const [place, ...rest] = options.operands;
  const detached = options.has(...detach);
  const anywhere = code.length > 0 ? readOptions(words, { ...reach.options, values }) : undefined;
  const given = anywhere?.values(...code).at(-1);
  if (given) return found(road, [given], { ...reach, joined: true }, detached);
  if (reach.here === true || (reach.dashes === true && options.afterDashes.length > 0))
    return found(road, options.operands, reach, detached);
  if (!place) return undefined;
  // ssh takes options behind the host too.
  const behind = reach.joined === true ? readOptions(rest, spec).operands : rest;
  const dashes = behind.findIndex(({ value }) => value === '--');
  const named = dashes === 0 || (reach.dashes === true && dashes > 0) ? behind.slice(dashes + 1) : behind;
  const [own] = entry === undefined ? [] : options.values(entry);
  const image = reach.image === true && !own ? place : undefined;
  return { ...found(road, own ? [own, ...named] : named, reach, detached), image };
}

function found(road: string, words: readonly ShellWord[], { joined = false }: Reach, detached = false): Elsewhere {
  return { road, words, joined, image: undefined, detached };
}
