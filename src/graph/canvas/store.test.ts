import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import type { Canvas, Evidence } from './canvas.ts';
import { keepEvidence } from '../indexer/draw-request.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'fl-canvas-')), 'canvas.json');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

const read = (): Canvas => JSON.parse(readFileSync(path, 'utf8')) as Canvas;
let now = 0;
const impact = (symbol: string, more: Partial<Evidence> = {}): Omit<Evidence, 'id'> => {
  now += 1;
  return {
    kind: 'impact',
    origin: 'auto',
    symbol,
    name: symbol,
    counts: { callers: 1 },
    digest: 'd1',
    at: now,
    ...more,
  };
};
const keep = (found: Omit<Evidence, 'id'>) => keepEvidence(nodeFiles, path, found).id;

it('numbers what is new, and updates in place what is known', () => {
  const whole: Omit<Evidence, 'id'> = {
    kind: 'architecture',
    origin: 'auto',
    counts: { files: 2 },
    digest: 'w1',
    at: 1,
  };
  expect([keep(whole), keep(impact('a')), keep(impact('b')), keep({ ...whole, digest: 'w2' })]).toEqual([
    'E1',
    'E2',
    'E3',
    'E1',
  ]);
  expect(keep(impact('a', { digest: 'd2', counts: { callers: 5 } }))).toBe('E2');
  const { evidence, lastEvidence } = read();
  expect(lastEvidence).toBe(3);
  expect(evidence.map(({ id, digest }) => [id, digest])).toEqual([
    ['E1', 'w2'],
    ['E2', 'd2'],
    ['E3', 'd1'],
  ]);
});

it('moves the focus for those who asked, and for nobody else', () => {
  keep(impact('a', { origin: 'explicit' }));
  keep(impact('b'));
  keep({ kind: 'architecture', origin: 'explicit', counts: {}, digest: 'w', at: 3 });
  expect(read().focus).toBe('a');
  keep(impact('b', { origin: 'explicit' }));
  expect(read().focus).toBe('b');
  keep(impact('b', { digest: 'd9' }));
  expect(read().evidence.find(({ symbol }) => symbol === 'b')).toMatchObject({ origin: 'explicit', digest: 'd9' });
});

it('writes nothing for what is only read about again', () => {
  keep(impact('a'));
  const { ino } = statSync(path);
  keep(impact('a'));
  expect(statSync(path).ino).toBe(ino);
  keep(impact('a', { digest: 'd2' }));
  expect(statSync(path).ino).not.toBe(ino);
});

it('keeps what it does not know', () => {
  keep(impact('a'));
  const claims = [{ id: 'C1', text: 'mine' }];
  writeFileSync(path, JSON.stringify({ ...read(), claims, decisions: [], plans: { later: true } }));
  keep(impact('b'));
  expect(read()).toMatchObject({ claims, decisions: [], plans: { later: true }, lastEvidence: 2 });
});

it('gives no number twice, whatever was taken out', () => {
  keep(impact('a'));
  keep(impact('b'));
  writeFileSync(path, JSON.stringify({ ...read(), evidence: read().evidence.slice(0, 1) }));
  expect(keep(impact('c'))).toBe('E3');
  writeFileSync(path, JSON.stringify({ ...read(), lastEvidence: 0 }));
  expect(keep(impact('d'))).toBe('E4');
});

it('sets a damaged one aside, says so, and goes on counting where that one was', () => {
  writeFileSync(path, '{"version":1,"evidence":[{"id":"E41"');
  const { id, notice } = keepEvidence(nodeFiles, path, impact('a', { at: 1234 }));
  expect([id, notice]).toEqual(['E42', `the canvas was damaged and is kept as ${path}.damaged-1234`]);
  expect(readFileSync(`${path}.damaged-1234`, 'utf8')).toContain('"E41"');
  expect(read().evidence).toHaveLength(1);
});

it('keeps every byte of a damaged one, also those that are no text', () => {
  const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x22]);
  writeFileSync(path, bytes);
  keepEvidence(nodeFiles, path, impact('a', { at: 1234 }));
  expect(readFileSync(`${path}.damaged-1234`).equals(bytes)).toBe(true);
});

it('leaves alone what a later version wrote', () => {
  writeFileSync(path, '{"version":2}');
  expect(() => keep(impact('a'))).toThrow('later version');
  expect(readFileSync(path, 'utf8')).toBe('{"version":2}');
});

it('says when the disk is full, and the canvas is as it was', () => {
  keep(impact('a'));
  const before = readFileSync(path, 'utf8');
  const full = {
    ...nodeFiles,
    writeAtomic() {
      throw new Error('ENOSPC: no space left on device');
    },
  };
  expect(() => keepEvidence(full, path, impact('b'))).toThrow('ENOSPC');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(readdirSync(join(path, '..'))).toEqual(['canvas.json']);
});

it('forgets the oldest of what was only read about, never the focus or what was asked for', () => {
  keep(impact('focus', { origin: 'explicit' }));
  const many = Array.from({ length: 501 }, (_, i) => ({ id: `E${i + 2}`, ...impact(`s${i}`) }));
  writeFileSync(path, JSON.stringify({ ...read(), lastEvidence: 502, evidence: [...read().evidence, ...many] }));
  expect(keep(impact('s501'))).toBe('E503');
  const kept = read().evidence.map(({ symbol }) => symbol);
  expect(kept).toHaveLength(501);
  expect(kept.slice(0, 3)).toEqual(['focus', 's2', 's3']);
  expect(keep(impact('s0'))).toBe('E504');
});
