import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DEMO, metadata, SPEC, TASKS } from './increment.fixture.ts';
import { featureOf } from './living-docs.ts';
import { openSample } from './sample.fixture.ts';
import type { Sample } from './sample.fixture.ts';

let sample: Sample;
afterEach(() => sample.remove());

const DOCS = '.specweave/docs/internal/specs';
const ID = '0001-demo';
const TWO = `${SPEC}\n### US-002: Write "settings": later\n\n- [x] AC-US2-01: Written\n`;
function demo(spec = TWO, tasks = TASKS): Sample {
  sample = openSample({
    [`${DEMO}/spec.md`]: spec,
    [`${DEMO}/tasks.md`]: tasks,
    [`${DEMO}/metadata.json`]: metadata('active'),
  });
  return sample;
}
const write = (options?: object) => sample.run('living-docs', ID, { ...options });
const frontMatter = (path: string): unknown => parse(sample.read(path).split('\n---\n')[0] ?? '');
const FIRST = `${DOCS}/shop/FS-001/us-001-read-settings.md`;
const SECOND = `${DOCS}/shop/FS-001/us-002-write-settings-later.md`;
const FEATURE = `${DOCS}/_features/FS-001/FEATURE.md`;
const README = `${DOCS}/shop/FS-001/README.md`;

