import type { Outbox, OutboxState } from '../../ledger/outbox.ts';
import { nextTurn } from '../../platform/timers.ts';
import { tellProblem } from './lane.ts';
import type { Lane } from './lane.ts';
import { logRecordOf, lossRecordOf } from './log-records.ts';
import type { Outcome } from './receiver.ts';
import type { OtlpSettings } from './settings.ts';

/** The most records of a request, and the most bytes before they are compressed; one record may have more. */
const MOST_RECORDS = 512;
const MOST_BYTES = 1_000_000;
/** The most requests in a row; then the settings are looked at again. */
const MOST_IN_A_ROW = 20;
/** Rows that nobody is to be sent are looked at again, up to so many, before it is written down that they were. */
const UNWRITTEN_ROWS = 500;

interface Batch {
  readonly records: readonly Uint8Array[];
  /** The last row that was looked at. */
  readonly n: number;
}

/** Sends the rows that wait, in batches. What did not surely arrive is sent again. */
export function createLogSending(lane: Lane): (outbox: Outbox, settings: OtlpSettings) => Promise<void> {
  const { backoff, now } = lane;
  let most = MOST_RECORDS;

  /** Rows are read and written in steps, and whatever else waits comes between them. */
  async function collect(outbox: Outbox, state: OutboxState, { bodies }: OtlpSettings): Promise<Batch> {
    const records: Uint8Array[] = [];
    let [n, bytes] = [state.n, 0];
    for (;;) {
      const step = outbox.step(state, n, records.length, now());
      for (const row of step.rows) {
        const record = logRecordOf(row, bodies);
        bytes += record.length;
        if (records.length >= most || (records.length > 0 && bytes > MOST_BYTES)) return { records, n };
        records.push(record);
        ({ n } = row);
      }
      ({ n } = step);
      if (step.isLast || records.length >= most) return { records, n };
      await nextTurn();
    }
  }

  /** True when there may be more to send at once. */
  function settle(outbox: Outbox, state: OutboxState, { records, n }: Batch, outcome: Outcome): boolean {
    const arrived = (refused: number) =>
      outbox.arrived(state, { n, sent: records.length, refused, told: state.lost, at: now() });
    if (outcome.kind === 'taken') {
      backoff.ok();
      most = Math.min(MOST_RECORDS, most * 2);
      arrived(Math.min(outcome.refused, records.length));
      if (outcome.problem !== undefined) tellProblem(lane, outbox, outcome.problem, true);
      return true;
    }
    if (outcome.kind === 'unfit' && records.length > 1) {
      most = Math.ceil(records.length / 2);
      return true;
    }
    // One that the receiver never takes would hold up all that come after it.
    if (outcome.kind === 'unfit') arrived(1);
    const isNew = !backoff.isFailing();
    backoff.fail(now(), outcome.kind === 'failed' ? outcome.waitMs : undefined);
    tellProblem(lane, outbox, outcome.problem, isNew);
    return false;
  }

  return async (outbox, settings) => {
    for (let round = 0; round < MOST_IN_A_ROW && !lane.isEnding(); round += 1) {
      const state = outbox.state();
      if (!state) return;
      const batch = await collect(outbox, state, settings);
      if (batch.records.length === 0) {
        if (batch.n - state.n > UNWRITTEN_ROWS) outbox.passed(state, batch.n);
        return;
      }
      const { machine, lost, told } = state;
      const loss = lost > told ? [lossRecordOf(machine, lost, told, now())] : [];
      const outcome = await lane.send(state, [...loss, ...batch.records], settings);
      if (lane.isEnding() || !settle(outbox, state, batch, outcome)) return;
    }
  };
}
