import { ADAPTERS } from '../../adapters/registry.ts';
import { lookIn } from '../../adapters/transcript-look.ts';
import type { Files } from '../../platform/files.ts';
import { basename, join, resolve } from '../../platform/paths.ts';
import type { Recorder } from '../../replay/replay.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld } from '../command.ts';

export interface Found {
  readonly recorder: Recorder;
  readonly mains: readonly string[];
}

/** How deep transcripts are looked for below a directory that is named. */
const DEEPEST = 6;

/** The transcripts that the person named, else all of theirs. */
export function findTranscripts(paths: readonly string[], world: CliWorld, files: Files): readonly Found[] {
  const found = recorders().map((recorder): Found => {
    const { transcripts } = recorder;
    const location = { home: world.userHome, variable: (name: string) => world.env[name] };
    const mains =
      paths.length === 0
        ? transcripts.all(location, lookIn(files))
        : [...new Set(paths.flatMap((path) => below(resolve(world.cwd, path), recorder, files, DEEPEST)))];
    return { recorder, mains };
  });
  const there = found.filter(({ mains }) => mains.length > 0);
  if (there.length > 0) return there;
  if (paths.length > 0) throw new UsageError(`no transcript of an agent at ${paths.join(', ')}`);
  throw new CommandError(
    'no transcript of an agent was found in your home directory; `fairlead replay PATH` reads one from elsewhere',
  );
}

/** Whether the agents have kept any session of the person. */
export function hasTranscripts(world: CliWorld, files: Files): boolean {
  const location = { home: world.userHome, variable: (name: string) => world.env[name] };
  return recorders().some(({ transcripts }) => transcripts.all(location, lookIn(files)).length > 0);
}

function recorders(): readonly Recorder[] {
  return ADAPTERS.flatMap((adapter): Recorder[] => {
    const { transcripts } = adapter;
    return transcripts ? [{ adapter, transcripts }] : [];
  });
}

/** A link that somebody names is followed, one that lies below is not. */
function below(path: string, recorder: Recorder, files: Files, depth: number): readonly string[] {
  const kind = (depth === DEEPEST ? files.stat(path) : files.lstat(path))?.kind;
  if (kind === 'file') return recorder.transcripts.sessionOf(basename(path)) === undefined ? [] : [path];
  if (kind !== 'dir' || depth === 0) return [];
  return files.list(path).flatMap((name) => below(join(path, name), recorder, files, depth - 1));
}
