/** What the page is given, as JSON; the browser's side reads nothing else. */

export interface SessionLine {
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly first: number;
  readonly last: number;
  readonly ended: boolean;
  readonly events: number;
  readonly denies: number;
  readonly asks: number;
  readonly saves: number;
  readonly notes: number;
  readonly chars: number;
  readonly ms: number;
}

/** A session that goes on, with what it did last. */
export interface LiveSession extends SessionLine {
  readonly doing: string;
}

export interface StopLine {
  readonly n: number;
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly action: 'deny' | 'ask';
  /** It ran: the rules were in shadow. */
  readonly isShadow: boolean;
  readonly rules: readonly string[];
  /** The command, the file, the prompt. */
  readonly what: string;
  readonly reason: string;
  /** What became of it on the agent's side, in words; absent where that is not known. */
  readonly fate?: string;
  /** It was asked about, and answered yes. */
  readonly passed: boolean;
  /** The first of its rules that may be made to act less hard. */
  readonly milder?: string;
  readonly judgement?: 'right' | 'wrong';
}

/** What `fairlead doctor` finds in the project. */
export interface Finding {
  readonly level: 'attention' | 'note';
  readonly what: string;
  readonly why: string;
  readonly next: string;
}

export interface Day {
  /** Days since the epoch, in UTC. */
  readonly day: number;
  readonly events: number;
  readonly stops: number;
}

/** The policy of a team that the machine follows. */
export interface PolicyLine {
  /** Name and version, as people write them. */
  readonly policy: string;
  readonly stage: string;
  /** Counted from 1; 0 where the machine is in none. */
  readonly ring: number;
  readonly expires: string;
  /** Until when it does not count, and why. */
  readonly glass?: { readonly until: number; readonly reason: string };
}

export interface Now {
  readonly at: number;
  readonly policy?: PolicyLine;
  readonly project: string;
  readonly live: readonly LiveSession[];
  /** Questions that a person has not answered yet, as far as is known. */
  readonly asks: readonly StopLine[];
  readonly stops: readonly StopLine[];
  readonly days: readonly Day[];
}

export interface Stops {
  readonly stops: readonly StopLine[];
  /** Where the next page begins; absent at the end. */
  readonly next?: number;
}

export interface Sessions {
  readonly sessions: readonly SessionLine[];
  readonly next?: string;
}

export interface TimelineRow {
  readonly n: number;
  readonly id: string;
  readonly at: number;
  readonly event: string;
  readonly tool: string;
  readonly what: string;
  readonly outcome: string;
  readonly rules: readonly string[];
  /** What was said to the agent or the person. */
  readonly said: readonly string[];
  readonly micros: number;
  readonly subagent: boolean;
  readonly fate?: string;
  /** What the agent made of advice. */
  readonly heeds: readonly string[];
  /** The copy that was made before the call ran. */
  readonly undo?: number;
  /** The same before and after a call. */
  readonly call?: string;
}

export interface Session {
  readonly line: SessionLine;
  /** The newest first. */
  readonly rows: readonly TimelineRow[];
  readonly next?: number;
  /** How full the context was at each prompt; empty where nobody kept track. */
  readonly prompts: readonly { readonly prompt: number; readonly tokens: number; readonly pct: number }[];
}

export interface RuleLine {
  readonly rule: string;
  readonly summary: string;
  readonly mode: string;
  readonly fires: number;
  readonly denies: number;
  readonly asks: number;
  readonly saves: number;
  readonly notes: number;
  readonly failed: number;
  /** Calls that it would have stopped, but was in shadow. */
  readonly would: number;
  readonly chars: number;
  readonly p50?: number;
  readonly p95?: number;
  /** Shares from 0 to 1; absent where nothing tells. */
  readonly followed?: number;
  readonly right?: number;
  /** `inert`: its events came and it never spoke. `loud`: much of what is said is said by it. */
  readonly sign?: 'inert' | 'loud';
  readonly fireDays: readonly number[];
}

export interface Rules {
  readonly project: string;
  readonly days: number;
  readonly rules: readonly RuleLine[];
}

export interface RuleDetail {
  readonly id: string;
  readonly summary: string;
  readonly pack: string;
  readonly mode: string;
  readonly source: string;
  readonly mayLoosen: boolean;
  readonly messages: readonly { readonly variant: string; readonly text: string }[];
  readonly examples: readonly { readonly kind: string; readonly text: string }[];
}

