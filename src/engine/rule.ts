import type { Cells } from '../state/cells.ts';
import type { CellSpec } from '../state/cell.ts';
import type { AgentSetup } from '../event/agent-setup.ts';
import type { Effect, EffectKind } from '../event/effect.ts';
import type { Event, EventName, ToolKind } from '../event/event.ts';
import type { CopyBound, RuleLease } from '../event/lease.ts';
import type { Mode, Verdict } from '../event/verdict.ts';
import type { Later } from '../event/follow-up.ts';
import type { RuleGraph } from './api/rule-graph.ts';
import type { RuleFiles } from './api/rule-files.ts';
import type { AgentMemory, TranscriptFile } from './session/agent-records.ts';
import type { RuleFacts } from '../event/facts.ts';
import type { MessageValue } from './api/message-values.ts';
import type { Paused } from './session/pause.ts';
import type { Turn } from './session/turn.ts';
import type { Usage } from './session/usage.ts';

export { parseDuration } from '../text/duration.ts';
export { compileGlob, matchGlob } from '../text/glob.ts';
export type { Glob } from '../text/glob.ts';
export type {
  CallLink,
  CodeLocation,
  CodeRole,
  CodeSymbol,
  Impact,
  LineRange,
  Ranked,
  RoleCounts,
  UnreadCode,
  RuleGraph,
  RuleSymbol,
  SymbolLocation,
  SymbolUse,
} from './api/rule-graph.ts';
export { lineStands, presentAt } from './api/indexed-line.ts';
export type { Present } from './api/indexed-line.ts';
export { countIn, fieldsIn, switchIn } from './api/option-values.ts';
export { callName } from './api/call-name.ts';
export { stamp } from '../text/stamp.ts';
export { counter, flag, lease, marker, record } from '../state/cell.ts';
export { MARKS } from './session/marks.ts';
export { TURN_TALLY } from './api/turn-tally.ts';
export type { CountByRule } from './api/turn-tally.ts';
export { asPath, joined, own } from './api/message-values.ts';
export type { MessageValue, OwnWords } from './api/message-values.ts';
export { redact } from '../ledger/redact.ts';
export { redactCommand } from '../ledger/secret-files.ts';
export type { FileMark, Marks } from '../event/marks.ts';
export type { RecordCell } from '../state/cell.ts';
export type { Cells } from '../state/cells.ts';
export type { Amount, Fact, Look, Lost, Releases, ResourceSample, RuleFacts, Walk } from '../event/facts.ts';
export type { AgentMemory, AgentSetup, Effect, EffectKind, Event, Later, Mode, RuleFiles };
export type { TranscriptFile, Turn, Usage, Verdict };

/**
 * What a rule listens to: names, globs and literal words only, so that the engine can index rules and turn events away
 * without loading them. All fields of one entry must hold; one entry of `on` is enough.
 */
export interface Listen {
  readonly event: EventName | readonly EventName[];
  readonly tool?: readonly ToolKind[];
  /** The agent's own tool names, for tools that have no kind of their own. */
  readonly name?: readonly string[];
  /**
   * The call would have one of these effects; `write` stands for every change of a file's content. With `paths`, what
   * the effect acts on must match.
   */
  readonly effect?: readonly EffectKind[];
  /** With `effect`: only where another rule wants the effects of such calls to be read. By itself it has nothing read. */
  readonly ifKnown?: true;
  /** One touched path must match one glob; relative globs count from the workspace root, a glob without slash matches any base name. */
  readonly paths?: readonly string[];
  /** An option of the rule that lists endings of file names, such as `.md`: each, in any case, is one more glob of `paths`. */
  readonly endings?: string;
  /** Only calls whose payload names no path at all. */
  readonly bare?: true;
  /** One of these must occur in what the event brings (command, new text, prompt, query); case does not matter. */
  readonly words?: readonly string[];
  /** Where an option of the rule has more of `words`, as a path of keys, such as `providers.extra.program`; of a list, in every item. */
  readonly optionWords?: string;
}

export interface Needs {
  /** The payload named a session. */
  readonly session?: boolean;
  /** The main agent, not one it started. */
  readonly main?: boolean;
  /** A prompt typed by a person. */
  readonly human?: boolean;
  /** A flag of the session that a rule has set; until then this one sleeps, and costs an event one look. */
  readonly flag?: string;
  /** A flag of the session: once it is set the rule sleeps through tool calls, at one look each. Other events it still hears. */
  readonly unset?: string;
  /** A list of sessions that rules keep in a record of the repository, on all machines: it names another one. Until then this one sleeps, at one look. */
  readonly others?: string;
  /** An entry of this name lies in the workspace, at or above the event's place, or the call names a path below one. */
  readonly entry?: string;
}

export type ThrottleKey = 'path' | 'command' | 'tool';

