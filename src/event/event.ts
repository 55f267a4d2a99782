/** Canonical events: what happened, in words that belong to no agent. */
export const EVENT_NAMES = [
  'session.start',
  'session.end',
  'session.setup',
  'prompt.submit',
  'prompt.expand',
  'tool.before',
  'tool.after',
  'tool.failed',
  'tool.batch',
  'permission.request',
  'permission.denied',
  'turn.stop',
  'turn.failed',
  'subagent.start',
  'subagent.stop',
  'teammate.idle',
  'task.created',
  'task.completed',
  'compact.before',
  'compact.after',
  'model.before',
  'model.after',
  'notification',
  'elicitation',
  'elicitation.result',
  'config.changed',
  'instructions.loaded',
  'worktree.create',
  'worktree.remove',
  'cwd.changed',
  'file.changed',
  'directory.added',
  'message.display',
  'unknown',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** What a tool does; the agent's own name for it stays in `ToolCall.name`. */
export const TOOL_KINDS = [
  'shell',
  'read',
  'write',
  'edit',
  'search',
  'glob',
  'list',
  'agent',
  'skill',
  'plan',
  'fetch',
  'web',
  'mcp',
  'other',
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** `delete` takes a part of the file, `remove` the file itself. */
export type EditOperation = 'write' | 'replace' | 'insert' | 'delete' | 'remove';

export interface Edit {
  /** Absolute where the payload allowed it. */
  readonly path: string;
  readonly operation: EditOperation;
  readonly old?: string;
  readonly new?: string;
  /** Of a `remove`: where the file is afterwards. */
  readonly movedTo?: string;
  /** Every place that holds `old` is replaced, not the first alone. */
  readonly all?: true;
  /** The part of a notebook that is edited; its kind is what the payload says of it. */
  readonly cell?: { readonly id?: string; readonly kind?: string };
}

export interface ToolCall {
  readonly kind: ToolKind;
  readonly name: string;
  /** Joins the events of one call; absent on events that do not carry it. */
  readonly id?: string;
  /** The agent's own arguments, untouched; an empty object when the payload had none. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly hasInput: boolean;
  readonly command?: string;
  /** Where the command runs, if not where the session is. */
  readonly dir?: string;
  /** Why what the call is about cannot be told: its command is no text, its file has no name. */
  readonly unread?: string;
  /** Files the call reads or writes, or the place it searches; absolute. */
  readonly paths: readonly string[];
  readonly edits: readonly Edit[];
  readonly lines?: { readonly first?: number; readonly count?: number };
  readonly query?: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly output?: unknown;
  /** What the tool printed or returned, as text, when the payload has it in a known shape. */
  readonly outputText?: string;
  readonly failed?: boolean;
  /** The call was answered while what it started still runs. */
  readonly background?: true;
  readonly error?: string;
  readonly durationMs?: number;
}

/** Who wrote a prompt: only `human` opens a turn. */
export type PromptOrigin = 'human' | 'notification' | 'system';

export interface Prompt {
  readonly text: string;
  readonly origin: PromptOrigin;
  readonly id?: string;
  /** For `prompt.expand`: the command that expands. */
  readonly command?: string;
}

export interface BackgroundTask {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly description: string;
}

export interface Event {
  readonly name: EventName;
  /** The adapter's name; the engine passes it through and never compares it. */
  readonly agent: string;
  /** The agent's own name of the event, for the record. */
  readonly agentEvent: string;
  readonly session: string;
  /** False when the payload named no session and `session` is the shared bucket. */
  readonly hasSession: boolean;
  readonly subagent?: { readonly id: string; readonly type: string };
  readonly cwd: string;
  /** The agent's fixed project directory, when it told us. */
  readonly projectDir?: string;
  readonly transcript?: string;
  readonly promptId?: string;
  readonly permissionMode?: string;
  /** False where no dialog reaches a person. */
  readonly asksPerson?: boolean;
  /** The agent is in a mode in which it may approve calls by itself. */
  readonly approvesItself?: true;
  readonly tool?: ToolCall;
  /** The calls of one assistant message, on `tool.batch`. */
  readonly batch?: readonly ToolCall[];
  readonly prompt?: Prompt;
  /** `dir`: where the session works, of an agent that does not tell it again. */
  readonly start?: { readonly source: string; readonly model?: string; readonly dir?: string };
  readonly end?: { readonly reason: string };
  readonly stop?: {
    /** True when this stop follows one that a hook already held back. */
    readonly again: boolean;
    readonly lastMessage?: string;
    readonly background: readonly BackgroundTask[];
  };
  readonly compact?: { readonly trigger: string; readonly text?: string };
  readonly model?: { readonly from: string; readonly to: string };
  readonly notification?: { readonly kind: string; readonly message: string };
  /** A file or directory the event is about that no tool call names. */
  readonly place?: { readonly path: string; readonly change: string };
  readonly task?: { readonly id: string; readonly subject: string };
  readonly server?: { readonly name: string; readonly message: string; readonly action?: string };
  readonly error?: string;
  readonly display?: string;
  /** How many engines up the process tree started this agent; 0 for a person's own session. */
  readonly depth: number;
  readonly attended?: boolean;
  /** The agent's process, when it told us. */
  readonly agentPid?: number;
  readonly receivedAt: number;
}

/** One hook call as it reached us, before an adapter has looked at it. */
export interface HookCall {
  /** The parsed body; anything at all. */
  readonly payload: unknown;
  /** Why the body was not read as a whole: `payload` holds only what its first bytes tell. */
  readonly unread?: string;
  /** How long the agent waits for a reply. */
  readonly withinMs?: number;
  /** The event named on the command line, used when the body names none. */
  readonly eventHint?: string;
  /** The hint is only what is feared where nobody named an event. */
  readonly isGuess?: true;
  readonly cwd: string;
  /** Where the session works, as it said at its start; it counts more than what the payload says. */
  readonly sessionDir?: string;
  readonly projectDir?: string;
  readonly sessionId?: string;
  readonly attended?: boolean;
  readonly agentPid?: number;
  /** Packs that the environment of the call switches off. */
  readonly silenced?: readonly string[];
  /** What rules may ask of the environment of the call; absent where that is not known. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The span of the agent's trace that the call belongs to, as it came: nobody has looked at it yet. */
  readonly traceparent?: string;
  readonly depth: number;
  readonly home: string;
  readonly receivedAt: number;
}
