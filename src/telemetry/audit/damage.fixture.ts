import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signBytes } from '../../platform/ed25519.ts';
import { HEAD, headAfter, OWN, PREVIOUS, SEQUENCE, SIGNATURE, signedText } from '../record/chain.ts';
import { createAudit } from './audit.ts';
import type { AuditReport } from './audit.ts';
import { textIn } from './exported.ts';
import { exportedInJson } from './read-export.ts';
import type { KnownMachine } from './known-machines.ts';
import { readExport } from './read-export.ts';

interface Any {
  stringValue?: string;
  intValue?: string;
  arrayValue?: { values: Any[] };
}
export interface Pair {
  key: string;
  value: Any;
}
export interface Record {
  timeUnixNano: string;
  severityNumber: number;
  severityText: string;
  body: Any;
  attributes: Pair[];
  flags?: number;
  traceId?: string;
  spanId?: string;
  eventName: string;
}
export interface Line {
  resourceLogs: {
    resource: { attributes: Pair[] };
    scopeLogs: { scope: { name: string; version: string }; logRecords: Record[] }[];
  }[];
}

export const scopeIn = (line: Line) => {
  const scope = line.resourceLogs[0]?.scopeLogs[0];
  if (!scope) throw new Error('no scope');
  return scope;
};
export const resourceIn = (line: Line) => line.resourceLogs[0]?.resource.attributes ?? [];
export const recordsIn = (line: Line): Record[] => scopeIn(line).logRecords;
export const attribute = (record: Pick<Record, 'attributes'>, key: string): Any =>
  record.attributes.find((pair) => pair.key === key)?.value ?? {};
export const sequenceOf = (record: Record): number => Number(attribute(record, SEQUENCE).intValue ?? 0);

/** Another value of the same kind. */
export function spoil(value: Any): void {
  if (value.stringValue !== undefined) value.stringValue = `${value.stringValue}x`;
  else if (value.intValue !== undefined) value.intValue = String(Number(value.intValue) + 1);
  else value.arrayValue?.values.push({ stringValue: 'more' });
}

/** As somebody without the key would: hashes that fit, from the first of these records on. */
export function rehash(records: readonly Record[], secret?: string, version?: string): void {
  let head: string | undefined;
  for (const record of records) {
    const previous = head ?? attribute(record, PREVIOUS).stringValue ?? '';
    attribute(record, PREVIOUS).stringValue = previous;
    const line = { resourceLogs: [{ resource: {}, scopeLogs: [{ logRecords: [record] }] }] };
    const content = exportedInJson(line).groups[0]?.records[0];
    if (!content) throw new Error('no record');
    const made = headAfter(previous, { ...content, attributes: content.attributes.filter(([key]) => !OWN.has(key)) });
    attribute(record, HEAD).stringValue = made;
    if (secret !== undefined)
      attribute(record, SIGNATURE).stringValue = signBytes(secret, Buffer.from(signedText(made, version ?? '')));
    if (record.eventName !== 'fairlead.checkpoint') head = made;
  }
}

export const versionOf = (line: Line): string =>
  textIn(exportedInJson(line).groups[0]?.resource ?? [], 'service.version') ?? '';

/** Whatever lies in a file, as the verb reads it. */
export async function auditBytes(
  bytes: string | Uint8Array,
  known: readonly KnownMachine[] = [],
): Promise<AuditReport> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-audit-'));
  const path = join(folder, 'export');
  writeFileSync(path, bytes);
  try {
    const audit = createAudit({ known, hasKeys: known.length > 0, added: [] });
    for await (const { at, exported, problem } of readExport(path)) {
      if (exported) await audit.take(exported, `export:${at}`);
      else audit.unreadable(`export:${at}`, problem ?? '');
    }
    return await audit.finish();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
