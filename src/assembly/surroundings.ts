import { AGENT_SETTINGS } from '../adapters/registry.ts';
import type { Surroundings } from '../effects/scene.ts';
import type { Event } from '../event/event.ts';
import type { Marks } from '../event/marks.ts';
import { basename, dirname, join } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { isSamePlace } from '../platform/same-place.ts';

type Place = Pick<Surroundings, 'root' | 'home'>;

/** What is looked at on disk; without it only names count. */
export interface Looks {
  realPath(path: string): string;
  readText(path: string, mostBytes: number): string | undefined;
  /** What a script on disk holds, within bounds. */
  script(path: string): string | undefined;
  isDir?(path: string): boolean;
  /** A directory of the program that runs. */
  readonly program: string;
  /** The Nodes that run it and that hooks start. */
  nodes?(): readonly string[];
  /** Which of the files call us, of these and of those that installations have written. */
  wired?(inForce: readonly string[]): readonly string[];
}

/** Tells what the targets of an event's call are held against, for one home of ours. */
export function surroundingsIn(
  { config, state }: Pick<HomePaths, 'config' | 'state'>,
  looks?: Looks,
): (event: Event, place: Place, marks?: Marks) => Surroundings {
  const {
    files: agentSettings,
    code: agentCode,
    words: settingsWords,
    programs: agentPrograms,
    wordsOfFiles,
  } = AGENT_SETTINGS;
  const program = looks && programOf(looks.program);
  const ours = (home: string) => {
    // What belongs to the system is not for an agent to change anyway.
    const nodes = looks?.nodes?.().filter((node) => holds(home, node)) ?? NONE;
    return [config, state, ...nodes];
  };
  const known = new Map<readonly string[], readonly string[]>();
  // A person may keep the directories elsewhere, and have links in their place.
  const withReal = (dirs: readonly string[], home: string): readonly string[] => {
    if (!looks) return [config, state];
    const found = known.get(dirs) ?? [
      ...new Set([...ours(home), ...dirs].flatMap((dir) => [dir, looks.realPath(dir)])),
    ];
    known.set(dirs, found);
    return found;
  };
  return (event, { root, home }, marks) => {
    const cwd = event.tool?.dir ?? event.cwd;
    const isWorkedOn = program && (holds(root, program.root) || holds(program.root, root));
    const ownDirs = withReal(program ? (isWorkedOn ? program.built : program.whole) : NONE, home);
    const given = { cwd, home, root, agentSettings, agentCode, settingsWords, wordsOfFiles, agentPrograms, ownDirs };
    if (!looks) return given;
    const { realPath, readText, script: disk, isDir } = looks;
    return {
      // Not spread: to make an object of this size that way takes microseconds, and each event has one.
      cwd,
      home,
      root,
      agentSettings,
      agentCode,
      settingsWords,
      wordsOfFiles,
      agentPrograms,
      ownDirs,
      realPath,
      readText,
      disk,
      isDir,
      isOwn: (path) => isSamePlace(path, ownDirs, root),
      wired: (inForce) => looks.wired?.(inForce) ?? NONE,
      marks,
    };
  };
}

const NONE: readonly string[] = [];

interface Program {
  readonly root: string;
  readonly built: readonly string[];
  readonly whole: readonly string[];
}

/**
 * What runs: the whole package, with all that it loads, is built from or is built with. Of a clone that is the workspace only
 * what is built and what starts it, since the rest is worked on there.
 */
function programOf(dir: string): Program | undefined {
  if (basename(dir) !== 'dist') return undefined;
  const root = dirname(dir);
  const built = [dir, join(root, 'bin')];
  const whole = [...built, root];
  return { root, built: dir.includes('/node_modules/') ? whole : built, whole };
}

function holds(dir: string, path: string): boolean {
  return path === dir || path.startsWith(dir === '/' ? dir : `${dir}/`);
}
