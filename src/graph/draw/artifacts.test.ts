import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { impactName, openArtifacts } from './artifacts.ts';

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'fl-artifacts-')), 'artifacts');
});
afterEach(() => rmSync(join(dir, '..'), { recursive: true }));

const PNG = new Uint8Array([1, 2, 3]);
const shown = (name: string, digest = 'd1') => ({ name, digest, state: 'stable' as const });

it.each([
  ['Store.save', /^impact_Store\.save_[\da-f]{8}$/],
  ['../../etc/passwd', /^impact_etc-passwd_[\da-f]{8}$/],
  ['保存', /^impact_symbol_[\da-f]{8}$/],
  ['operator()', /^impact_operator_[\da-f]{8}$/],
  ['a\u0000b\nc', /^impact_a-b-c_[\da-f]{8}$/],
  ['x'.repeat(300), /^impact_x{60}_[\da-f]{8}$/],
])('a file can be called after %j', (name, expected) => {
  expect(impactName(name, `src/a.ts#${name}`)).toMatch(expected);
  expect(impactName(name, 'src/a.ts#one')).not.toBe(impactName(name, 'src/b.ts#one'));
});

it('has what was put, until it would show something else or a file is not whole', () => {
  const artifacts = openArtifacts(nodeFiles, dir);
  expect(artifacts.has(shown('architecture'), 'svg')).toBe(false);
  artifacts.put({ ...shown('architecture'), time: 1 }, '<svg/>', PNG);
  expect(artifacts.has(shown('architecture'), 'svg') && artifacts.has(shown('architecture'), 'png')).toBe(true);
  expect(artifacts.has(shown('architecture', 'd2'), 'svg')).toBe(false);
  expect(artifacts.has({ ...shown('architecture'), state: 'stale' }, 'svg')).toBe(false);
  truncateSync(join(dir, 'architecture.png'), 1);
  expect([artifacts.has(shown('architecture'), 'svg'), artifacts.has(shown('architecture'), 'png')]).toEqual([
    true,
    false,
  ]);
});

it('leaves no PNG of something else beside a new SVG', () => {
  const artifacts = openArtifacts(nodeFiles, dir);
  artifacts.put({ ...shown('architecture'), time: 1 }, '<svg/>', PNG);
  artifacts.put({ ...shown('architecture', 'd2'), time: 2 }, '<svg></svg>', undefined);
  expect(readdirSync(dir)).toEqual(['architecture.svg', 'index.json']);
});

it('keeps the last 50 impacts and whatever else lies there', () => {
  const artifacts = openArtifacts(nodeFiles, dir);
  artifacts.put({ ...shown('architecture'), time: 0 }, '<svg/>', PNG);
  writeFileSync(join(dir, 'board.svg'), 'of somebody else');
  for (let i = 0; i < 53; i += 1)
    artifacts.put(
      { ...shown(`impact_f_${i}`), symbol: `a.ts#f${i}`, time: 100 - (i === 0 ? -100 : -i) },
      '<svg/>',
      PNG,
    );
  const names = readdirSync(dir);
  expect(names.filter((name) => /^impact_.*svg$/.test(name))).toHaveLength(50);
  expect(names.filter((name) => /^impact_.*png$/.test(name))).toHaveLength(50);
  expect(names).toContain('impact_f_0.svg');
  expect(names).not.toContain('impact_f_1.svg');
  expect(names).toEqual(expect.arrayContaining(['architecture.svg', 'board.svg']));
});

it('begins anew where the list cannot be read', () => {
  const artifacts = openArtifacts(nodeFiles, dir);
  artifacts.put({ ...shown('impact_f_1'), symbol: 'a.ts#f', time: 1 }, '<svg/>', PNG);
  writeFileSync(join(dir, 'index.json'), '{"version":1,"pictures":[null,{"name":3}');
  expect(artifacts.has(shown('impact_f_1'), 'svg')).toBe(false);
  artifacts.put({ ...shown('impact_g_2'), symbol: 'a.ts#g', time: 2 }, '<svg/>', PNG);
  expect(readdirSync(dir)).toEqual(['impact_g_2.png', 'impact_g_2.svg', 'index.json']);
  expect(JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8'))).toMatchObject({
    pictures: [{ name: 'impact_g_2' }],
  });
});
