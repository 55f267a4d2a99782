import type { Effect } from './effect.ts';
import type { CopyContents, Kept } from './keeping.ts';

/** How hard a verdict acts, weakest first. `note` and `warn` stand beside any of them. `save`: it runs once a copy is kept. */
export const ACTIONS = ['pass', 'allow', 'rewrite', 'save', 'ask', 'deny'] as const;
export type Action = (typeof ACTIONS)[number];

/** A ceiling on how hard a rule acts, weakest first. */
export const MODES = ['off', 'shadow', 'advise', 'save', 'ask', 'enforce'] as const;
export type Mode = (typeof MODES)[number];

export type VerdictKind = Action | 'note' | 'warn';

/** One rule's answer. `text` is for the agent, except on `warn`, where it is for the person; its tag comes when verdicts are merged. */
export interface Verdict {
  readonly kind: VerdictKind;
  readonly rule: string;
  readonly priority: number;
  /** The message variant that was said; stable, so tests and statistics never match prose. */
  readonly variant?: string;
  readonly text?: string;
  /** Of an ask: the part for the person, where that is not all of it. */
  readonly person?: string;
  /** For `rewrite`: the whole new tool input. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For `pass`: why, shown by explain. */
  readonly reason?: string;
  /** For `pass`: the reason is worth a line of its own in the log. */
  readonly remark?: true;
  /** Facts behind what is said, for the record alone. */
  readonly about?: VerdictFacts;
  /** For `deny`: it was an ask, and nobody can be asked here. */
  readonly unasked?: true;
  /** For `save` and `ask`: what a copy could bring back. */
  readonly keeps?: readonly Effect[];
  /** For `save`: nobody is told of the copy. */
  readonly quiet?: true;
  /** For `ask`: gated verbs that the call may use, once each, if the person says yes. */
  readonly grants?: readonly string[];
  /** For `warn`: stands in one box with the others of its kind, above this last line. */
  readonly box?: string;
}

export type VerdictFacts = Readonly<Record<string, string | number | readonly string[]>>;

export interface Note {
  readonly rule: string;
  readonly variant?: string;
  readonly text: string;
  readonly priority: number;
  /** Waits for the person, not for the agent. */
  readonly to?: 'person';
}

/** The merged verdicts of all rules for one event. */
export interface Decision {
  readonly action: Action;
  /** The rules behind `action`, most important first. */
  readonly by: readonly string[];
  /** What the agent is told about a deny, or the person about an ask. */
  readonly reason?: string;
  /** The part of it for a person who is asked, where that is not all. */
  readonly person?: string;
  /** For `deny`: it was an ask, and nobody can be asked here. */
  readonly unasked?: true;
  readonly input?: Readonly<Record<string, unknown>>;
  /** What is to be copied before the call runs. */
  readonly keeps?: readonly Effect[];
  /** For `save`: nobody is told of the copy. */
  readonly quiet?: true;
  /** The copy that was made. */
  readonly kept?: Kept;
  /** Why no copy could be made. */
  readonly uncopied?: string;
  /** What would be copied, in a trial. */
  readonly keepable?: CopyContents;
  readonly notes: readonly Note[];
  readonly warns: readonly Note[];
}

/** Every text that agent or person gets starts with who says it. */
export function tagged(rule: string, text: string): string {
  return `[${rule}] ${text}`;
}

export const NEUTRAL: Decision = { action: 'pass', by: [], notes: [], warns: [] };

export function isNeutral(decision: Decision): boolean {
  return decision.action === 'pass' && decision.notes.length === 0 && decision.warns.length === 0;
}
