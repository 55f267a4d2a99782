import type { Effect, EffectKind } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import type { Layout } from '../words/command-line.ts';
import { layoutOf, readCommandLine } from '../words/command-line.ts';
import { GIT_PROGRAMS } from '../git/programs.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';

/** How a program that runs another elsewhere is told where and what. */
interface Reach {
  readonly layout: Layout;
  /** Any of them must come first; without them the first operand is the other machine. */
  readonly verbs?: readonly string[];
  /** Options may follow the place; what is run stands after `--`. */
  readonly dashes?: boolean;
}

const ENGINE: Reach = {
  layout: layoutOf(
    'c context H host config l log-level e env u user w workdir env-file detach-keys name network v volume p publish',
  ),
  verbs: ['exec', 'run'],
};
const COMPOSE: Reach = {
  layout: layoutOf('f file p project-name profile env-file project-directory e env u user w workdir index name'),
  verbs: ['exec', 'run'],
};
const CLUSTER: Reach = {
  layout: layoutOf('n namespace context cluster user kubeconfig s server as token c container pod-running-timeout'),
  verbs: ['exec'],
  dashes: true,
};
const SECURE_SHELL: Reach = { layout: layoutOf('o i p l F J L R D b c e m O Q S W w E B I') };

const SHARED: ReadonlySet<EffectKind> = new Set(['push', 'force-push', 'delete-branch']);

/** Of what git does elsewhere, only that which reaches the repository that all share. */
const readPushes: ReadEffects = (command, scene) =>
  (GIT_PROGRAMS['git']?.({ ...command, dir: undefined }, scene) ?? []).filter(
    ({ kind, how }) => SHARED.has(kind) && (kind !== 'delete-branch' || how?.startsWith('remote') === true),
  );

/** A database or a shared branch that is reached through a container, a cluster or another machine is lost all the same, though files there are not here. */
export function elsewhere(databases: ProgramTable): ProgramTable {
  const table: ProgramTable = { ...databases, git: readPushes };
  const engine = readReach(ENGINE, table);
  const compose = readReach(COMPOSE, table);
  const docker: ReadEffects = (command, scene) => {
    const [first] = readCommandLine(command.words.slice(1), ENGINE.layout).operands;
    if (first?.value !== 'compose') return engine(command, scene);
    return compose({ ...command, words: command.words.slice(command.words.indexOf(first)) }, scene);
  };
  /** `yarn prisma …` and `pnpm prisma …` run what the project has installed. */
  const installed: ReadEffects = (command, scene) => readProgram(command, command.words.slice(1), scene, table);
  const cluster = readReach(CLUSTER, table);
  return {
    docker,
    podman: docker,
    nerdctl: docker,
    'docker-compose': compose,
    'podman-compose': compose,
    kubectl: cluster,
    oc: cluster,
    ssh: readReach(SECURE_SHELL, table),
    yarn: installed,
    pnpm: installed,
  };
}

function readReach({ layout, verbs, dashes = false }: Reach, table: ProgramTable): ReadEffects {
  return (command, scene) => {
    const { operands } = readCommandLine(command.words.slice(1), layout);
    if (verbs && !verbs.includes(operands[0]?.value ?? '')) return [];
    const other = operands[verbs ? 1 : 0];
    if (!other) return [];
    const inner = command.words.slice(command.words.indexOf(other) + 1);
    const words = inner.slice(dashes ? inner.findIndex(({ value }) => value === '--') + 1 : 0);
    const there = {
      ...command,
      road: [...command.road, `${command.program} ${verbs ? (operands[0]?.value ?? '') : ''}`.trim()],
    };
    // ssh hands its words to a shell as one text.
    return verbs ? readProgram(there, words, scene, table) : readText(there, join(words), scene, table);
  };
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash', 'zsh']);

function readProgram(
  command: ShellCommand,
  words: readonly ShellWord[],
  scene: Scene,
  table: ProgramTable,
): readonly Effect[] {
  const first = words[0]?.value ?? '';
  const program = first.slice(first.lastIndexOf('/') + 1).toLowerCase();
  if (SHELLS.has(program)) {
    const code = words.findIndex(({ value }) => /^-\w*c$/.test(value));
    return code < 0 ? [] : readText(command, words[code + 1]?.value ?? '', scene, table);
  }
  return Object.hasOwn(table, program) ? (table[program]?.({ ...command, program, words }, scene) ?? []) : [];
}

function readText(command: ShellCommand, text: string, scene: Scene, table: ProgramTable): readonly Effect[] {
  if (text === '') return [];
  return readShell(text, scene.surroundings).commands.flatMap((inner) =>
    Object.hasOwn(table, inner.program)
      ? (table[inner.program]?.(
          { ...inner, road: command.road, text: command.text, input: inner.input ?? command.input },
          scene,
        ) ?? [])
      : [],
  );
}

function join(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value).join(' ');
}