describe('living docs', () => {
  it('a feature, a pointer and a page per story', async () => {
    demo();
    await write();
    expect(sample.files(DOCS)).toEqual([FEATURE, README, FIRST, SECOND].toSorted());
    expect(frontMatter(FEATURE)).toEqual({
      id: 'FS-001',
      title: 'Settings reader',
      type: 'feature',
      status: 'active',
      priority: 'none',
      created: '2027-02-01T08:00:00Z',
      lastUpdated: '2027-03-02T10:00:00.000Z',
    });
    expect(frontMatter(SECOND)).toEqual({
      id: 'US-002',
      feature: 'FS-001',
      title: "Write 'settings': later",
      status: 'completed',
      priority: 'none',
      created: '2027-02-01T08:00:00Z',
    });
    const story = sample.read(FIRST);
    expect(story.slice(story.indexOf('<!--'))).toBe(`<!-- fairlead:begin 0001-demo/US-001 -->
# US-001: Read settings

## Acceptance criteria

- [ ] **AC-US1-01**: The file is parsed.
- [ ] **AC-US1-02**: An error names its line.

## Increment

[0001-demo](../../../../../increments/0001-demo/spec.md)

## Tasks

- [ ] [T-001](../../../../../increments/0001-demo/tasks.md): Parse the file
- [ ] [T-002](../../../../../increments/0001-demo/tasks.md): Report errors
<!-- fairlead:end 0001-demo/US-001 -->
`);
    for (const path of [FEATURE, README, FIRST, SECOND]) {
      const text = sample.read(path);
      for (const [, link = ''] of text.matchAll(/\]\(([^)]+)\)/g))
        expect(() => sample.read(join(path, '..', decodeURIComponent(link)))).not.toThrow();
    }
    expect(sample.read(README)).toContain('(../../_features/FS-001/FEATURE.md)');
    expect(sample.read(FEATURE)).toContain('- [US-001: Read settings](../../shop/FS-001/us-001-read-settings.md)');
  });

  it('text outside the blocks is kept', async () => {
    demo();
    await write();
    for (const path of [FEATURE, README, FIRST]) {
      const [front = '', rest = ''] = sample.read(path).split('<!-- fairlead:begin');
      sample.put(path, `${front}Before.\r\n<!-- fairlead:begin${rest}\nAfter.`);
    }
    sample.put(
      `${DEMO}/spec.md`,
      TWO.replace('# Settings reader', '# Settings')
        .replace('title: Settings reader', 'x: y')
        .replace('is parsed', 'is read'),
    );
    await write();
    for (const path of [FEATURE, README, FIRST]) {
      expect(sample.read(path)).toMatch(/(^|\n)Before\.\r\n<!-- fairlead:begin/);
      expect(sample.read(path)).toMatch(/ -->\r?\n\nAfter\.$/);
    }
    expect(sample.read(FIRST)).toContain('The file is read.');
    expect(sample.read(FEATURE)).toContain('# FS-001: Settings\r\n');
  });

  it('appends its block once to a page that somebody wrote', async () => {
    demo();
    sample.put(FEATURE, '---\nid: FS-001\nstatus: dreaming\n---\n# Mine');
    sample.put(FIRST, 'My notes\n');
    await write();
    expect(sample.read(FEATURE)).toMatch(
      /^---\nid: FS-001\nstatus: dreaming\n---\n# Mine\n\n<!-- fairlead:begin feature -->/,
    );
    expect(sample.read(FIRST)).toMatch(/^My notes\n\n<!-- fairlead:begin 0001-demo\/US-001 -->\n/);
    const before = sample.times();
    await write();
    expect(sample.times()).toEqual(before);
  });

  it('takes no mention of a mark for one, and says which page it cannot make sense of', async () => {
    demo();
    await write();
    const quoted = 'The generated part starts at `<!-- fairlead:begin feature -->`.\n\nMine, for years.\n\n';
    const [front = '', rest = ''] = sample.read(FEATURE).split('<!-- fairlead:begin');
    sample.put(FEATURE, `${front}${quoted}<!-- fairlead:begin${rest}`);
    sample.put(`${DEMO}/spec.md`, TWO.replace('Read settings', 'Read everything'));
    expect((await write()).found?.warnings).toEqual([]);
    expect(sample.read(FEATURE)).toContain(quoted);
    expect(sample.read(FEATURE)).toContain('Read everything');
    const twice = `${sample.read(FEATURE)}\n<!-- fairlead:begin feature -->\nMine.\n<!-- fairlead:end feature -->\n`;
    sample.put(FEATURE, twice);
    sample.put(`${DEMO}/spec.md`, TWO);
    expect((await write()).found?.warnings).toEqual([
      `${FEATURE} is left alone: its marks of feature are not one pair`,
    ]);
    expect(sample.read(FEATURE)).toBe(twice);
  });

  it('writes the other pages when one may not be written', async () => {
    demo();
    await write();
    chmodSync(join(sample.root, FEATURE), 0o444);
    const before = sample.read(FEATURE);
    sample.put(`${DEMO}/spec.md`, TWO.replace('Read settings', 'Read everything'));
    expect(await sample.attempt('living-docs', ID)).toMatchObject({
      state: 'failed',
      error: new Error(`${join(sample.root, FEATURE)} is write-protected and stays as it is`),
    });
    expect(sample.read(FEATURE)).toBe(before);
    expect(sample.read(FIRST)).toContain('Read everything');
  });

  it('leaves a block alone whose end is gone', async () => {
    demo();
    await write();
    const torn = sample.read(FIRST).replace('<!-- fairlead:end 0001-demo/US-001 -->\n', '');
    sample.put(FIRST, torn);
    sample.put(`${DEMO}/spec.md`, TWO.replace('is parsed', 'is read'));
    await write();
    expect(sample.read(FIRST)).toBe(torn);
  });

  it('marks a story that is gone, once, and takes it back', async () => {
    demo();
    await write();
    const before = sample.read(FIRST);
    sample.put(`${DEMO}/spec.md`, TWO.replace('### US-001: Read settings', '### Reading'));
    await write();
    expect(frontMatter(FIRST)).toMatchObject({ id: 'US-001', status: 'removed', title: 'Read settings' });
    expect(sample.read(FIRST)).toContain('No longer in [spec.md](../../../../../increments/0001-demo/spec.md).');
    expect((await write()).found?.written).toEqual([]);
    expect(sample.read(FEATURE)).not.toContain('US-001');
    sample.put(`${DEMO}/spec.md`, TWO);
    await write();
    expect(sample.read(FIRST)).toBe(before);
  });

  it('keeps the page of a story whose title changes', async () => {
    demo();
    await write();
    sample.put(`${DEMO}/spec.md`, TWO.replace('Read settings', 'Read everything'));
    await write();
    expect(sample.files(`${DOCS}/shop`)).toEqual([README, FIRST, SECOND].toSorted());
    expect(frontMatter(FIRST)).toMatchObject({ title: 'Read everything' });
  });

  it('tells apart the same story of two increments of a feature', async () => {
    demo(TWO.replace('---\n', '---\nfeature: FS-500\n'));
    const other = '.specweave/increments/0002-more';
    sample.put(
      `${other}/spec.md`,
      '---\nepic: FS-500\n---\n# More\n\n### US-001: Read settings\n\n- [ ] AC-US1-01: b\n',
    );
    sample.put(`${other}/metadata.json`, metadata('completed', '0002-more'));
    await write();
    await sample.run('living-docs', '0002-more');
    const dir = `${DOCS}/shop/FS-500`;
    expect(sample.files(dir)).toContain(`${dir}/us-001-read-settings-0002.md`);
    expect(sample.read(`${dir}/us-001-read-settings.md`)).toContain('**AC-US1-02**');
    const feature = sample.read(`${DOCS}/_features/FS-500/FEATURE.md`);
    expect(feature).toMatch(/\| Settings reader \| active \|\n\| \[0002-more\].* \| More \| completed \|/);
    expect(feature).toMatch(/^status: active$/m);
    const before = sample.times();
    await write();
    await sample.run('living-docs', '0002-more');
    expect(sample.times()).toEqual(before);
  });

  it('links the pages of each project of a feature', async () => {
    demo(TWO.replace('---\n', '---\nfeature: FS-500\n'));
    const other = '.specweave/increments/0002-more';
    sample.put(`${other}/spec.md`, '---\nfeature: FS-500\nproject: depot\n---\n# More\n\n### US-003: Store\n');
    await write();
    const feature = `${DOCS}/_features/FS-500/FEATURE.md`;
    expect(sample.read(feature)).toContain('(../../depot/FS-500/us-003-store.md)');
    expect((await sample.run('living-docs', '0002-more')).found?.written).toEqual([
      `${DOCS}/depot/FS-500/README.md`,
      `${DOCS}/depot/FS-500/us-003-store.md`,
    ]);
  });

  it('has one page for a story that stands twice', async () => {
    demo(`${SPEC}\n### US-001: Read settings\n\n- [x] AC-US1-03: Again\n`);
    await write();
    expect(sample.files(`${DOCS}/shop`)).toEqual([README, FIRST].toSorted());
    expect(sample.read(FIRST)).toContain('- [x] **AC-US1-03**: Again');
    expect((await write()).found?.written).toEqual([]);
  });

  it('leaves alone what is no page', async () => {
    demo();
    sample.put(`${FEATURE}/a.md`, 'a directory of that name');
    sample.put(FIRST, 'x'.repeat(1_100_000));
    expect((await write()).found?.written).toEqual([README, SECOND]);
  });

  it('lets no text of a spec pass for a mark', async () => {
    const nasty = '`<!-- fairlead:end feature -->` `<!-- fairlead:begin feature -->`';
    demo(TWO.replace('# Settings reader\n', `# Settings ${nasty}\n\n${nasty}\n`));
    await write();
    const before = sample.times();
    await write();
    expect(sample.times()).toEqual(before);
    expect(sample.read(FEATURE).match(/<!-- fairlead:(begin|end)/g)).toHaveLength(2);
  });

  it('lies where the options and the spec say, inside the project', async () => {
    demo(TWO.replace('---\n', '---\nproject: ../../Back office\nfeature: ../evil\n'));
    await write({ living_docs: { root: 'docs/specs' } });
    expect(sample.files('docs')).toContain('docs/specs/Back-office/FS-001/README.md');
    for (const root of ['../out', '/etc', '~/x', 'a/../../b', '', 7]) await write({ living_docs: { root } });
    expect(sample.files('.').filter((path) => path.endsWith('FEATURE.md'))).toEqual([
      `${DOCS}/_features/FS-001/FEATURE.md`,
      'docs/specs/_features/FS-001/FEATURE.md',
    ]);
  });

  it('takes the project from the configuration', async () => {
    sample = openSample();
    await sample.run('living-docs', '0001-user-login');
    await sample.run('living-docs', '0002-invoice-export');
    expect(sample.files(DOCS)).toEqual([
      `${DOCS}/Corner-Shop/FS-001/README.md`,
      `${DOCS}/Corner-Shop/FS-001/us-001-log-in.md`,
      `${DOCS}/Corner-Shop/FS-001/us-002-log-out.md`,
      `${DOCS}/_features/FS-001/FEATURE.md`,
      `${DOCS}/_features/FS-900/FEATURE.md`,
      `${DOCS}/back-office/FS-900/README.md`,
      `${DOCS}/back-office/FS-900/us-001-export-a-month.md`,
    ]);
    expect(frontMatter(`${DOCS}/Corner-Shop/FS-001/us-001-log-in.md`)).toMatchObject({
      priority: 'P1',
      status: 'active',
    });
  });

  it.each([
    ['0001-demo', {}, 'FS-001'],
    ['0123E-demo', {}, 'FS-123'],
    ['1234-demo', {}, 'FS-1234'],
    ['0001-demo', { epic: 'FS-7', feature_id: 'FS-8' }, 'FS-7'],
    ['0001-demo', { feature: '..' }, 'FS-001'],
    ['0001-demo', { feature: 'a/b', feature_id: 'FS-8' }, 'FS-8'],
  ])('%s with %j belongs to %s', (id, fields, feature) => {
    sample = openSample({});
    expect(featureOf(id, new Map(Object.entries(fields)))).toBe(feature);
  });
});
