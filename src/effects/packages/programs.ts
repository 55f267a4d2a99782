import type { ShellWord } from '../../shell/command.ts';
import { layoutOf, readCommandLine } from '../words/command-line.ts';
import { PUBLISHERS } from './publishers.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { readVerbs } from '../words/verbs.ts';

const PUBLISH_PROGRAMS: ProgramTable = Object.fromEntries(
  Object.entries(PUBLISHERS).flatMap(([names, table]) => {
    const read = readVerbs({ kind: 'publish', target: 'this package', ...table });
    return names.split('|').map((name) => [name, read]);
  }),
);

/** `npm --prefix x publish`, `yarn workspace x npm publish`, `cargo +nightly publish`: what stands before the verb is taken off. */
function behind(skip: (words: readonly ShellWord[]) => number, read: ReadEffects): ReadEffects {
  return (command, scene) => {
    const count = skip(command.words);
    return read(
      count === 0 ? command : { ...command, words: [command.words[0] as ShellWord, ...command.words.slice(1 + count)] },
      scene,
    );
  };
}

const yarn = behind(({ 1: first, 2: second }) => {
  if (first?.value === 'workspace') return 2;
  return first?.value === 'workspaces' && second?.value === 'foreach' ? 2 : 0;
}, PUBLISH_PROGRAMS['yarn'] as ReadEffects);
const cargo = behind(({ 1: first }) => (first?.value[0] === '+' ? 1 : 0), PUBLISH_PROGRAMS['cargo'] as ReadEffects);

const PIP = layoutOf('r requirement c constraint e editable i index-url extra-index-url cache-dir log proxy python p');
/** Options that send what is installed elsewhere than into the system's own Python. */
const ELSEWHERE: readonly string[] = ['t', 'target', 'prefix', 'root', 'dry-run', 'help', 'h', 'python', 'p'];
const AS_ROOT: ReadonlySet<string> = new Set(['sudo', 'doas', 'pkexec', 'run0']);

const pip: ReadEffects = (command, scene) => {
  const { operands, options } = readCommandLine(command.words.slice(1), PIP);
  if (operands[0]?.value.toLowerCase() !== 'install' || ELSEWHERE.some((name) => options.has(name))) return [];
  const broken =
    options.has('break-system-packages') ||
    command.assigns.some(({ name, value }) => name === 'PIP_BREAK_SYSTEM_PACKAGES' && isOn(value.value));
  const asRoot = command.wrappers.some((name) => AS_ROOT.has(name)) && !inEnvironment(command.words[0]?.value ?? '');
  if (!broken && !asRoot) return [];
  return [
    scene.effect(command, {
      kind: 'write',
      how: 'system-packages',
      target: "the system's Python packages",
      scope: 'system',
    }),
  ];
};

function isOn(value: string): boolean {
  return value === '1' || value === 'true';
}

/** The program of a virtual environment installs into that environment, whoever calls it. */
function inEnvironment(program: string): boolean {
  return program.includes('venv/') || program.includes('/envs/');
}

/** `uv pip install --system …` and `python -m pip install …`. */
const uvPip: ReadEffects = (command, scene) =>
  command.words[1]?.value === 'pip' ? pip({ ...command, words: command.words.slice(1) }, scene) : [];

const pythonModule: ReadEffects = (command, scene) => {
  const at = command.words.findIndex(({ value }) => value === '-m');
  const module = command.words[at + 1]?.value.toLowerCase();
  if (at < 1 || module === undefined) return [];
  const words = [command.words[0] as ShellWord, ...command.words.slice(at + 2)];
  if (module === 'pip') return pip({ ...command, words }, scene);
  return PUBLISH_PROGRAMS[module]?.({ ...command, words }, scene) ?? [];
};

/** Programs whose whole purpose is a release. */
const release: ReadEffects = (command, scene) => {
  const { options } = readCommandLine(command.words.slice(1), NO_VALUES);
  const idle = ['help', 'h', 'version', 'v', 'dry-run', 'd', 'preview'].some((name) => options.has(name));
  return idle ? [] : [scene.effect(command, { kind: 'publish', how: 'release', target: 'this package' })];
};
const NO_VALUES = layoutOf('');

const GRADLE = layoutOf('p project-dir b c I x exclude-task g');
const GRADLE_LOCAL = /local/i;

/** Tasks may be named by their project and by what they publish: `:lib:publishAllPublicationsToCentralRepository`. */
const gradle: ReadEffects = (command, scene) => {
  const { operands, options } = readCommandLine(command.words.slice(1), GRADLE);
  if (options.has('dry-run') || options.has('m') || options.has('help')) return [];
  return operands.flatMap(({ value }) => {
    const task = value.slice(value.lastIndexOf(':') + 1);
    if (!task.startsWith('publish') || GRADLE_LOCAL.test(task)) return [];
    return [scene.effect(command, { kind: 'publish', how: 'package', target: value })];
  });
};

const uvPublish = PUBLISH_PROGRAMS['uv'] as ReadEffects;

export const PACKAGE_PROGRAMS: ProgramTable = {
  ...PUBLISH_PROGRAMS,
  yarn,
  cargo,
  pip,
  uv: (command, scene) => [...uvPublish(command, scene), ...uvPip(command, scene)],
  python: pythonModule,
  pypy: pythonModule,
  gradle,
  gradlew: gradle,
  'semantic-release': release,
  'release-it': release,
  np: release,
};
