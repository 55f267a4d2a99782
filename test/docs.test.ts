// What the Markdown files of the repository say of each other and of the sources.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BENCHES, benchNamed } from '../bench/bars/bars.ts';
import { barsPage, pictureOf, readmeWith, rowsOf } from '../bench/bars/page.ts';
import { readResults } from '../bench/bars/results.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const markdownIn = (dir: string) =>
  readdirSync(join(root, dir))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(dir, name));

const PAGES = ['.', 'docs', 'docs/adr', 'docs/packs'].flatMap(markdownIn);
const ADRS = markdownIn('docs/adr').filter((path) => /\/\d{4}-/.test(path));
/** A path in backticks; names with a gap to fill, such as `src/packs/<pack>/`, are not meant as they stand. */
const SOURCE = /`((?:src|test|scripts|bench|native|docs|bin)\/[\w./-]+)`/g;

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```/gms, '');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** As the host of the repository makes them. */
function anchorsOf(path: string): string[] {
  return matches(withoutCode(read(path)), /^#+ (.*)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

describe.each(PAGES)('%s', (page) => {
  const text = withoutCode(read(page));

  it('links to what is there', () => {
    const links = matches(text.replaceAll(/`[^`\n]*`/g, ''), /\]\(([^)\s]+)\)/g);
    expect(links.filter((link) => !link.includes('://') && isBroken(page, link))).toEqual([]);
  });

  it('names sources that are there', () => {
    expect(matches(text, SOURCE).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('what the package has', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  const isIn = (path: string) =>
    ['README.md', 'LICENSE', ...files].some((each) => path === each || path.startsWith(`${each}/`));

  it.each(PAGES.filter(isIn))('%s links to what is there', (page) => {
    const links = matches(withoutCode(read(page)).replaceAll(/`[^`\n]*`/g, ''), /\]\(([^)\s#]+)[^)]*\)/g);
    const missing = links.filter((link) => !link.includes('://') && !isIn(join(dirname(page), link)));
    expect(missing.map((link) => `${page} ${link}`)).toEqual([]);
  });
});

it.each(ADRS)('%s has a status and a line in the list of decisions', (path) => {
  const [title = '', , status = ''] = read(path).split('\n');
  const name = path.slice('docs/adr/'.length);
  expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `));
  expect(status).toMatch(/^Status: (?:accepted|replaced by \[)/);
  expect(read('docs/adr/README.md')).toContain(`](${name}) |`);
});

describe('figures', () => {
  const results = readResults(root);
  const MEASURES = /npm run (?:bars|bench|graph:accuracy|guard:score)/;
  const FIGURE = /\d ?(?:µs|ms|MB|MiB|KiB|%|times|x)(?!\w)/;
  const paragraphs = PAGES.filter((page) => !page.startsWith('docs/adr/') && page !== 'CHANGELOG.md').flatMap((page) =>
    read(page)
      .split(/<!-- Written by npm run bars\. -->[\s\S]*?(?:<!-- The end of what it writes\. -->|$)/)
      .flatMap((part) => part.split('\n\n'))
      .map((text) => [page, text] as const),
  );

  it('in docs/bars.md, the README and the picture are those that were stored', () => {
    expect(read('docs/bars.md')).toBe(barsPage(results));
    expect(read('README.md')).toBe(readmeWith(read('README.md'), results));
    const picture = pictureOf(results);
    if (picture !== undefined) expect(read('docs/bench-hook.svg')).toBe(picture);
  });

  it('belong to a bar, or are drawn', () => {
    const drawn = /^(?:true|allow|deny|echo|http-allow|http-deny|jq|node|peer-allow|peer-deny)-p95$/;
    const unknown = [...results].flatMap(([bench, { figures }]) =>
      Object.keys(figures).filter(
        (name) => !benchNamed(bench).bars.some((bar) => bar.name === name) && !(bench === 'hook' && drawn.test(name)),
      ),
    );
    expect(unknown).toEqual([]);
  });

  it('stand nowhere else', () => {
    expect(paragraphs.filter(([, text]) => /\d ?µs/.test(text))).toEqual([]);
    const measured = paragraphs.filter(([page, text]) => page !== 'CONTRIBUTING.md' && MEASURES.test(text));
    expect(measured.length).toBeGreaterThan(3);
    expect(measured.filter(([, text]) => FIGURE.test(text))).toEqual([]);
    expect(paragraphs.filter(([page, text]) => page === 'README.md' && /\d ?ms\b/.test(text))).toEqual([]);
  });

  it('tell a bar once, by a name of its own, and run a script that is there', () => {
    const names = rowsOf(results).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(BENCHES.filter(({ command: [script] }) => !existsSync(join(root, script)))).toEqual([]);
  });

  it('not measured are said to be so', () => {
    const rows = rowsOf(new Map());
    expect(rows.map(({ verdict }) => verdict)).toEqual(rows.map(() => 'not measured'));
    expect(barsPage(new Map())).not.toMatch(/\| (?:met|missed) \|/);
  });

  it('of a run that others disturbed are not quiet', () => {
    const run = { day: '2026-01-02', commit: '0123abcd', machine: 'a machine' };
    const page = (others: number | null) =>
      barsPage(new Map([['losses', { ...run, others, figures: { p95: 51 } }]]))
        .split('\n')
        .find((line) => line.includes('`losses/p95`'));
    expect(page(0.1)).toMatch(
      /\| 51 ms \| at most 50 ms \| missed \| 0123abcd \| 2026-01-02 \| a machine \| quiet \|$/,
    );
    expect(page(0.11)).toMatch(/\| not quiet \|$/);
    expect(page(null)).toMatch(/\| unknown \|$/);
  });

  it('of adapters carry the date and the commit of their count', () => {
    expect(read('docs/adapter-sizes.md')).toMatch(/^Counted \d{4}-\d\d-\d\d, commit [0-9a-f]{8}/m);
  });
});
