// What the Markdown files of the repository say of each other and of the sources.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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

describe('figures of a hook call', () => {
  const page = read('docs/bench-hook.md');
  const readme = read('README.md');
  const [, figures = '', rest = ''] = readme.split(
    /<!-- (?:Written by npm run bench:hook|The end of what it writes)\. -->/,
  );

  it('carry the date and the commit of their run', () => {
    const run = /^Measured \d{4}-\d\d-\d\d, commit [0-9a-f]{8}/m;
    expect(page).toMatch(run);
    expect(read('docs/bench-agents.md')).toMatch(run);
    expect(read('docs/adapter-sizes.md')).toMatch(/^Counted \d{4}-\d\d-\d\d, commit [0-9a-f]{8}/m);
  });

  it('are the same in the README, which gives no other', () => {
    const lines = figures.split('\n').filter((line) => line !== '');
    const told = new Set(page.split('\n').map((line) => line.split(' | ').slice(0, 2).join(' | ').replace(/ \|$/, '')));
    const unknown = lines.filter((line) => !line.startsWith('|---') && !told.has(line.replace(/ \|$/, '')));
    expect(unknown).toEqual([]);
    expect(lines.length).toBeGreaterThan(6);
    expect(readme.slice(0, readme.indexOf(figures)) + rest).not.toMatch(/\d ?(?:µs|ms)\b/);
  });
});
