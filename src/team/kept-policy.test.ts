import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { createKeyPair } from '../platform/ed25519.ts';
import { nodeFiles } from '../platform/files.ts';
import { removeTree } from '../platform/remove-tree.fixture.ts';
import { acceptBundle, readKept } from './kept-policy.ts';
import type { AcceptOptions } from './kept-policy.ts';
import { keptPath } from './place.ts';
import { KEYS, signed } from './policy.fixture.ts';

const NOW = Date.parse('2030-01-01');
const OPTIONS: AcceptOptions = {
  files: nodeFiles,
  now: NOW,
  version: '0.1.0',
  packs: ['guard'],
  newMachine: () => 'machine-1',
};
const SETTINGS = { policy: '/somewhere/policy.json', keys: [KEYS.public] };

let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fairlead-team-'));
  dir = join(root, 'one');
});
afterEach(() => removeTree(root));

const accept = (text: string, options: Partial<AcceptOptions> = {}) =>
  acceptBundle(text, dir, SETTINGS, { ...OPTIONS, ...options });
const version = () => readKept(dir, SETTINGS, nodeFiles)?.bundle.version;

describe('a bundle', () => {
  it('is taken over, kept, and read again', () => {
    const files = { 'rules/a.md': '---\nevent: bash\n---\nA.\n' };
    expect(accept(signed({ files }))).toMatchObject({ isNew: true, kept: { machine: 'machine-1', acceptedAt: NOW } });
    expect(readKept(dir, SETTINGS, nodeFiles)?.bundle).toMatchObject({ name: 'acme', version: 1, files });
    expect(accept(signed({ files })).isNew).toBe(false);
    expect(accept(signed({ version: 2 }), { newMachine: () => 'machine-2' }).kept.machine).toBe('machine-1');
  });

  const stranger = createKeyPair();
  it.each([
    ['unsigned', () => signed({ version: 6 }).replace(/"signatures":[^]*\]/, '"signatures":[]'), /not signed/],
    ['signed by a stranger', () => signed({ version: 6 }, stranger), /not signed/],
    ['older', () => signed({ version: 4 }), /version 4, and this machine has seen 5/],
    ['of the same version with another text', () => signed({ expires: '2099-01-01', version: 5 }), /again/],
    ['of another name', () => signed({ name: 'other', version: 9 }), /policy other, and this machine follows acme/],
    ['expired', () => signed({ version: 6, expires: '2029-12-31' }), /expired/],
    ['for a newer Fairlead', () => signed({ version: 6, requires: '0.2.0' }), /needs Fairlead 0\.2\.0/],
    ['for packs that are not here', () => signed({ version: 6, packs: ['guard', 'deploys'] }), /not here: deploys/],
    ['that leaves no key', () => signed({ version: 6, keys: { retire: [KEYS.public] } }), /retires every key/],
    ['with a file that is none of a policy', () => signed({ version: 6, files: { '../x': '' } }), /says of files/],
    ['with a date that is none', () => signed({ version: 6, expires: '2031-06-31' }), /says of expires/],
    ['no JSON', () => '{', /no JSON/],
    ['some other JSON', () => '[1]', /no policy/],
    ['null', () => 'null', /no policy/],
  ])('is refused: %s', (_, made, why) => {
    accept(signed({ version: 5 }));
    expect(() => accept(made())).toThrow(why);
    expect(version()).toBe(5);
  });

  it('is refused whatever byte of it was changed', () => {
    accept(signed());
    const text = signed({ version: 2, files: { 'config.yaml': 'packs:\n  guard: on\n' } });
    const envelope = JSON.parse(text) as { payload: string; signatures: { sig: string }[] };
    fc.assert(
      fc.property(fc.constantFrom('payload', 'sig'), fc.nat(), fc.integer({ min: 1, max: 255 }), (part, at, by) => {
        const bytes = Buffer.from(
          part === 'payload' ? envelope.payload : (envelope.signatures[0]?.sig ?? ''),
          'base64',
        );
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ by;
        const changed = bytes.toString('base64');
        const forged =
          part === 'payload'
            ? { ...envelope, payload: changed }
            : { ...envelope, signatures: [{ ...envelope.signatures[0], sig: changed }] };
        expect(() => accept(JSON.stringify(forged))).toThrow(/not signed/);
      }),
      cases(300),
    );
    expect(version()).toBe(1);
  });
});

describe('keys', () => {
  it('change hands: each bundle is signed by a key that those before it brought', () => {
    const [second, third] = [createKeyPair(), createKeyPair()];
    accept(signed());
    expect(() => accept(signed({ version: 2 }, second))).toThrow(/not signed/);
    accept(signed({ version: 2, keys: { add: [second.public], retire: [KEYS.public] } }));
    expect(version()).toBe(2);
    expect(() => accept(signed({ version: 3 }))).toThrow(/not signed/);
    accept(signed({ version: 3, keys: { add: [third.public] } }, second));
    accept(signed({ version: 4, keys: { retire: [second.public] } }, third));
    accept(signed({ version: 5 }, third));
    expect(() => accept(signed({ version: 6 }, second))).toThrow(/not signed/);
    expect(version()).toBe(5);
  });

  it('that somebody wrote into what is kept count for nothing', () => {
    const stranger = createKeyPair();
    accept(signed());
    const stored = JSON.parse(readFileSync(keptPath(dir), 'utf8')) as object;
    const forged = signed({ version: 2, keys: { add: [stranger.public] } }, stranger);
    for (const more of [{ envelope: forged }, { rotations: [forged], envelope: signed({ version: 3 }, stranger) }]) {
      writeFileSync(keptPath(dir), JSON.stringify({ ...stored, ...more }));
      expect(() => readKept(dir, SETTINGS, nodeFiles)).toThrow(/not signed/);
    }
    writeFileSync(keptPath(dir), JSON.stringify(stored).slice(0, 100));
    expect(() => readKept(dir, SETTINGS, nodeFiles)).toThrow(/damaged/);
  });
});