/** How often a rule may speak. Inside the window its check does not run at all. `shared`: it counts on all machines of a person, or of the team. */
export type Throttle =
  | { readonly once: 'session' | 'turn'; readonly per?: ThrottleKey }
  | { readonly once: 'day'; readonly per?: ThrottleKey; readonly shared?: ThrottleShare }
  | { readonly once: 'key'; readonly per: ThrottleKey }
  | { readonly cooldown: string; readonly per?: ThrottleKey; readonly shared?: ThrottleShare }
  | { readonly every: number }
  | { readonly adaptive: readonly { readonly after: number; readonly every: number }[] };

export type ThrottleShare = 'person' | 'team';

/** What the agent does when it follows the advice, within so many of its next tool calls: one of `words`, on one of `paths`. */
export interface Expectation {
  readonly tool?: ToolKind;
  readonly words?: readonly string[];
  readonly paths?: readonly string[];
  readonly within: number;
  /** Words of a call that does without: by it the agent goes round the advice. */
  readonly around?: readonly string[];
  /** How long it may take beside that; a turn when absent. */
  readonly until?: 'session';
}

/** A short event for documentation, tests and `rules test`; unset fields are filled in. */
export interface Example {
  readonly event?: EventName;
  readonly tool?: ToolKind;
  /** The agent's own name of the tool. */
  readonly name?: string;
  readonly command?: string;
  readonly path?: string;
  readonly old?: string;
  readonly new?: string;
  readonly prompt?: string;
  readonly error?: string;
  /** The branch that is checked out. */
  readonly branch?: string;
  /** What ran to its end before, in this order: commands, or calls such as an edit. */
  readonly first?: readonly (Example | string)[];
  /** Ask for the decision of the n-th such event in a row; 1 by default. */
  readonly times?: number;
}

export type ExampleVerdict = 'deny' | 'ask' | 'save' | 'note' | 'warn' | 'rewrite' | 'pass';

