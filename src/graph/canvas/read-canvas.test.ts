import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { takeLease } from '../store/lease.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { Canvas, Evidence } from './canvas.ts';
import { parseCanvas, readCanvas } from './read-canvas.ts';
import { canvasLines, renderCanvas } from './render-canvas.ts';
import type { CanvasView, SeenEvidence } from './view-canvas.ts';

const ROOT = '/code/app';
const EVIDENCE: Evidence = {
  id: 'E3',
  kind: 'impact',
  origin: 'explicit',
  symbol: 'a.ts#f',
  name: 'f',
  counts: { callers: 2 },
  digest: 'd',
  at: Date.UTC(2030, 0, 2, 3, 4),
};
const CANVAS: Canvas = { version: 1, lastEvidence: 3, focus: 'a.ts#f', evidence: [EVIDENCE], claims: [{ id: 'C1' }] };

describe('what is taken for a canvas', () => {
  const broken = (change: object) => JSON.stringify({ ...CANVAS, evidence: [{ ...EVIDENCE, ...change }] });
  it.each<[string, unknown]>([
    [JSON.stringify(CANVAS), CANVAS],
    [JSON.stringify({ version: 1, lastEvidence: 0, evidence: [] }), { version: 1, lastEvidence: 0, evidence: [] }],
    [JSON.stringify({ ...CANVAS, version: 2, evidence: 'other' }), 'other'],
    ['', 'damaged'],
    ['{"version":1', 'damaged'],
    ['[]', 'damaged'],
    ['null', 'damaged'],
    ['{}', 'damaged'],
    ['{"version":1,"lastEvidence":"3","evidence":[]}', 'damaged'],
    ['{"version":1,"lastEvidence":-5,"evidence":[]}', 'damaged'],
    [broken({ id: 'C3' }), 'damaged'],
    [broken({ kind: 'board' }), 'damaged'],
    [broken({ counts: { callers: '2' } }), 'damaged'],
    [broken({ at: undefined }), 'damaged'],
    [broken({ symbol: 7 }), 'damaged'],
  ])('%s', (text, expected) => {
    expect(parseCanvas(text)).toEqual(expected);
  });
});

describe('a canvas on disk', () => {
  let state: string;
  const location = () => graphPaths(state, ROOT);
  const read = () => readCanvas({ state, root: ROOT, files: nodeFiles, pid: process.pid });
  const put = (text: string) => writeFileSync(location().canvas, text);
  const names = () => readdirSync(location().workspace).filter((name) => name.startsWith('canvas'));

  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'fairlead-canvas-'));
    mkdirSync(location().workspace, { recursive: true });
  });
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  it('that is not there is none', () => {
    expect(read()).toEqual({});
  });

  it('that is damaged is set aside once, and its numbers are not given again', () => {
    put('{"evidence":[{"id":"E17"},{"id":"E4"');
    const { canvas, problem } = read();
    expect(canvas).toBeUndefined();
    expect(problem).toMatch(/^the canvas was damaged and is kept as .*canvas\.json\.damaged-\d+$/);
    const [, aside = ''] = names();
    expect(readFileSync(join(location().workspace, aside), 'utf8')).toBe('{"evidence":[{"id":"E17"},{"id":"E4"');
    expect(read()).toEqual({ canvas: { version: 1, lastEvidence: 17, evidence: [] } });
    expect(names()).toHaveLength(2);
  });

  it('that is damaged is kept byte for byte, however large', () => {
    const bytes = Buffer.concat([Buffer.alloc(17 << 20, ' '), Buffer.from([0x7b, 0xff, 0xfe, 0x22])]);
    writeFileSync(location().canvas, bytes);
    read();
    const [, aside = ''] = names();
    expect(readFileSync(join(location().workspace, aside)).equals(bytes)).toBe(true);
  });

  it('that is damaged is left to whoever writes there', () => {
    put('{');
    const lease = takeLease(nodeFiles, location(), { pid: process.pid, since: 1 });
    expect(read().problem).toBe(`${location().canvas} is damaged`);
    expect(names()).toEqual(['canvas.json']);
    lease?.release();
  });

  it('of a later version is reported and not touched', () => {
    put('{"version":2}');
    expect(read().problem).toContain('later version');
    expect(readFileSync(location().canvas, 'utf8')).toBe('{"version":2}');
  });
});

describe('its text', () => {
  const seen = (at: number, more: Partial<SeenEvidence> = {}): SeenEvidence => ({
    ...EVIDENCE,
    id: `E${at}`,
    outdated: false,
    pictures: [],
    ...more,
  });
  const view = (evidence: readonly SeenEvidence[], more: Partial<CanvasView> = {}): CanvasView => ({
    root: ROOT,
    artifacts: '/state/artifacts',
    evidence,
    ...more,
  });
  const more = (options: Readonly<Record<string, number>>) => `read ${JSON.stringify(options)}`;

  it('names focus, evidence, pictures and what is outdated', () => {
    const all = [
      seen(2, { outdated: true, origin: 'auto' }),
      seen(1, { pictures: ['/state/artifacts/x.svg', '/y.png'] }),
    ];
    expect(renderCanvas(view(all, { focus: 'a.ts#f' }), 20, 6_000, more).split('\n')).toEqual([
      'canvas of /code/app',
      'focus: a.ts#f',
      'evidence: 2, 1 outdated',
      '2 pictures in /state/artifacts',
      'E2  impact  a.ts#f  callers 2  from a card  2030-01-02 03:04  outdated',
      'E1  impact  a.ts#f  callers 2  2030-01-02 03:04',
      '    /state/artifacts/x.svg',
    ]);
  });

  it('says what is left out and stays within its length', () => {
    const all = Array.from({ length: 50 }, (_, at) => seen(50 - at));
    expect(renderCanvas(view(all), 2, 6_000, more)).toMatch(/E50 [^]*E49 .*\n… 48 older: read {"limit":50}$/);
    for (const chars of [100, 300, 1_000])
      expect(renderCanvas(view(all), 50, chars, more).length).toBeLessThanOrEqual(chars);
  });

  it('asks for as many characters as what it left out needs', () => {
    const all = Array.from({ length: 400 }, (_, at) => seen(400 - at, { pictures: [`/state/artifacts/${at}.svg`] }));
    const [, asked = '{}'] = /older: read (.*)$/.exec(renderCanvas(view(all), 20, 6_000, more)) ?? [];
    const { limit, 'max-chars': chars } = JSON.parse(asked) as { limit: number; 'max-chars': number };
    expect(renderCanvas(view(all), limit, chars, more)).toContain('\nE1  ');
  });

  it('has nothing in it that a terminal would obey', () => {
    expect(canvasLines(view([], { focus: 'a\u001b[2J' })).join()).not.toContain('\u001b');
  });

  it('of an empty one says how it is filled', () => {
    expect(renderCanvas(view([]), 20, 6_000, more)).toContain('nothing was kept of /code/app yet');
  });

  it('of one that cannot be read says that alone', () => {
    const text = renderCanvas(view([], { problem: 'a later version wrote it' }), 20, 6_000, more);
    expect(text).toContain('a later version wrote it');
    expect(text).not.toContain('nothing was kept');
  });
});
