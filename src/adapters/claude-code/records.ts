import { dirname, join } from '../../platform/paths.ts';
import type { RecordsLocation, TranscriptLook } from '../adapter.ts';
import { configDir } from './settings.ts';

/** Where the transcripts of a project's sessions lie. What an event told of its own transcript counts first. */
export function transcriptDir(location: RecordsLocation): string {
  if (location.transcript !== undefined) return dirname(location.transcript);
  return join(projectsDir(location), slugOf(location.root));
}

/** Sessions that were started below the root have a place of their own; other projects may look like such a place. */
export function transcriptDirs(location: RecordsLocation, list: (dir: string) => readonly string[]): readonly string[] {
  const slug = slugOf(location.root);
  const dir = projectsDir(location);
  return list(dir)
    .filter((name) => name === slug || name.startsWith(`${slug}-`))
    .map((name) => join(dir, name));
}

/** The session whose transcript has this name; sub-agents' files belong to none. */
export function sessionOfTranscript(name: string): string | undefined {
  if (!name.endsWith('.jsonl') || name.startsWith('agent-')) return undefined;
  return name.slice(0, -'.jsonl'.length) || undefined;
}

export function allTranscripts(
  location: Pick<RecordsLocation, 'home' | 'variable'>,
  { list }: Pick<TranscriptLook, 'list'>,
): readonly string[] {
  const dir = projectsDir({ root: location.home, ...location });
  return list(dir).flatMap((project) =>
    list(join(dir, project))
      .filter((name) => sessionOfTranscript(name) !== undefined)
      .map((name) => join(dir, project, name)),
  );
}

/** Those of its sub-agents lie in a folder that has the session's name. */
export function subagentTranscripts(transcript: string, { list }: Pick<TranscriptLook, 'list'>): readonly string[] {
  if (!transcript.endsWith('.jsonl')) return [];
  const dir = join(transcript.slice(0, -'.jsonl'.length), 'subagents');
  return list(dir)
    .filter((name) => name.startsWith('agent-') && name.endsWith('.jsonl'))
    .map((name) => join(dir, name));
}

export function memoryFile(location: RecordsLocation): string {
  return join(transcriptDir(location), 'memory', 'MEMORY.md');
}

function projectsDir({ root, home, variable }: RecordsLocation): string {
  const env = { CLAUDE_CONFIG_DIR: variable('CLAUDE_CONFIG_DIR') };
  return join(configDir({ root, home, env }), 'projects');
}

/** The client names a project's place by its path. */
function slugOf(root: string): string {
  return root.replace(/[^A-Za-z0-9]/g, '-');
}
