import type { Drawing } from './drawing.ts';

export const DEFAULT_SOURCES: readonly string[] = [];

export interface SourceOptions {
  /** Names of tools: in the summary of a details element, or as the label of a fence. */
  readonly sources: readonly string[];
  /** Whether a path, as it stands in the text, names a file of the workspace; asked once per path. */
  exists(path: string): boolean;
}

/** The drawings that have a source in the text. `drawings` are all of the file; the new ones choose first. */
export function sourcedBy(
  _drawings: readonly Drawing[],
  _text: string,
  _options: SourceOptions,
  _isNew: (drawing: Drawing) => boolean,
): ReadonlySet<Drawing> {
  return new Set();
}
