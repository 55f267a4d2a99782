import type { Outbox, OutboxState } from '../../ledger/outbox.ts';
import { openingsAfter, openingsOf } from '../../ledger/outbox-chain.ts';
import type { Chain, Opening } from '../../ledger/outbox-chain.ts';
import { nextTurn } from '../../platform/timers.ts';
import type { MachineKey } from '../record/machine-key.ts';
import { tellProblem } from './lane.ts';
import type { Lane } from './lane.ts';
import { decisionRecord, openingRecord, checkpointRecord } from './log-records.ts';
import type { Outcome } from './receiver.ts';
import type { OtlpSettings } from './settings.ts';
import { VERSION } from '../../platform/build.ts';
import { genesisOf, headAfter, signedText } from '../record/chain.ts';
import type { Content } from '../record/chain.ts';
import { encodeRecord } from './requests.ts';

/** A record that is ready to leave. */
interface Link {
  readonly record: Uint8Array;
  readonly sequence: number;
  /** Of the chain after it. */
  readonly head: string;
  /** The row that it tells of. */
  readonly n?: number;
}

interface Unlinked {
  readonly n?: number;
  contentAt(sequence: number): Content;
}

/** Numbers records, hangs each on the one before, and signs them, a few at a time and beside this thread. */
export async function linkAll(
  machine: string,
  after: Pick<Link, 'sequence' | 'head'>,
  unlinked: readonly Unlinked[],
  key: MachineKey,
): Promise<readonly Link[]> {
  let { sequence, head } = after;
  const linked = unlinked.map(({ n, contentAt }) => {
    const previous = head === '' ? genesisOf(machine) : head;
    sequence += 1;
    const content = contentAt(sequence);
    head = headAfter(previous, content);
    return { content, previous, head, sequence, ...(n !== undefined && { n }) };
  });
  return Promise.all(
    linked.map(async ({ content, previous, ...link }) => ({
      ...link,
      record: encodeRecord(content, {
        previous,
        head: link.head,
        signature: await key.sign(signedText(link.head, VERSION)),
      }),
    })),
  );
}

/** With decisions it goes this often, and without any less often: then it says that nothing happened. */
const WITH_ROWS_MS = 600_000;
const ALONE_MS = 3_600_000;

interface Checkpoints {
  isDue(key: MachineKey, now: number, isAlone: boolean): boolean;
  sent(key: MachineKey, now: number): void;
}

function createCheckpoints(): Checkpoints {
  let last: { readonly at: number; readonly key?: string } | undefined;
  return {
    isDue(key, now, isAlone) {
      if (!isAlone && last?.key !== key.public) return true;
      // An engine that begins has nothing to say yet.
      last ??= { at: now };
      return Math.abs(now - last.at) >= (isAlone ? ALONE_MS : WITH_ROWS_MS);
    },
    sent(key, now) {
      last = { at: now, key: key.public };
    },
  };
}

/** It hangs on the chain, and nothing hangs on it. */
async function checkpointAfter(
  machine: string,
  { sequence, head }: Pick<Link, 'sequence' | 'head'>,
  key: MachineKey,
  now: number,
): Promise<Uint8Array> {
  const contentAt = () => checkpointRecord({ machine, sequence }, key, now);
  const [link] = await linkAll(machine, { sequence, head }, [{ contentAt }], key);
  return link?.record ?? new Uint8Array();
}

/** The most decisions of a request, and the most bytes before they are compressed; one record may have more. */
const MOST_RECORDS = 512;
const MOST_BYTES = 1_000_000;
/** The most requests in a row; then the settings are looked at again. */
const MOST_IN_A_ROW = 20;
/** Rows that nobody is to be sent are looked at again, up to so many, before it is written down that they were. */
const UNWRITTEN_ROWS = 500;

interface Batch {
  readonly openings: readonly Opening[];
  /** Those of the openings come first. */
  readonly links: readonly Link[];
  /** The last row that was looked at. */
  readonly n: number;
  /** What may have arrived before is in it as it was. */
  readonly isRepeated: boolean;
}

