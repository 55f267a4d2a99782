import type { ProjectTranscripts, RecordsLocation } from '../../../adapters/adapter.ts';
import { ADAPTERS } from '../../../adapters/registry.ts';
import { listTranscripts } from '../../../engine/decide/records.ts';
import type { AgentMemory, TranscriptFile } from '../../../engine/session/agent-records.ts';
import type { TranscriptLine } from '../../../event/transcript.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { sha256 } from '../../../platform/hash.ts';
import { readLines } from '../../../platform/read-lines.ts';
import type { CliWorld } from '../../../cli/command.ts';

/** A transcript, and how its agent writes such. */
export interface OwnTranscript extends TranscriptFile {
  lines(): Iterable<TranscriptLine | undefined>;
}

/** Longer ones are pictures and the like. */
const LONGEST_LINE = 16 << 20;
const MAX_MEMORY = 4 << 20;

/** The transcripts of all agents that may be about a project, the latest last. Where each was started tells if it is. */
export function transcriptsOf(root: string, world: CliWorld): readonly OwnTranscript[] {
  const bySession = new Map<string, OwnTranscript>();
  for (const { projectTranscripts: transcripts } of ADAPTERS) {
    if (!transcripts) continue;
    const dirs = transcripts.dirs(recordsLocation(root, world), (dir) => nodeFiles.list(dir));
    for (const file of dirs.flatMap((dir) => [...listTranscripts(dir, transcripts, nodeFiles)])) {
      const known = bySession.get(file.session);
      if (known === undefined || known.size < file.size) bySession.set(file.session, readable(file, transcripts));
    }
  }
  return [...bySession.values()].toSorted((a, b) => a.mtimeMs - b.mtimeMs);
}

/** The memory of the first agent that has one, and where it would be otherwise; no place where no agent keeps any. */
export function memoryOf(root: string, world: CliWorld): { readonly path?: string; readonly memory?: AgentMemory } {
  const location = recordsLocation(root, world);
  const paths = ADAPTERS.flatMap((adapter) => adapter.memoryFile?.(location) ?? []);
  for (const path of paths) {
    const found = nodeFiles.stat(path);
    const text = found?.kind === 'file' ? nodeFiles.readText(path, MAX_MEMORY) : undefined;
    if (found && text !== undefined)
      return { path, memory: { path, text, sha256: sha256(text), mtimeMs: found.mtimeMs } };
  }
  const [path] = paths;
  return path === undefined ? {} : { path };
}

function recordsLocation(root: string, world: CliWorld): RecordsLocation {
  return { root, home: world.userHome, variable: (name) => world.env[name] };
}

function readable(file: TranscriptFile, transcripts: ProjectTranscripts): OwnTranscript {
  return {
    ...file,
    startedIn() {
      const dir = file.startedIn();
      return dir === undefined ? undefined : (nodeFiles.realpath(dir) ?? dir);
    },
    *lines() {
      for (const line of readLines(nodeFiles, file.path, { size: file.size, longest: LONGEST_LINE }))
        yield transcripts.readLine(line);
    },
  };
}
