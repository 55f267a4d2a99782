/** What a daemon tells about itself. */
export interface DaemonStatus {
  readonly pid: number;
  readonly stamp: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly memoryBytes: number;
  readonly requests: {
    readonly socket: number;
    readonly http: number;
    /** Left to the caller, because it was newer, of another home, or came too late. */
    readonly aside: number;
    /** Over HTTP, without the right to ask. */
    readonly refused: number;
  };
  readonly failures: number;
  /** Sessions that are open. */
  readonly sessions: number;
  /** Ledger numbers it has taken for events to come, by session. */
  readonly held: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;
  readonly http?: { readonly port: number; readonly problem?: string };
}