/** Everything about a rule but its code: plain data, so it can be listed, indexed and explained without running it. */
export interface RuleMeta {
  /** Stable: users write it in their config. */
  readonly id: string;
  readonly pack: string;
  readonly summary: string;
  readonly on: readonly Listen[];
  readonly needs?: Needs;
  readonly throttle?: Throttle;
  /**
   * Whose workspace the rule is about: the one the call touches, or the one where the agent stands. If `needs.entry` is not
   * to be found there, the agent's project directory counts instead.
   */
  readonly at?: 'cwd';
  /** What the event gets when the rule fails or is late; `block` for a rule that denies and is in force at `enforce`. */
  readonly onError?: 'pass' | 'block';
  readonly mode?: Mode;
  /** What it asks about can be copied first, so that the mode `save` means something for it. */
  readonly saves?: true;
  /** Off, even where its pack is on, until its own setting switches it on. */
  readonly optIn?: true;
  /** The ceiling while careful mode is on, for a rule that then acts harder; one that is off or in shadow stays so. */
  readonly careful?: 'ask' | 'enforce';
  /** A nudge: of those that are `deferrable` only the most important speak at a prompt, the others at the next ones. */
  readonly nudge?: 'deferrable' | 'always';
  /** Runs while a session is paused: to say so, or since what it keeps in mind is for others. */
  readonly whilePaused?: true;
  /** Protects rather than advises: stays active while a session is paused and in agents that a rule started. */
  readonly guard?: boolean;
  readonly budgetMs?: number;
  /** Higher speaks first and keeps its place when attention is short; 50 by default. */
  readonly priority?: number;
  readonly state?: Readonly<Record<string, CellSpec>>;
  /** For a rule with cells of a team, or a throttle that is shared; without it, the rule goes on whatever the age. */
  readonly team?: CopyBound;
  /** What it would stop before a tool runs passes for the session that holds the lease, one at a time. */
  readonly lease?: RuleLease;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Text per variant; `{name}` is filled from the values the rule gives. */
  readonly messages: Readonly<Record<string, string>>;
  /** Events on which it only keeps in mind what it finds: whatever that is, it says nothing. */
  readonly remembersOn?: readonly EventName[];
  /** Variants that answer what the agent was about to search for. */
  readonly answers?: readonly string[];
  /** Of several, one is enough. */
  readonly expect?: Expectation | readonly Expectation[];
  /** With `expect`: when its notes are ignored it stays silent for 1, 2, 4, up to 16 turns, until one is followed. */
  readonly backsOff?: true;
  /** The sentence of a file of instructions that it was made of: it leaves shadow by a person's yes to that sentence alone. */
  readonly from?: { readonly file: string; readonly sentence: string; readonly digest: string };
  readonly examples?: Readonly<Partial<Record<ExampleVerdict, readonly (Example | string)[]>>>;
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The values a message wants: exactly the names in its braces. */
export type Values<Text> = string extends Text
  ? Readonly<Record<string, MessageValue>>
  : Text extends string
    ? { readonly [Name in Placeholders<Text>]: MessageValue }
    : never;

type Say<Messages extends Readonly<Record<string, string>>> = <Variant extends keyof Messages & string>(
  variant: Variant,
  ...values: keyof Values<Messages[Variant]> extends never ? [] : [Values<Messages[Variant]>]
) => Verdict;

type SaySaving<Messages extends Readonly<Record<string, string>>> = <Variant extends keyof Messages & string>(
  what: readonly (string | Effect)[],
  variant: Variant,
  ...values: keyof Values<Messages[Variant]> extends never ? [] : [Values<Messages[Variant]>]
) => Verdict;

export interface RuleWorkspace {
  readonly root: string;
  /** What all work trees of a repository have in common, as the owner of cells; the root where there is only one. */
  readonly repository: string;
  /** The repository's name on all machines of a team, by the address it is fetched from; absent where nothing is shared. */
  readonly remote?: string | undefined;
  /** The person's home directory. */
  readonly home: string;
  readonly markerBacked: boolean;
  /** Nearest ancestor of the event's place that holds `name`, not above the root. */
  nearest(name: string): string | undefined;
  relative(path: string): string;
  /** The path from the root, links followed: one name for a file however it is reached. Undefined for what is no part of this project. */
  nameOf(path: string): string | undefined;
  /** Whether the project's own ignore files leave a place out. */
  isIgnored(path: string): boolean;
  /** Whether a program of this name is on the engine's search path. */
  hasProgram(name: string): boolean;
  /** A variable of the engine's environment. */
  variable(name: string): string | undefined;
  /** Present where the workspace is indexed. */
  readonly graph?: RuleGraph | undefined;
  /** The person has accepted what the project brings. */
  readonly isTrusted: boolean;
}

export interface RuleContext<
  State extends Readonly<Record<string, CellSpec>> = Readonly<Record<string, CellSpec>>,
  Messages extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
  Options = Readonly<Record<string, unknown>>,
> {
  readonly now: number;
  /** The local calendar date, `2026-03-10`. */
  readonly today: string;
  readonly mode: Mode;
  /** The id of the decision that is being made. */
  readonly decision: string;
  /** Careful mode is on in this workspace. */
  readonly careful: boolean;
  /** This machine's name in its team; absent where nothing is shared. */
  readonly machine: string | undefined;
  /** What the call would do, as far as the rule listens to effects. */
  readonly effects: readonly Effect[];
  readonly workspace: RuleWorkspace;
  readonly files: RuleFiles;
  readonly state: Cells<State>;
  /** The turn of the agent that the event belongs to. */
  readonly turn: Turn;
  readonly setup: AgentSetup;
  /** The session's pause, this prompt counted; only a rule that speaks meanwhile sees one. */
  readonly paused: Paused | undefined;
  /** What takes too long to find out within an event. */
  readonly facts: RuleFacts;
  readonly later: Later;
  /** Characters that a note of this event may have and still be said with it; a longer one waits, or is cut. */
  room(): number;
  /** How full the agent's context is; looks at the end of the session's transcript. */
  usage(): Usage;
  /**
   * Transcripts of the main agent's sessions in the same place as this one's, the running one among them. Each is looked
   * at when it is its turn: there may be thousands.
   */
  transcripts(): Iterable<TranscriptFile>;
  /** What the agent has written down for itself about the project. */
  memory(): AgentMemory | undefined;
  /** Whether what the file holds since `mtimeMs` was written by a job of this engine a moment ago. */
  isOwnWrite(path: string, mtimeMs: number): boolean;
  readonly options: Options;
  /** Aborted when the rule's time is up. */
  readonly signal: AbortSignal;
  /** `remark`: the reason is worth a line of its own in the log. */
  readonly pass: (reason?: string, remark?: 'remark') => Verdict;
  /** Context for the agent. */
  readonly note: Say<Messages>;
  /** A line for the person. */
  readonly warn: Say<Messages>;
  readonly ask: Say<Messages>;
  /** Lets the call run once all that lies at these paths is copied; asks where it cannot be. */
  readonly save: SaySaving<Messages>;
  readonly deny: Say<Messages>;
  readonly allow: Say<Messages>;
  readonly rewrite: (input: Readonly<Record<string, unknown>>, reason?: string) => Verdict;
}

export type Outcome = Verdict | readonly Verdict[] | undefined | void;

export interface RuleBody {
  check(event: Event, context: RuleContext): Outcome | Promise<Outcome>;
}

export interface Rule extends RuleMeta, RuleBody {}

/** Declares a rule. The types of `check` follow from `state`, `messages` and `options`. */
export function defineRule<
  const State extends Readonly<Record<string, CellSpec>> = Readonly<Record<never, CellSpec>>,
  const Messages extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
  const Options extends Readonly<Record<string, unknown>> = Readonly<Record<never, unknown>>,
>(
  rule: Omit<RuleMeta, 'state' | 'messages' | 'options'> & {
    readonly state?: State;
    readonly messages: Messages;
    readonly options?: Options;
    check(event: Event, context: RuleContext<State, Messages, Widen<Options>>): Outcome | Promise<Outcome>;
  },
): Rule {
  return rule as unknown as Rule;
}

/** An option's default fixes its kind, not its value: a user may set another one. */
type Widen<Options> = {
  readonly [K in keyof Options]: Options[K] extends number
    ? number
    : Options[K] extends string
      ? string
      : Options[K] extends boolean
        ? boolean
        : Options[K];
};
