import type { AgentProgram } from '../event/agent-program.ts';
import type { AgentSetup } from '../event/agent-setup.ts';
import type { SettingsWords } from '../event/effect.ts';
import type { Event, EventName, HookCall, ToolKind } from '../event/event.ts';
import type { SentDecision, ToldEvent, TranscriptLine, TranscriptRecord, UsageRecord } from '../event/transcript.ts';
import type { Decision, VerdictKind } from '../event/verdict.ts';
import type { Files } from '../platform/files.ts';
import type { HookRunner } from './adopting.ts';

/** What the engine writes back to the agent, byte for byte. An empty `stdout` is the neutral reply. */
export interface Reply {
  readonly stdout: string;
  /** 1: a failure, which the agent takes as its entry says. */
  readonly exitCode: 0 | 1;
  /** For who finds out that the agent never got it. */
  unheard?(): void;
}

export const EMPTY_REPLY: Reply = { stdout: '', exitCode: 0 };
export const FAILED_REPLY: Reply = { stdout: '', exitCode: 1 };

/**
 * How an agent takes a verdict on an event:
 * `enforced`: it does what was asked; `denied`: it cannot ask, so what was to be asked about is denied;
 * `advised`: the text arrives, nothing is prevented; `person`: only the person sees it; `none`: there is no channel, so the verdict is reported by doctor and not sent.
 */
export type Reach = 'enforced' | 'denied' | 'advised' | 'person' | 'none';

/** What is saved first passes or is changed: no agent knows of the copy. */
export type Capabilities = Readonly<Record<Exclude<VerdictKind, 'pass' | 'save'>, Reach>>;

/**
 * Over which transport a hook entry may be installed: `any`; `command` where the agent takes nothing useful over HTTP;
 * `never` where the mere presence of an entry replaces something the agent does by itself.
 */
export type Wiring = 'any' | 'command' | 'never';

export interface AgentEvent {
  readonly name: string;
  readonly canonical: EventName;
  /** What it is instead where its payload says so. */
  readonly also?: EventName;
  readonly wiring: Wiring;
}

