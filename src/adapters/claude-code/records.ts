import { dirname, join } from '../../platform/paths.ts';
import type { RecordsPlace } from '../adapter.ts';
import { configDir } from './settings.ts';

/** Where the transcripts of a project's sessions lie. What an event told of its own transcript counts first. */
export function transcriptDir(place: RecordsPlace): string {
  if (place.transcript !== undefined) return dirname(place.transcript);
  return join(projectsDir(place), slugOf(place.root));
}

/** Sessions that were started below the root have a place of their own; other projects may look like such a place. */
export function transcriptDirs(place: RecordsPlace, list: (dir: string) => readonly string[]): readonly string[] {
  const slug = slugOf(place.root);
  const dir = projectsDir(place);
  return list(dir)
    .filter((name) => name === slug || name.startsWith(`${slug}-`))
    .map((name) => join(dir, name));
}

/** The session whose transcript has this name; sub-agents' files belong to none. */
export function sessionOfTranscript(name: string): string | undefined {
  if (!name.endsWith('.jsonl') || name.startsWith('agent-')) return undefined;
  return name.slice(0, -'.jsonl'.length) || undefined;
}

export function memoryFile(place: RecordsPlace): string {
  return join(transcriptDir(place), 'memory', 'MEMORY.md');
}

function projectsDir({ root, home, variable }: RecordsPlace): string {
  const env = { CLAUDE_CONFIG_DIR: variable('CLAUDE_CONFIG_DIR') };
  return join(configDir({ root, home, env }), 'projects');
}

/** The client names a project's place by its path. */
function slugOf(root: string): string {
  return root.replace(/[^A-Za-z0-9]/g, '-');
}
