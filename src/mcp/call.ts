import type { Progress } from '../graph/index.ts';
import type { Arguments } from './arguments.ts';
import type { ToolRoot } from './find-root.ts';
import type { McpWorld, Projects } from './projects.ts';

/** One call of a tool, with all that its answer may need. */
export interface Call {
  readonly given: Arguments;
  readonly root: ToolRoot;
  readonly world: McpWorld;
  readonly projects: Projects;
  readonly maxChars: number;
  /** For the whole of it. */
  readonly waitMs: number;
  /** What is left of that. */
  leftMs(): number;
  onProgress(progress: Progress): void;
}

export type Action = (call: Call) => Promise<string>;
