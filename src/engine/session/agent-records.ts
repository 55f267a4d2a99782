import { NO_USAGE } from './usage.ts';
import type { Usage, UsageLook } from './usage.ts';

/** The transcript of one session of the main agent. */
export interface TranscriptFile {
  readonly session: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Where the session was started; reads the beginning of the file. */
  startedIn(): string | undefined;
  /** Neither a prompt nor an answer is in it; reads no more than its beginning, and a long one counts as told. */
  isEmpty?(): boolean;
}

/** The agent's memory of a project, which it writes by itself. */
export interface AgentMemory {
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
  readonly mtimeMs: number;
}

/** What the agent itself keeps about a project and its sessions. Nothing is read before it is asked for. */
export interface AgentRecords {
  usage(): Usage;
  transcripts(): Iterable<TranscriptFile>;
  memory(): AgentMemory | undefined;
}

export const NO_RECORDS: AgentRecords = { usage: () => NO_USAGE, transcripts: () => [], memory: () => undefined };

/** What was found in the transcripts of sessions; a resident engine keeps it between events. */
export type UsageLooks = Map<string, UsageLook>;
/** Where the sessions of transcripts were started, by the path of the transcript: it never changes. */
export type StartPlaces = Map<string, string>;