export interface CopyLine {
  readonly number: number;
  readonly at: number;
  readonly root: string;
  readonly session: string;
  readonly command: string;
  readonly names: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

/** The text of a verb. */
export interface Told {
  readonly text: string;
}

/** A project that the page can show the code graph of. */
export interface GraphRootLine {
  readonly root: string;
  readonly files?: number;
  readonly indexedAt?: number;
}

export interface GraphRoots {
  /** The project that the page was opened in. */
  readonly here: string;
  /** One is being made there. */
  readonly isIndexing: boolean;
  readonly roots: readonly GraphRootLine[];
}

export interface SymbolLine {
  readonly key: string;
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly line: number;
}

export interface FoundSymbols {
  readonly total: number;
  readonly symbols: readonly (SymbolLine & { readonly callers: number })[];
}

/** Calls lead from left to right: callers of callers at -2, callers at -1, the symbol itself at 0, what it calls at 1. */
export interface SymbolNode extends SymbolLine {
  readonly column: number;
  readonly isTest: boolean;
}

export interface SymbolAround {
  readonly symbol: SymbolLine & { readonly signature: string; readonly doc: string };
  readonly nodes: readonly SymbolNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly sites: number }[];
  readonly totals: Readonly<Record<string, number>>;
  readonly files: {
    readonly total: number;
    readonly items: readonly { readonly path: string; readonly symbols: number }[];
  };
  readonly tests: { readonly total: number; readonly items: readonly SymbolLine[] };
  /** Calls that may lead here and are not counted. */
  readonly possible: number;
  /** False where so much depends on it that the rest was not followed. */
  readonly complete: boolean;
  /** Files of it changed since they were indexed. */
  readonly isStale: boolean;
}

export interface DistrictLine {
  readonly id: string;
  readonly name: string;
  /** More than one: it stands for all that had no room. */
  readonly districts: number;
  readonly modules: number;
  readonly classes: number;
  readonly functions: number;
  readonly importsIn: number;
  readonly importsOut: number;
  /** Paths of modules, most important first; of several districts, their names. */
  readonly top: readonly string[];
}

export interface Architecture {
  readonly layers: readonly { readonly name: string; readonly cards: readonly DistrictLine[] }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly imports: number;
    readonly isCycle: boolean;
  }[];
  readonly moreImports: number;
  readonly modules: number;
  readonly cycles: number;
}

/** Why a decision was made, as `fairlead explain` tells it. */
export interface DecisionDetail {
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly event: string;
  readonly tool: string;
  readonly action: string;
  readonly by: readonly string[];
  readonly reason: string;
  readonly fate?: string;
  readonly undo?: number;
  /** What the event was about: a command, a path, a prompt. */
  readonly about: readonly Labelled[];
  readonly warnings: readonly string[];
  /** What was said, and to whom, or why it was not. */
  readonly said: readonly { readonly to: string; readonly rule: string; readonly text: string; readonly why: string }[];
  readonly heeds: readonly string[];
  /** The command, in the simple commands it was read as. */
  readonly reading: readonly { readonly number: number; readonly text: string; readonly about: string }[];
  readonly unclear: readonly Labelled[];
  readonly effects: readonly {
    readonly what: string;
    readonly target: string;
    readonly scope: string;
    readonly details: string;
  }[];
  readonly rules: readonly DecisionRule[];
  /** Active rules that listen to other events. */
  readonly notListening: number;
  readonly micros: number;
  readonly stages: readonly { readonly stage: string; readonly micros: number }[];
  readonly chars: number;
  readonly replyBytes: number;
}

interface Labelled {
  readonly label: string;
  readonly text: string;
}

/** How far a rule came, and what it said. */
export interface DecisionRule {
  readonly rule: string;
  readonly mode: string;
  readonly tier: number;
  readonly reason: string;
  readonly failed: boolean;
  readonly micros?: number;
  readonly verdicts: readonly {
    readonly kind: string;
    readonly variant: string;
    /** What the mode or an exception made of it; empty where it stayed. */
    readonly change: string;
    readonly text: string;
    readonly facts: readonly Labelled[];
  }[];
}

/** A view that a pack brings along. */
export interface PackViewName {
  readonly pack: string;
  readonly title: string;
}

export interface PackView {
  readonly sections: readonly {
    readonly title: string;
    /** Said where there is no item. */
    readonly none: string;
    readonly items: readonly PackItem[];
    /** How many are not among them. */
    readonly more?: number;
  }[];
  /** Where there is nothing at all: what to do. */
  readonly start?: { readonly title: string; readonly command: string };
}

/** One thing of a pack, as a card. */
export interface PackItem {
  readonly name: string;
  readonly about?: string;
  /** A word on where it stands, and the colour of its edge. */
  readonly standing?: string;
  readonly edge?: 'save' | 'ask' | 'deny' | 'note';
  readonly progress?: readonly { readonly of: string; readonly done: number; readonly total: number }[];
  /** Lines of it, what is done marked as such. */
  readonly lines?: readonly { readonly text: string; readonly isDone: boolean }[];
  readonly text?: string;
  readonly commands?: readonly { readonly label: string; readonly text: string }[];
}

/** What `replay --html` shows. */
export interface ReplayReport {
  readonly headline: string;
  readonly sidelines: string;
  readonly stops: readonly ReplayedCall[];
  /** Where two settings decide otherwise; then the stops of one of them are left out. */
  readonly difference?: {
    readonly events: number;
    readonly kinds: readonly {
      readonly kind: string;
      readonly count: number;
      readonly calls: readonly ReplayedCall[];
    }[];
  };
  /** Fires, blocks, asks, saves, notes, characters, unknown. */
  readonly rules: readonly { readonly rule: string; readonly counts: readonly number[] }[];
  readonly missing: readonly { readonly what: string; readonly count: number }[];
  readonly unknowns: readonly ReplayedCall[];
}

export interface ReplayedCall {
  readonly at: number;
  readonly action: string;
  readonly rules: readonly string[];
  readonly what: string;
  readonly reason: string;
}
