import type { ShellWord } from './command.ts';
import { readOptions } from './options.ts';
import { runWords } from './run-code.ts';
import type { Draft, Shell } from './state.ts';
import { NONE, addUnclear } from './state.ts';

/** What may stand before the verb. */
export const ENGINE_GLOBAL = {
  values: ['-c', '--context', '-H', '--host', '--config', '-l', '--log-level', '--connection', '--url', '--namespace'],
  stopAtOperand: true,
} as const;

export const COMPOSE_GLOBAL = {
  values: '-f --file -p --project-name --profile --env-file --project-directory --ansi --progress'.split(' '),
  stopAtOperand: true,
} as const;

/** What `run` and `create` take a value for. */
export const ENGINE_RUN = {
  values: [
    ...['-a', '-c', '-e', '-h', '-l', '-m', '-p', '-u', '-v', '-w', '--add-host', '--annotation', '--attach'],
    ...'--cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-shares --cpus --cpuset-cpus'.split(' '),
    ...'--device --dns --entrypoint --env --env-file --expose --gpus --group-add --health-cmd'.split(' '),
    ...['--hostname', '--ip', '--ipc', '--label', '--label-file', '--link', '--log-driver', '--log-opt', '--memory'],
    ...'--memory-swap --mount --name --net --network --network-alias --pid --platform --publish'.split(' '),
    ...['--pull', '--restart', '--runtime', '--security-opt', '--shm-size', '--stop-signal', '--sysctl', '--tmpfs'],
    ...['--ulimit', '--user', '--userns', '--uts', '--volume', '--volumes-from', '--workdir'],
  ],
  stopAtOperand: true,
} as const;

interface Mount {
  readonly source: string;
  readonly target: string;
}

const MAX_MOUNTS = 256;

/** Stands for what a container has of its own, which goes away with it. */
const INSIDE = '/tmp/container';

/** What `docker run -v here:there image command` does to directories of this machine. */
export function launchContainer(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  const [verb, ...given] = verbOf(words.slice(1), draft.program.endsWith('-compose'));
  if (verb?.value !== 'run') return undefined;
  const options = readOptions(given, ENGINE_RUN);
  const mounts = [
    ...options.values('-v', '--volume').map((word) => mountOf(word.value)),
    ...options.values('--mount').map((word) => bindOf(word.value)),
  ].filter((mount) => mount !== undefined);
  if (mounts.length > MAX_MOUNTS) {
    addUnclear(shell.all, 'too-long', draft.text);
    return undefined;
  }
  const [, ...rest] = options.operands;
  const [entry] = options.values('--entrypoint');
  const command = entry ? [entry, ...rest] : rest;
  if (mounts.length === 0 || command.length === 0) return undefined;
  const seen = command.map((word): ShellWord => ({
    ...word,
    value: mapPaths(word.value, mounts),
    text: mapPaths(word.text, mounts),
  }));
  const [program, root] = command;
  if (program && root && /(?:^|\/)chroot$/.test(program.value) && mapPath(root.value, mounts) === '/')
    return runWords(command.slice(2), `${draft.program} run`, draft, shell, {
      input: undefined,
      redirects: NONE,
      dir: '/',
    });
  const dir = options.values('-w', '--workdir').at(-1)?.value;
  const background = shell.background || options.has('-d', '--detach');
  const changes = {
    input: undefined,
    redirects: NONE,
    background,
    dir: dir === undefined ? INSIDE : mapPath(dir, mounts),
  };
  return runWords(seen, `${draft.program} run`, draft, shell, changes);
}

/** The verb and what comes after it, without what comes before. */
function verbOf(words: readonly ShellWord[], composed: boolean): readonly ShellWord[] {
  const { operands } = readOptions(words, composed ? COMPOSE_GLOBAL : ENGINE_GLOBAL);
  if (composed) return operands;
  if (operands[0]?.value === 'compose') return verbOf(operands.slice(1), true);
  return operands[0]?.value === 'container' ? operands.slice(1) : operands;
}

function mountOf(value: string): Mount | undefined {
  const [source = '', target = '', mode = ''] = value.split(':');
  return /^[/.~]/.test(source) && target.startsWith('/') && !mode.split(',').includes('ro')
    ? { source, target }
    : undefined;
}

function bindOf(value: string): Mount | undefined {
  const parts = new Map<string, string>();
  for (const part of value.split(',')) {
    const [name = '', given = ''] = part.split('=', 2);
    parts.set(name, given);
  }
  const source = parts.get('source') ?? parts.get('src');
  const target = parts.get('target') ?? parts.get('dst') ?? parts.get('destination');
  if (
    parts.get('type') !== 'bind' ||
    parts.has('readonly') ||
    parts.has('ro') ||
    source === undefined ||
    target === undefined
  )
    return undefined;
  return { source, target };
}

const PATH = /(?<![\w./~$:}-])[/~][^\s"';|&()<>]*/g;

/** Paths in words and code as they are called on this machine. */
function mapPaths(text: string, mounts: readonly Mount[]): string {
  return text.replace(PATH, (path) => mapPath(path, mounts));
}

function mapPath(path: string, mounts: readonly Mount[]): string {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const inside =
      path === mount.target || path.startsWith(mount.target.endsWith('/') ? mount.target : `${mount.target}/`);
    if (inside && mount.target.length > (best?.target.length ?? 0)) best = mount;
  }
  if (!best) return `${INSIDE}/${path.replace(/^[/~]+/, '')}`;
  const rest = path.slice(best.target.length);
  return best.source === '/' ? rest || '/' : best.source + rest;
}
