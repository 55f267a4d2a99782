import type { AgentEvent } from '../../adapters/adapter.ts';
import { DISABLED } from '../../adapters/forwarded.ts';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { OwnEntry } from '../../adapters/installer.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { canaryEnd, canaryKind } from '../../engine/session/canary.ts';
import { STAMP } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { contains, dirname, isAbsolute, resolve } from '../../platform/paths.ts';
import { isSwitchedOff } from '../../state/switch.ts';
import { launchDir } from '../../transport/launch-place.ts';
import { isNewer } from '../../transport/newer-build.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import type { CliWorld } from '../command.ts';
import { refusalOf } from '../install/inspect.ts';
import type { Wiring } from '../install/inspect.ts';
import { ownLauncher, PROGRAM } from '../install/launcher.ts';
import { homeOf } from '../install/plan.ts';
import { shown } from '../known-rules.ts';
import type { Called } from './call-entry.ts';

/** `none`: the event has no way to tell anybody anything. */
type Delivered = 'whole' | 'cut' | 'dropped' | 'none';

/** What became of one canary. */
export interface Proved {
  readonly agent: string;
  /** As the agent calls it. */
  readonly event: string;
  readonly file: string;
  /** `agent`: its own program called the entry. */
  readonly by: 'command' | 'http' | 'agent';
  /** The event reached the engine. */
  readonly fired: boolean;
  readonly delivered: Delivered;
  readonly ms: number;
  /** What stood in the way. */
  readonly cause?: string;
}

/** A canary that was sent, or why it was not. */
export interface Sent {
  readonly wiring: Wiring;
  readonly entry: OwnEntry;
  readonly event: AgentEvent;
  readonly session: string;
  readonly called?: Called;
  readonly cause?: string;
  readonly ms: number;
}

/** What keeps the agent from calling an entry, or us from calling it in its place. */
export function whyNotCalled(
  wiring: Wiring,
  entry: OwnEntry,
  all: readonly Wiring[],
  world: CliWorld,
): string | undefined {
  const { agent, scope, valid, problems } = wiring;
  const broken = problems.find(({ path, disables }) => disables === 'file' || entry.path.startsWith(path));
  if (broken)
    return `the agent ignores ${valid ? 'this entry' : 'the whole file'}: ${`${broken.path} ${broken.message}`.trim()}`;
  for (const file of scope === 'policy' ? [] : all.filter((each) => each.agent === agent && each.valid))
    for (const name of file.switches)
      if (!name.startsWith('env.')) return `${name} in ${shown(world, file.path)} keeps hooks from running`;
  const never = entry.narrowed?.find(({ lets }) => lets?.length === 0);
  if (never) return `its ${never.setting} ${JSON.stringify(never.value)} fits nothing, so the agent never calls it`;
  if (entry.http) {
    const setting = refusalOf(entry.http.url, agent, all);
    const proxy = INSTALLERS.find((each) => each.agent === agent)?.posting?.proxyInTheWay(world.env);
    if (setting !== undefined) return `${setting} in the agent's settings does not allow ${entry.http.url}`;
    return proxy === undefined ? undefined : `${proxy} sends it to a proxy, and NO_PROXY does not name 127.0.0.1`;
  }
  const { config, state } = homeOf(wordsOf(entry), world);
  if (config !== world.paths.config || state !== world.paths.state)
    return `it uses another home than this command: settings in ${config}, state in ${state}`;
  return isOursToStart(wiring, entry, world)
    ? undefined
    : `not tried: \`${entry.words.join(' ')}\` starts a program that is not known to be Fairlead's`;
}

const SHELL = '/bin/sh';
/** Characters that mean nothing to a shell. */
const PLAIN = /^[\w ./:=+,@%-]+$/;

/** Whoever wrote the project wrote these files too, unless they are looked at. */
function isOfProject({ scope }: Pick<Wiring, 'scope'>): boolean {
  return scope === 'project' || scope === 'local';
}

/** True of a file of the project for which the agent would start a program that is not ours. */
export function startsOthers(wiring: Wiring, world: CliWorld): boolean {
  const isStrange = (entry: OwnEntry): boolean => entry.http === undefined && !isOursToStart(wiring, entry, world);
  return isOfProject(wiring) && (wiring.foreign > 0 || wiring.own.some(isStrange));
}

/** A line for a shell is taken apart where it means nothing more than its words. */
function wordsOf({ words }: Pick<OwnEntry, 'words'>): readonly string[] {
  const [line = '', ...others] = words;
  return others.length === 0 && PLAIN.test(line) ? line.trim().split(/ +/) : words;
}

/** A project may name any program in its files. What it names is only started when it is ours. */
function isOursToStart(wiring: Wiring, entry: OwnEntry, { paths }: CliWorld): boolean {
  return !isOfProject(wiring) || startsOurs(wordsOf(entry), paths);
}

