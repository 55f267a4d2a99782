import type { Adapter, Env } from '../adapters/adapter.ts';
import type { Engine } from '../engine/engine.ts';
import { answer } from '../transport/answer.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';

/** One hook call of a recorded session. */
export interface RecordedCall {
  /** Milliseconds since the first call. */
  readonly at: number;
  readonly env: Env;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Played {
  readonly call: RecordedCall;
  readonly reply: string;
  /** Absent when the engine is off or broken. */
  readonly row?: LedgerRow;
  readonly detail?: LedgerDetail;
  /** From the bytes to the reply. */
  readonly micros: number;
}

export interface PlayOptions {
  readonly agent: Adapter['name'];
  readonly home: string;
  /** When the session starts, so that throttles see the recorded distances. */
  readonly startAt: number;
}

/** Reads a recorded session; `moved` says which paths it is to be played in instead of those it was recorded in. */
export function readSession(text: string, moved: Readonly<Record<string, string>> = {}): RecordedCall[] {
  let relocated = text;
  for (const [from, to] of Object.entries(moved))
    relocated = relocated.replaceAll(from, JSON.stringify(to).slice(1, -1));
  return relocated.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as RecordedCall]));
}

/** Plays a session through the engine, one event after the other, as the agent sent them. */
export async function* play(
  calls: readonly RecordedCall[],
  engine: Engine,
  options: PlayOptions,
): AsyncGenerator<Played> {
  let row: LedgerRow | undefined;
  let detail: (() => LedgerDetail) | undefined;
  let now = options.startAt;
  const watched: Engine = {
    ...engine,
    clock: { ...engine.clock, now: () => now },
    ledger: {
      ...engine.ledger,
      record(entry, thunk, committed) {
        row = entry;
        detail = thunk;
        engine.ledger.record(entry, thunk, committed);
      },
    },
  };
  for (const call of calls) {
    row = undefined;
    detail = undefined;
    now = options.startAt + call.at;
    const body = new TextEncoder().encode(JSON.stringify(call.payload));
    const cwd = typeof call.payload['cwd'] === 'string' ? call.payload['cwd'] : '/';
    const started = engine.clock.micros();
    const reply = await answer(
      { agent: options.agent, body, size: body.length, cwd, home: options.home, env: call.env },
      watched,
    );
    const micros = engine.clock.micros() - started;
    yield { call, reply: reply.stdout, micros, ...described(row, detail) };
  }
}

function described(
  row: LedgerRow | undefined,
  detail: (() => LedgerDetail) | undefined,
): Pick<Played, 'row' | 'detail'> {
  return row && detail ? { row, detail: detail() } : {};
}
