import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { acceptProject, forgetProject, listProject, trustStatus } from './trust.ts';
import type { TrustDeps } from './trust.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-trust-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let root: string;
let deps: TrustDeps;
let count = 0;
beforeEach(() => {
  root = join(top, String((count += 1)), 'project');
  mkdirSync(root, { recursive: true });
  deps = { files: nodeFiles, state: join(dirname(root), 'state'), now: () => 1_000 };
});

function put(name: string, text: string, dir = join(root, '.fairlead')): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const stateOf = () => trustStatus(root, deps).state;
const accept = () => acceptProject(listProject(root, deps), deps);

it('goes from absent over untrusted to trusted and back', () => {
  expect(stateOf()).toBe('absent');
  expect(accept()).toEqual({ accepted: false, reason: 'empty' });
  put('config.yaml', 'rules: {}');
  expect(stateOf()).toBe('untrusted');
  expect(accept()).toEqual({ accepted: true });
  expect(stateOf()).toBe('trusted');
  expect(forgetProject(root, deps)).toBe(true);
  expect(forgetProject(root, deps)).toBe(false);
  expect(stateOf()).toBe('untrusted');
});

it('shows the text it would accept, and records it for its owner only', () => {
  put('config.yaml', 'rules: {}');
  put('messages/a/b/c.md', 'hello');
  put('unrelated.txt', 'x');
  const listing = listProject(root, deps);
  expect(listing.files.map(({ name, text }) => [name, text])).toEqual([
    ['config.yaml', 'rules: {}'],
    ['messages/a/b/c.md', 'hello'],
  ]);
  acceptProject(listing, deps);
  const path = join(deps.state, 'trust.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { digest } = listing;
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    version: 1,
    projects: {
      [root]: {
        digest,
        acceptedAt: 1_000,
        files: Object.fromEntries(listing.files.map(({ name, sha256 }) => [name, sha256])),
      },
    },
  });
});

it('refuses what changed between showing and accepting', () => {
  put('rules/one.md', 'harmless');
  const listing = listProject(root, deps);
  put('rules/one.md', 'harmful!');
  expect(acceptProject(listing, deps)).toEqual({ accepted: false, reason: 'changed-since-shown' });
  expect(stateOf()).toBe('untrusted');
});

it('keeps projects apart, and reaches one project through any path', () => {
  put('config.yaml', 'rules: {}');
  const other = join(dirname(root), 'other');
  put('config.yaml', 'rules: {}', join(other, '.fairlead'));
  accept();
  expect(trustStatus(other, deps).state).toBe('untrusted');
  const link = join(dirname(root), 'link');
  symlinkSync(root, link);
  expect(trustStatus(link, deps).state).toBe('trusted');
});

it.each(['', '{', 'null', '[]', '{"version":2,"projects":{}}', '{"version":1,"projects":null}'])(
  'trusts nothing when the record reads %j',
  (text) => {
    put('config.yaml', 'rules: {}');
    accept();
    writeFileSync(join(deps.state, 'trust.json'), text);
    expect(stateOf()).toBe('untrusted');
    expect(accept()).toEqual({ accepted: true });
    expect(stateOf()).toBe('trusted');
  },
);

it('trusts nothing when the record of a project is damaged', () => {
  put('config.yaml', 'rules: {}');
  for (const entry of ['x', 1, {}, { digest: null }]) {
    mkdirSync(deps.state, { recursive: true });
    writeFileSync(join(deps.state, 'trust.json'), JSON.stringify({ version: 1, projects: { [root]: entry } }));
    expect(stateOf()).toBe('changed');
  }
});

it('only exactly the accepted names and bytes are trusted', () => {
  const name = fc.constantFrom(
    'config.yaml',
    'rules/a.md',
    'rules/b.md',
    'rules/ab.md',
    'messages/p/r/v.md',
    'messages/p/r.md',
  );
  const content = fc.dictionary(name, fc.string({ unit: 'binary', maxLength: 6 }), {
    minKeys: 1,
    noNullPrototype: true,
  });
  const write = (files: Record<string, string>) => {
    rmSync(join(root, '.fairlead'), { recursive: true, force: true });
    for (const [file, text] of Object.entries(files)) put(file, text);
  };
  fc.assert(
    fc.property(content, content, (accepted, present) => {
      forgetProject(root, deps);
      write(accepted);
      accept();
      write(present);
      const bytesOf = (files: Record<string, string>) =>
        JSON.stringify(
          Object.keys(files)
            .sort()
            .map((file) => [file, Buffer.from(files[file] ?? '').toString('hex')]),
        );
      expect(stateOf()).toBe(bytesOf(accepted) === bytesOf(present) ? 'trusted' : 'changed');
      write(accepted);
      expect(stateOf()).toBe('trusted');
    }),
    cases(40),
  );
});

