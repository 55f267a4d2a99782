import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lacks } from '../../../test/lacking.ts';
import { buildClient } from '../../../scripts/build-client.mjs';
import { STAMP } from '../../platform/build.ts';
import { findClient, prepareClient, problemOfClient } from './client.ts';
import { readExecutable } from './client.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-client-'));
const made = join(dir, 'made');
const noCompiler = lacks('cc');
const PATH = process.env['PATH'];
let root: string;
let state: string;
let dist: string;
let count = 0;

beforeAll(() => {
  if (noCompiler) return;
  const { built, why } = buildClient({ root: process.cwd(), out: made, stamp: STAMP });
  if (!built) throw new Error(why);
});
afterAll(() => rmSync(dir, { recursive: true }));
beforeEach(() => {
  count += 1;
  root = join(dir, `copy-${count}`);
  state = join(dir, `state-${count}`);
  dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
});

function place(target: string, from = made): string {
  mkdirSync(join(target, '..'), { recursive: true });
  copyFileSync(from, target);
  chmodSync(target, 0o755);
  return target;
}

function withSource(text = readFileSync('native/client.c', 'utf8')): void {
  mkdirSync(join(root, 'native'));
  writeFileSync(join(root, 'native', 'client.c'), text);
  copyFileSync('native/variables.h', join(root, 'native', 'variables.h'));
}

/** The client with the number of another machine in its head. */
function foreign(target: string): string {
  const bytes = readFileSync(made);
  bytes.writeUInt16LE(bytes.readUInt16LE(18) ^ 1, 18);
  writeFileSync(target, bytes, { mode: 0o755 });
  return target;
}

describe.skipIf(noCompiler)('what is there', () => {
  it.each<[string, () => void, object]>([
    ['nothing', () => {}, { kind: 'node', why: 'the native client is not built' }],
    ['one in dist', () => place(join(dist, 'fairlead-client')), { kind: 'native', built: 'before' }],
    ['one in the state directory', () => place(join(state, 'bin', 'fairlead-client')), { kind: 'native' }],
    [
      'a broken one in dist and one in the state directory',
      () => {
        writeFileSync(join(dist, 'fairlead-client'), 'no program', { mode: 0o755 });
        place(join(state, 'bin', 'fairlead-client'));
      },
      { kind: 'native', path: expect.stringContaining('/bin/') },
    ],
    [
      'one for another machine',
      () => foreign(join(dist, 'fairlead-client')),
      { kind: 'node', why: expect.stringMatching(/dist\/fairlead-client was built for another kind of machine$/) },
    ],
    [
      'one that may not be run',
      () => chmodSync(place(join(dist, 'fairlead-client')), 0o644),
      { kind: 'node', why: expect.stringMatching(/is not executable$/) },
    ],
    [
      'another program',
      () => place(join(dist, 'fairlead-client'), '/bin/false'),
      { kind: 'node', why: expect.stringMatching(/does not run here$/) },
    ],
  ])('%s', (_, prepare, expected) => {
    prepare();
    expect(findClient({ root, state })).toMatchObject(expected);
  });
});

describe('one that came with the package', () => {
  const name = `${process.platform}-${process.arch}`;
  const release = (bytes: string, sum = createHash('sha256').update(bytes).digest('hex')): void => {
    mkdirSync(join(dist, 'clients'));
    writeFileSync(join(dist, 'clients', name), bytes);
    writeFileSync(join(dist, 'clients', 'sha256.json'), JSON.stringify({ [name]: sum }));
  };

  it('is taken, without a compiler', () => {
    release('the client');
    const path = join(dist, 'clients', name);
    expect(prepareClient({ root, state }, {}, false)).toMatchObject({ kind: 'native', path, built: 'released' });
  });

  it.each<[string, () => void]>([
    ['whose bytes are others', () => release('the client', 'f'.repeat(64))],
    ['that no sum is known of', () => (release('the client'), rmSync(join(dist, 'clients', 'sha256.json')))],
  ])('%s is not', (_, prepare) => {
    prepare();
    expect(findClient({ root, state })).toEqual({
      kind: 'node',
      why: expect.stringContaining('is not what was released'),
    });
  });
});

describe.skipIf(noCompiler)('what is installed', () => {
  it('is built when it is missing, and then found', () => {
    withSource();
    const path = join(dist, 'fairlead-client');
    expect(prepareClient({ root, state }, { PATH }, true)).toEqual({ kind: 'native', path, built: 'later' });
    expect(existsSync(path)).toBe(false);
    const built = prepareClient({ root, state }, { PATH }, false);
    expect(built).toEqual({ kind: 'native', path, isStatic: expect.any(Boolean), built: 'now' });
    expect(prepareClient({ root, state }, {}, false)).toEqual({ ...built, built: 'before' });
    expect(problemOfClient(path)).toBeUndefined();
  });

  it('replaces one that does not run', () => {
    withSource();
    foreign(join(dist, 'fairlead-client'));
    expect(prepareClient({ root, state }, { PATH }, false)).toMatchObject({ kind: 'native', built: 'now' });
  });

  it('goes to the state directory when there is no place beside the program', () => {
    withSource();
    rmSync(dist, { recursive: true });
    const path = join(state, 'bin', 'fairlead-client');
    expect(prepareClient({ root, state }, { PATH }, false)).toMatchObject({ kind: 'native', path, built: 'now' });
  });

  it.each<[string, () => void, Record<string, string | undefined>, RegExp]>([
    ['no compiler', withSource, { PATH: '/nowhere' }, /^no C compiler was found$/],
    ['no source', () => {}, { PATH }, /has no source/],
    ['a source that does not compile', () => withSource('nonsense'), { PATH }, /could not be built \(.*cc: .*error/],
  ])('is Node with %s', (_, prepare, env, why) => {
    prepare();
    expect(prepareClient({ root, state }, env, false)).toEqual({ kind: 'node', why: expect.stringMatching(why) });
  });
});

it.each([
  ['Node, which needs libraries', process.execPath, false],
  ['a text', 'package.json', undefined],
])('reads the head of %s', (_, path, isStatic) => {
  expect(readExecutable(readFileSync(path).subarray(0, 4_096))?.isStatic).toBe(isStatic);
});

it.skipIf(noCompiler)('tells a static client as the one who built it does', () => {
  const out = join(dir, 'again');
  const { static: isStatic } = buildClient({ root: process.cwd(), out, stamp: STAMP });
  expect(readExecutable(readFileSync(out).subarray(0, 4_096))?.isStatic).toBe(isStatic);
});
