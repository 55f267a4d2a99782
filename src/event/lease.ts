/** What a rule does where it cannot know: the call goes on, a person is asked, or it is stopped. */
export const UNKNOWN_ANSWERS = ['go on', 'ask', 'deny'] as const;
export type UnknownAnswer = (typeof UNKNOWN_ANSWERS)[number];

/** A rule that has one lets the calls pass that it would stop, of one session at a time. */
export interface RuleLease {
  readonly name: string;
  /** How long it is held at most, unless it is taken again. */
  readonly for: string;
  /** How long a call waits for the server of the team; `150ms` by default. */
  readonly within?: string;
  /** Where the server says nothing by then; `ask` by default. */
  readonly else?: UnknownAnswer;
}

/** How old the machine's copy of the team's state may be, and what the rule does when it is older. */
export interface CopyBound {
  readonly within: string;
  readonly else: UnknownAnswer;
}

/** `until` is the machine's time, and never later than the server's end of it. A fence is higher than all before it. */
export type Taken =
  | { readonly taken: true; readonly fence: number; readonly until: number }
  | { readonly taken: false; readonly holder: string; readonly until: number };

/** The server's leases, for who answers events. */
export interface LeaseLink {
  /** Undefined where there is no link to the server now. */
  take(name: string, holder: string, ttlMs: number): Promise<Taken> | undefined;
  /** After the reply. */
  release(name: string, holder: string): void;
}
