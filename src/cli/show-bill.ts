import { readBill } from '../ledger/bill.ts';
import type { Cost } from '../ledger/bill.ts';
import type { RowFilter } from '../ledger/read.ts';
import type { CliWorld } from './command.ts';
import { databaseOf } from './database.ts';
import { knownRules } from './known-rules.ts';
import { counted, formatCount, paint, printTable } from './table.ts';
import type { Column } from './table.ts';

/** How many characters are taken for a token: usual for English and code, and nobody here has the model's own count. */
export const CHARS_PER_TOKEN = 4;

/** A cost as people are billed for it. */
interface Billed {
  readonly chars: number;
  readonly tokens: number;
  readonly ms: number;
  readonly lostTokens: number;
  readonly answered: number;
  readonly cutShort: number;
}

export interface BillData {
  readonly since: number;
  /** Tokens are an estimate: so many characters are taken for one. */
  readonly charsPerToken: number;
  readonly events: number;
  readonly total: Billed;
  readonly perSession: { readonly tokens: number; readonly ms: number };
  readonly sessions: readonly (Billed & { readonly session: string; readonly events: number })[];
  readonly rules: readonly (Billed & {
    readonly rule: string;
    readonly perSession: { readonly tokens: number; readonly ms: number };
  })[];
}

export async function billOf(filter: RowFilter & { readonly since: number }, world: CliWorld): Promise<BillData> {
  const { rules: known } = await knownRules(world);
  const answers = new Map(known.map(({ meta }) => [meta.id, meta.answers ?? []]));
  const { events, total, sessions, rules } = readBill(databaseOf(world), filter, answers);
  const each = (cost: Cost) => ({
    tokens: Math.round(cost.chars / CHARS_PER_TOKEN / Math.max(1, sessions.size)),
    ms: toMs(cost.micros / Math.max(1, sessions.size)),
  });
  return {
    since: filter.since,
    charsPerToken: CHARS_PER_TOKEN,
    events,
    total: billed(total),
    perSession: each(total),
    sessions: [...sessions].map(([session, cost]) => ({ session, events: cost.events, ...billed(cost) })),
    rules: [...rules]
      .sort(([, a], [, b]) => b.chars - a.chars || b.micros - a.micros)
      .map(([rule, cost]) => ({ rule, ...billed(cost), perSession: each(cost) })),
  };
}

function billed({ chars, lost, micros, answered, cutShort }: Cost): Billed {
  const tokens = (count: number) => Math.round(count / CHARS_PER_TOKEN);
  return { chars, tokens: tokens(chars), ms: toMs(micros), lostTokens: tokens(lost), answered, cutShort };
}

function toMs(micros: number): number {
  return Math.round(micros / 100) / 10;
}

export function showBill(bill: BillData, when: string, world: CliWorld): void {
  const { events, total, perSession, sessions, rules } = bill;
  if (events === 0) return world.out(`No event ${when}.\n`);
  const line = (text: string) => world.out(`${text}\n`);
  line(paint(world, 'bold', `${counted(sessions.length, 'session')} ${when}, ${counted(events, 'event')}`));
  line(
    `cost: about ${counted(total.tokens, 'token')} (${counted(total.chars, 'character')}, ${CHARS_PER_TOKEN} taken for a token: an estimate), ${total.ms} ms in the engine`,
  );
  if (total.lostTokens > 0) line(`      about ${counted(total.lostTokens, 'token')} more did not reach the model`);
  line(`      per session about ${counted(perSession.tokens, 'token')} and ${perSession.ms} ms`);
  line(
    `saved: ${counted(total.answered, 'search')} answered, ${counted(total.cutShort, 'repeated failure')} cut short; nothing else can be counted`,
  );
  const right = (leaves: number, ...titles: readonly string[]) =>
    titles.map((title): Column => ({ title, align: 'right', leaves }));
  world.out(`\n${paint(world, 'bold', 'Rules')}\n`);
  printTable(
    world,
    [
      { title: 'rule' },
      { title: '~tokens', align: 'right' },
      ...right(1, 'per session'),
      { title: 'ms', align: 'right' },
      ...right(1, 'per session'),
      ...right(2, 'answered', 'cut short'),
    ],
    rules.map((one) => [
      one.rule,
      formatCount(one.tokens),
      formatCount(one.perSession.tokens),
      one.ms,
      one.perSession.ms,
      one.answered,
      one.cutShort,
    ]),
  );
  world.out(`\n${paint(world, 'bold', 'Sessions')}\n`);
  printTable(
    world,
    [
      { title: 'session' },
      ...right(1, 'events'),
      { title: '~tokens', align: 'right' },
      { title: 'ms', align: 'right' },
      ...right(2, 'answered', 'cut short'),
    ],
    sessions.map((one) => [one.session, one.events, formatCount(one.tokens), one.ms, one.answered, one.cutShort]),
  );
}
