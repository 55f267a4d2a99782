import { createVerifier } from '../../platform/ed25519.ts';
import { counted } from '../../text/counted.ts';
import type { Content } from '../record/chain.ts';
import type { Exported, Group } from './exported.ts';
import { Collected } from './collected.ts';
import { keyFindings } from './key-findings.ts';
import type { Trusted } from './key-findings.ts';
import { findingsIn } from './machine-findings.ts';
import type { Finding, MachineReport } from './report.ts';
import type { KnownHead, KnownMachine } from './known-machines.ts';
import { isOurs, readRecord } from './read-record.ts';
import type { Reading } from './read-record.ts';

export interface AuditOptions {
  /** Where keys are given, no other machine is believed. */
  readonly known: readonly KnownMachine[];
  readonly hasKeys: boolean;
  /** Looks at this machine alone. */
  readonly machine?: string;
  /** Attributes that the team's own collector adds to records. */
  readonly added: readonly string[];
}

export interface AuditReport {
  readonly records: number;
  readonly machines: readonly MachineReport[];
  readonly findings: readonly Finding[];
}

export interface Audit {
  /** Looks at a piece of an export; `where` is for people. */
  take(exported: Exported, where: string): Promise<void>;
  /** A piece that cannot be read. */
  unreadable(where: string, problem: string): void;
  /** How far the record of a machine goes, as somebody knows from elsewhere. */
  claim(machine: string, head: KnownHead): void;
  records(): number;
  finish(): Promise<AuditReport>;
}

/** Holds what an export has of each machine against what that machine signed. */
export function createAudit({ known, hasKeys, machine: only, added }: AuditOptions): Audit {
  const verify = createVerifier();
  const machines = new Map<string, Collected>();
  const findings: Finding[] = [];
  const pipeline = new Set(added);
  let records = 0;

  const machineOf = (name: string): Collected => {
    const found =
      machines.get(name) ??
      new Collected(
        name,
        known.find(({ machine }) => machine === name),
      );
    machines.set(name, found);
    return found;
  };
  for (const { machine } of known) machineOf(machine);

  async function takeRecord(group: Group, record: Content): Promise<Reading> {
    const reading = readRecord(group, record, pipeline);
    const { link } = reading;
    if (!link || machines.get(link.machine)?.hasTaken(link) || (await verify(link.key, link.signed, link.signature)))
      return reading;
    const { machine, sequence } = reading;
    return { machine, sequence, damage: 'is not signed by the key that stands with it' };
  }

  async function takeGroup(group: Group, where: string): Promise<void> {
    const ours = group.records.filter((record) => isOurs(group, record));
    records += ours.length;
    const readings = await Promise.all(ours.map((record) => takeRecord(group, record)));
    for (const { machine, sequence, damage } of readings) {
      if (damage === undefined) continue;
      if (machine === undefined || sequence === undefined)
        findings.push({ kind: 'changed', what: `A record in ${where} ${damage}.`, means: CHANGED });
      else machineOf(machine).damaged(sequence, damage, where);
    }
    const links = readings.flatMap(({ link }) => link ?? []);
    for (const name of new Set(links.map(({ machine }) => machine)))
      machineOf(name).take(
        links.filter(({ machine }) => machine === name),
        where,
      );
  }

  return {
    records: () => records,
    claim: (machine, head) => machineOf(machine).claim(head, 'the head that was given'),
    async take({ groups, newest }, where) {
      for (const group of groups) await takeGroup(group, where);
      for (const { machine, sequence } of newest)
        machineOf(machine).points.push({ sequence, by: `the metric in ${where}` });
    },
    unreadable(where, problem) {
      findings.push({ kind: 'unreadable', what: `${where} ${problem}.`, means: 'What stood there is not looked at.' });
    },
    async finish() {
      const looked = [...machines.values()].filter(({ machine }) => only === undefined || machine === only);
      const owners = new Map(known.flatMap(({ machine, keys }) => keys.map((key) => [key, machine] as const)));
      const trusted: Trusted = { hasKeys, verify, owners };
      const reports: MachineReport[] = [];
      for (const machine of looked) reports.push(await reportOn(machine, trusted));
      return { records, machines: reports, findings: [...findings, ...reports.flatMap((report) => report.findings)] };
    },
  };
}

async function reportOn(collected: Collected, trusted: Trusted): Promise<MachineReport> {
  const { trust, findings, notes } = await keyFindings(collected, trusted);
  const [numbers, all] = [collected.numbers(), collected.all()];
  const last = numbers.at(-1) ?? 0;
  const end = collected.at(last).at(-1);
  const lost = all.reduce((most, link) => Math.max(most, link.lost), 0);
  const lastAt = [...collected.checkpoints.values()].reduce((newest, { at }) => Math.max(newest, at), end?.at ?? 0);
  return {
    ...{ machine: collected.machine, trust, records: all.length, lost },
    ...(end && { key: end.key, first: numbers[0] ?? last, last, head: end.head, lastAt }),
    findings: [...findingsIn(collected), ...findings],
    notes: [
      ...notes,
      ...(lost > 0
        ? [`The machine says itself that it has lost ${counted(lost, 'decision')} so far, before they could be sent.`]
        : []),
      ...(collected.isShuffled ? [SHUFFLED] : []),
    ],
  };
}

const SHUFFLED =
  'Batches came twice or lie in another order than they were sent; by their numbers the records are held against each other.';
const CHANGED = 'Somebody changed it after it left, or it is not of Fairlead at all.';