/** All that an event of the agent may be. */
export function comesAs({ canonical, also }: AgentEvent): readonly EventName[] {
  return also === undefined ? [canonical] : [canonical, also];
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The part of a hook call that an agent tells through the environment of the hook's process. */
export type EnvFacts = Pick<HookCall, 'projectDir' | 'sessionId' | 'attended' | 'agentPid'>;

/** What tells where the agent's settings lie. */
export interface SettingsLocation {
  readonly root: string;
  readonly home: string;
  readonly env: Env;
}

/** All that the agent's settings are read with. */
export type SetupFiles = Pick<Files, 'readText'>;

/** What tells where the agent keeps its records of a project. */
export interface RecordsLocation {
  readonly root: string;
  readonly home: string;
  variable(name: string): string | undefined;
  /** A transcript of one of its sessions, where it is known. */
  readonly transcript?: string;
}

/** What an agent tells through the environment of the hooks that it starts. */
export interface AgentEnvironment {
  /** The variables that go to the engine with each event. */
  readonly variables: readonly string[];
  /** The one of them that names the project. */
  readonly projectDir?: string;
  /** The one that names the session. */
  readonly session?: string;
  read(env: Env): EnvFacts;
}

/** What transcripts are found with. */
export interface TranscriptLook {
  list(dir: string): readonly string[];
  /** How a file begins. */
  head(path: string): string;
}

/** All that a line tells, of sub-agents and hooks too; undefined when it is damaged. */
export type ReadRecords = (line: string) => readonly TranscriptRecord[] | undefined;

/** The files in which an agent keeps its sessions, a line for each thing that happened. */
export interface Transcripts {
  /** The session whose transcript has this file name; undefined for other files, and for sub-agents' where the name tells. */
  sessionOf(name: string): string | undefined;
  /** For the lines of one file in their order, from wherever on; `head` tells how the file begins. */
  reader(head: () => string): ReadRecords;
  /** Whether a decision that reaches the agent leaves a trace; where it does not, no trace means nothing. Absent: each does. */
  leavesTrace?(decision: SentDecision): boolean;
  /** The payload of an event that a transcript tells of, as the agent would have sent it. */
  payloadOf(told: ToldEvent): unknown;
  /** The transcripts of all sessions of the person, without those of sub-agents. */
  all(location: Pick<RecordsLocation, 'home' | 'variable'>, look: TranscriptLook): readonly string[];
  /** The transcripts of the sub-agents of the session that has this transcript. */
  subagentsOf(transcript: string, look: TranscriptLook): readonly string[];
}

/** Transcripts by the project that their sessions were about. */
export interface ProjectTranscripts extends Pick<Transcripts, 'sessionOf'> {
  /** Where those of a project's sessions lie. */
  dir(location: RecordsLocation): string;
  /** Every place that may hold transcripts of sessions started in the root or below it. */
  dirs(location: RecordsLocation, list: (dir: string) => readonly string[]): readonly string[];
  /** What one line tells; undefined when nothing of it concerns the main agent's session. */
  readLine(line: string): TranscriptLine | undefined;
  /** How many prompts of a person these lines hold. */
  promptsIn(lines: string): number;
  /** The newest usage record in whole lines. */
  usageIn(lines: string): UsageRecord | undefined;
}

/** What an agent tells the program that draws its status line. */
export interface StatusInput {
  readonly session?: string;
  readonly projectDir?: string;
  readonly cwd?: string;
  /** How full the context is. */
  readonly contextPercent?: number;
  /** How many tokens it holds. */
  readonly contextWindow?: number;
}

/** How an agent's words to its status line are read; apart from the adapter, because no hook needs it. */
export interface StatusLine {
  readonly agent: string;
  /** Every field may be missing or of another kind. */
  readStatus(payload: unknown): StatusInput;
}

/**
 * Translates one agent's payloads and replies. Everything here is pure, but for the files it is given to read, and never
 * throws. What an agent may lack is optional: the engine does without, and doctor says what that means.
 */
export interface Adapter {
  readonly name: string;
  readonly events: readonly AgentEvent[];
  /** What the agent calls its tools, by what they do. */
  readonly toolKinds: Readonly<Record<string, ToolKind>>;
  parse(call: HookCall): Event;
  /** Of a `save` it shows what stands beside it: the copy is made by then, and the call runs. */
  render(decision: Decision, event: Event): Reply;
  capabilities(event: EventName): Capabilities;
  /** The event with another input of its call, as if the agent had sent that; absent where no input can be changed. */
  withInput?(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event;
  /** How a process of the agent is told from a person's. */
  readonly process: {
    /** As a process list names it. */
    readonly names: readonly string[];
    /** Variables that only the agent's own child processes carry, so that a person's shell is never taken for one. */
    readonly variables: readonly string[];
  };
  readonly program: AgentProgram;
  readonly settings: {
    /** Globs of the files that decide how the agent and its hooks behave; absolute, or starting with `~/` or `**`. */
    readonly files: readonly string[];
    /** Globs, of the same form, of the files that the agent runs by itself, or that name what it runs. */
    readonly code: readonly string[];
    readonly words: SettingsWords;
  };

  /** It tells where a session works when that starts, and later where its own program was started. */
  readonly tellsDirAtStart?: true;
  readonly environment?: AgentEnvironment;
  /** Whether a payload is this agent's and not that of another with events of the same names. */
  marks?(payload: unknown): boolean;
  /** Makes a payload of what the first bytes of a body tell, for bodies too big to parse. */
  peek?(head: string): unknown;
  readonly transcripts?: Transcripts;
  readonly projectTranscripts?: ProjectTranscripts;
  /** Where the agent writes down what it wants to remember of a project. */
  memoryFile?(location: RecordsLocation): string;
  /** What the agent is set up with for the sessions of a project. */
  readSetup?(location: SettingsLocation, files: SetupFiles): AgentSetup;
  /** How it runs hooks; absent where nobody else can run them in its place. */
  readonly hookRunner?: HookRunner;
  /** What a tool's definition carries so that the agent always shows the tool to its model, also among many others. */
  readonly toolMeta?: Readonly<Record<string, unknown>>;
}