describe('links', () => {
  const outside = () => put('evil.md', 'name: evil', join(dirname(root), 'outside'));

  it.each([
    ['a file', () => symlinkSync(outside(), join(root, '.fairlead/rules/evil.md')), 'rules/evil.md'],
    [
      'a file, by a relative link',
      () => symlinkSync('../../../outside/evil.md', (outside(), join(root, '.fairlead/rules/evil.md'))),
      'rules/evil.md',
    ],
    [
      'a file elsewhere in the project',
      () => symlinkSync(put('x.md', 'x', root), join(root, '.fairlead/rules/evil.md')),
      'rules/evil.md',
    ],
    [
      'a link to nothing',
      () => symlinkSync('/nonexistent/x.md', join(root, '.fairlead/rules/evil.md')),
      'rules/evil.md',
    ],
    ['the config', () => symlinkSync(outside(), join(root, '.fairlead/config.yaml')), 'config.yaml'],
    ['a directory', () => symlinkSync(dirname(outside()), join(root, '.fairlead/messages')), 'messages'],
    [
      'a directory below messages',
      () => (
        mkdirSync(join(root, '.fairlead/messages')),
        symlinkSync(dirname(outside()), join(root, '.fairlead/messages/a'))
      ),
      'messages/a',
    ],
    [
      'a link to a link',
      () => (
        symlinkSync(dirname(outside()), join(root, '.fairlead/hop')),
        symlinkSync('../hop/evil.md', join(root, '.fairlead/rules/evil.md'))
      ),
      'rules/evil.md',
    ],
  ])('out of the directory are refused: %s', (_name, make, refused) => {
    put('rules/good.md', 'name: good');
    make();
    const listing = listProject(root, deps);
    expect(listing.files.map(({ name }) => name)).toEqual(['rules/good.md']);
    expect(listing.problems).toEqual([
      expect.objectContaining({
        file: join(root, '.fairlead', refused),
        severity: 'error',
        message: expect.stringContaining('leads out'),
      }),
    ]);
  });

  it('that stay inside are fine, and a loop ends', () => {
    put('shared/x.md', 'name: x');
    mkdirSync(join(root, '.fairlead/rules'));
    symlinkSync('../shared/x.md', join(root, '.fairlead/rules/x.md'));
    put('messages/a/b/c.md', 'text');
    symlinkSync('b', join(root, '.fairlead/messages/a/as-b'));
    symlinkSync('..', join(root, '.fairlead/messages/a/loop'));
    const listing = listProject(root, deps);
    expect(listing.files.map(({ name }) => name)).toEqual(['messages/a/as-b/c.md', 'messages/a/b/c.md', 'rules/x.md']);
    expect(listing.problems).toEqual([]);
  });

  it('that multiply come to an end', () => {
    for (let at = 0; at < 40; at += 1) {
      mkdirSync(join(root, '.fairlead/messages'), { recursive: true });
      symlinkSync('.', join(root, `.fairlead/messages/${at}`));
    }
    put('config.yaml', 'rules: {}');
    const listing = listProject(root, deps);
    expect(listing.files.map(({ name }) => name)).toEqual(['config.yaml']);
    expect(listing.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('more than 200 directories'),
    ]);
  });

  it('in place of the directory itself are refused, also after it was trusted', () => {
    put('config.yaml', 'rules: {}');
    accept();
    const away = join(dirname(root), 'away');
    renameSync(join(root, '.fairlead'), away);
    symlinkSync(away, join(root, '.fairlead'));
    expect(listProject(root, deps)).toMatchObject({
      files: [],
      problems: [{ message: expect.stringContaining('out of the project') }],
    });
    expect(stateOf()).toBe('absent');
  });
});

it('ignores a file swapped for another while it is judged: the bytes that were hashed decide', () => {
  const path = put('rules/one.md', 'name: good');
  accept();
  let reads = 0;
  const files: Files = {
    ...nodeFiles,
    readBytes(file, max) {
      const bytes = nodeFiles.readBytes(file, max);
      if (file === path) {
        reads += 1;
        writeFileSync(path, 'name: evil');
      }
      return bytes;
    },
  };
  expect(trustStatus(root, { ...deps, files }).state).toBe('trusted');
  expect(reads).toBe(1);
  expect(trustStatus(root, { ...deps, files }).state).toBe('changed');
});

it('leaves out what a repository may hold to do harm', () => {
  put('rules/good.md', 'name: good');
  put('rules/big.md', 'x'.repeat(64 * 1024 + 1));
  put('rules/\u001b[2Jx.md', 'name: x');
  execFileSync('mkfifo', [join(root, '.fairlead/config.yaml')]);
  for (let at = 0; at <= 500; at += 1) put(`messages/a/${at}.md`, 'x');
  const listing = listProject(root, deps);
  expect(listing.files.map(({ name }) => name)).toEqual(['rules/good.md']);
  expect(listing.problems.map(({ message }) => message).sort()).toEqual([
    'cannot be read',
    'holds a file with control characters in its name: "\\u001b[2Jx.md"',
    'holds more than 500 files; none of them is used',
    'is larger than 64 KiB',
  ]);
});