/** Whether all that words of an entry start is of this installation. */
export function startsOurs(words: readonly string[], paths: CliWorld['paths']): boolean {
  const own = [launchDir(paths.state), dirname(dirname(ownLauncher(nodeFiles)))];
  // A path with dots in it may begin as ours does and lead elsewhere.
  const isOwn = (path = '') => isAbsolute(path) && resolve(path) === path && own.some((dir) => contains(dir, path));
  // Where there is no native client, a shell or Node runs what is ours.
  const isRunner = (word = '') => word === SHELL || word === process.execPath;
  // The client starts in turn what these options name, when no engine answers it.
  const verb = Math.max(0, words.indexOf('hook'));
  const options = words.slice(verb + 1);
  for (const [at, word] of options.entries()) {
    if (word === '--node' && !isRunner(options[at + 1])) return false;
    if (word === '--launcher' && !isOwn(options[at + 1])) return false;
  }
  const started = words.slice(0, verb);
  const program = started.at(-1);
  const runs = started.slice(0, -1);
  if (program === PROGRAM) return runs.length === 0;
  return runs.length <= 1 && runs.every(isRunner) && isOwn(program);
}

/** The loader, the shell and Node obey variables too: of a project's only ours are taken. */
const OWN_VARIABLE = /^FAIRLEAD_/;

/** What the agent's settings put into the environment of hooks; the strongest file is last. */
export function environmentIn(agent: string, all: readonly Wiring[]): Readonly<Record<string, string>> {
  const order = ['user', 'project', 'local', 'policy'];
  const files = all.filter((file) => file.agent === agent && file.valid);
  const sorted = files.toSorted((a, b) => order.indexOf(a.scope) - order.indexOf(b.scope));
  const taken = sorted.flatMap((file) =>
    Object.entries(file.env).filter(([name]) => !isOfProject(file) || OWN_VARIABLE.test(name)),
  );
  return Object.fromEntries(taken);
}

interface Seen {
  /** In the text of every canary of this run. */
  readonly mark: string;
  /** Session and event. */
  readonly written: ReadonlySet<string>;
  readonly status: DaemonStatus | undefined;
  readonly all: readonly Wiring[];
  /** What the settings let rules say on one event. */
  readonly longest: number;
}

export function judge(sent: Sent, seen: Seen, world: CliWorld): Proved {
  const { wiring, entry, event, session, called, ms } = sent;
  const adapter = adapterNamed(wiring.agent);
  const carries = adapter !== undefined && canaryKind(event.canonical, adapter) !== undefined;
  const told = {
    agent: wiring.agent,
    event: event.name,
    file: wiring.path,
    by: entry.http ? 'http' : 'command',
    ms,
  } as const;
  const narrowed = entry.narrowed?.find(({ lets }) => lets?.length !== 0);
  const only =
    narrowed &&
    `its ${narrowed.setting} ${JSON.stringify(narrowed.value)} ${narrowed.isUnheard ? 'lets the agent go on without the answer' : 'keeps others of its events away'}`;
  if (called?.problem === undefined && called?.output.includes(seen.mark)) {
    const isWhole = called.output.includes(canaryEnd(event.canonical));
    const cause = isWhole
      ? only
      : `the text is longer than attention.event in the settings allows: ${seen.longest} characters`;
    return { ...told, fired: true, delivered: isWhole ? 'whole' : 'cut', ...(cause !== undefined && { cause }) };
  }
  const fired = called !== undefined && seen.written.has(`${session} ${event.canonical}`);
  if (fired && !carries) return { ...told, fired, delivered: 'none', ...(only !== undefined && { cause: only }) };
  const cause = sent.cause ?? called?.problem ?? whySilent(wiring, called?.output ?? '', fired, seen, world);
  return { ...told, fired, delivered: 'dropped', cause };
}

/** The entry ran and gave an answer, but not that of the engine. */
export function whySilent(
  wiring: Wiring,
  output: string,
  fired: boolean,
  { status, all, longest }: Pick<Seen, 'status' | 'all' | 'longest'>,
  world: CliWorld,
): string {
  const inSettings = all.find(({ agent, env }) => agent === wiring.agent && env[DISABLED] === '1');
  if (isSwitchedOff(nodeFiles, world.paths.state, world.engine().clock.now()))
    return 'the engine is switched off: fairlead on';
  if (inSettings) return `env.${DISABLED} in ${shown(world, inSettings.path)} switches hooks off`;
  if (world.env[DISABLED] === '1') return `${DISABLED}=1 in this shell switches hooks off`;
  if (status && status.stamp !== STAMP)
    return `an engine of ${isNewer(STAMP, status.stamp) ? 'an older' : 'another'} build answers, ${status.stamp}: fairlead daemon start`;
  if (fired && longest === 0) return 'attention.event in the settings lets rules say nothing';
  const said = output.trim() === '' ? 'nothing' : output.trim().slice(0, 200);
  return fired ? `the engine left the text out, and said ${said}` : `no engine was reached; the entry said ${said}`;
}