/** Sends the rows that wait, in batches. What did not surely arrive is sent again. */
export function createLogSending(lane: Lane): (outbox: Outbox, settings: OtlpSettings) => Promise<void> {
  const { backoff, now } = lane;
  const checkpoints = createCheckpoints();
  let most = MOST_RECORDS;

  /** Rows are read and signed in steps, and whatever else waits comes between them. */
  async function collect(
    outbox: Outbox,
    state: OutboxState,
    { bodies }: OtlpSettings,
    key: MachineKey,
  ): Promise<Batch> {
    const { machine, chain } = state;
    const again = chain.tried - chain.sequence;
    const openings = again > 0 ? chain.openings : openingsOf(chain, state, now());
    const link = (unlinked: Parameters<typeof linkAll>[2], after: Pick<Link, 'sequence' | 'head'>) =>
      linkAll(machine, after, unlinked, key);
    const told = openings.map((opening) => ({
      contentAt: (sequence: number) => openingRecord(opening, { machine, sequence }),
    }));
    const links = [...(await link(told, chain))];
    for (let { n } = state; ;) {
      const step = outbox.step(n, now());
      const rows = step.rows.map((row) => ({
        n: row.n,
        contentAt: (sequence: number) => decisionRecord(row, bodies, { machine, sequence }),
      }));
      links.push(...(await link(rows, links.at(-1) ?? chain)));
      ({ n } = step);
      const isFull = fitting(links, openings.length, most) < links.length && links.length >= again;
      if (!step.isLast && !isFull) {
        await nextTurn();
        continue;
      }
      const isRepeated = again === 0 || links[again - 1]?.head === chain.triedHead;
      const cut = links.slice(0, fitting(links, openings.length, most));
      return { openings, links: cut, n: cut.length < links.length ? (cut.at(-1)?.n ?? state.n) : n, isRepeated };
    }
  }

  /** True when there may be more to send at once. */
  function settle(outbox: Outbox, state: OutboxState, batch: Batch, outcome: Outcome): boolean {
    const decisions = batch.links.length - batch.openings.length;
    if (outcome.kind === 'taken') {
      backoff.ok();
      most = Math.min(MOST_RECORDS, most * 2);
      arrived(outbox, state, batch, Math.min(outcome.refused, batch.links.length));
      if (outcome.problem !== undefined) tellProblem(lane, outbox, outcome.problem, true);
      return true;
    }
    if (outcome.kind === 'unfit' && decisions > 1) {
      most = Math.ceil(decisions / 2);
      return true;
    }
    // One that the receiver never takes would hold up all that come after it.
    if (outcome.kind === 'unfit' && decisions > 0) arrived(outbox, state, batch, batch.links.length);
    const isNew = !backoff.isFailing();
    backoff.fail(now(), outcome.kind === 'failed' ? outcome.waitMs : undefined);
    tellProblem(lane, outbox, outcome.problem, isNew);
    return false;
  }

  function arrived(outbox: Outbox, state: OutboxState, { links, openings, n }: Batch, refused: number): void {
    const { sequence, head } = links.at(-1) ?? state.chain;
    const left = { count: refused, from: state.chain.sequence + 1, to: sequence, at: now() };
    const loss = openings.find((one) => one.kind === 'lost');
    outbox.arrived(state, {
      n,
      sent: links.length - openings.length,
      refused: Math.min(refused, links.length - openings.length),
      told: loss && refused === 0 ? loss.total : state.told,
      at: now(),
      chain: { sequence, head, openings: refused > 0 ? openingsAfter(openings, left) : [] },
    });
  }

  function cannotSign(outbox: Outbox, problem: string): void {
    const isNew = !backoff.isFailing();
    backoff.fail(now());
    tellProblem(lane, outbox, `nothing can be signed: ${problem}`, isNew);
  }

  /** True when there may be more to send at once. */
  async function send(outbox: Outbox, state: OutboxState, settings: OtlpSettings, key: MachineKey): Promise<boolean> {
    const batch = await collect(outbox, state, settings, key);
    if (!batch.isRepeated) return outbox.resume(state, now());
    const { links, openings, n } = batch;
    const isAlone = links.length === openings.length;
    const end = links.at(-1) ?? state.chain;
    const hasCheckpoint = end.sequence > 0 && checkpoints.isDue(key, now(), isAlone);
    if (isAlone && !hasCheckpoint) {
      if (n - state.n > UNWRITTEN_ROWS) outbox.passed(state, n);
      return false;
    }
    const current = noted(outbox, state, batch);
    if (!current) return true;
    const records = links.map(({ record }) => record);
    if (hasCheckpoint) records.push(await checkpointAfter(state.machine, end, key, now()));
    const outcome = await lane.send(current, records, settings, key.public);
    if (lane.isEnding()) return false;
    if (hasCheckpoint && outcome.kind === 'taken') checkpoints.sent(key, now());
    return settle(outbox, current, batch, outcome) && !isAlone;
  }

  return async (outbox, settings) => {
    for (let round = 0; round < MOST_IN_A_ROW && !lane.isEnding(); round += 1) {
      const state = outbox.state();
      if (!state) return;
      const key = lane.keyOf(state);
      if ('problem' in key) return cannotSign(outbox, key.problem);
      if (!(await send(outbox, state, settings, key))) return;
    }
  };
}

/** How many go into one request: what is to be known of the chain, and one decision at least. */
function fitting(links: readonly Link[], openings: number, most: number): number {
  let bytes = 0;
  const end = links.findIndex(({ record }, at) => {
    bytes += record.length;
    return at > openings && (at >= openings + most || bytes > MOST_BYTES);
  });
  return end < 0 ? links.length : end;
}

/** Before they leave it is written down how far they go: what may have arrived is never told in another way. */
function noted(outbox: Outbox, state: OutboxState, { links, openings }: Batch): OutboxState | undefined {
  const { isNew: _isNew, ...chain } = state.chain;
  const { sequence, head } = links.at(-1) ?? chain;
  if (sequence <= chain.tried) return state;
  const next: Chain = { ...chain, openings, tried: sequence, triedHead: head };
  return outbox.sending(state, next) ? { ...state, chain: next } : undefined;
}
