import { describe, expect, it } from 'vitest';
import { problemOf, TARGETS } from '../scripts/build-clients.mjs';
import { billOfPackage, nextVersion, packageOf, releaseChangelog } from '../scripts/release.mjs';
import type { Bill, Component } from '../scripts/release.mjs';

describe('the next version', () => {
  it.each([
    ['0.1.0', 'patch', '0.1.1'],
    ['0.1.9', 'minor', '0.2.0'],
    ['1.9.9', 'major', '2.0.0'],
    ['0.1.0', '0.1.1', '0.1.1'],
    ['0.9.0', '0.10.0', '0.10.0'],
    ['0.9.3', '1.0.0', '1.0.0'],
  ])('%s by %s is %s', (current, wanted, next) => {
    expect(nextVersion(current, wanted)).toBe(next);
  });

  it.each([
    ['0.1.0', '0.1.0', 'is not newer'],
    ['0.10.0', '0.9.9', 'is not newer'],
    ['2.0.0', '1.9.9', 'is not newer'],
    ['0.1.0', 'v0.2.0', 'is not a version'],
    ['0.1.0', '0.2', 'is not a version'],
    ['0.1.0', 'toString', 'is not a version'],
    ['0.1.0-beta', 'patch', 'package.json'],
  ])('%s by %s is refused', (current, wanted, why) => {
    expect(() => nextVersion(current, wanted)).toThrow(why);
  });
});

describe('the changelog of a release', () => {
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## Unreleased\n${unreleased}\n## 0.1.0 - 2026-01-01\n\n- First.\n`;

  it('gives what is unreleased the version and the day, below an empty section', () => {
    expect(releaseChangelog(changelog('\n### Added\n\n- More.\n'), '0.2.0', '2026-02-03')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n### Added\n\n- More.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n',
    );
  });

  it.each([
    ['nothing is unreleased', changelog(''), 'no entry'],
    ['only a heading is unreleased', changelog('\n### Added\n'), 'no entry'],
    ['the version is there', changelog('\n- More.\n').replace('0.1.0', '0.2.0'), 'already'],
    ['no section is unreleased', '# Changelog\n\n## 0.1.0\n\n- First.\n', '## Unreleased'],
  ])('is refused where %s', (_, text, why) => {
    expect(() => releaseChangelog(text, '0.2.0', '2026-02-03')).toThrow(why);
  });
});

it.each([
  ['node_modules/yaml/dist/index.js', 'yaml'],
  ['node_modules/@resvg/resvg-wasm/index.mjs', '@resvg/resvg-wasm'],
  ['node_modules/a/node_modules/@b/c/x.js', '@b/c'],
  ['src/hook.ts', undefined],
])('%s belongs to %s', (path, name) => {
  expect(packageOf(path)).toBe(name);
});

describe('the bill of materials', () => {
  const component = (name: string): Component => ({ 'bom-ref': `${name}@1`, name });
  const bill: Bill = {
    metadata: { component: component('fairlead') },
    components: [component('used'), component('tool'), component('grammar')],
    dependencies: [
      { ref: 'fairlead@1', dependsOn: ['used@1', 'tool@1', 'grammar@1'] },
      { ref: 'used@1' },
      { ref: 'tool@1', dependsOn: ['used@1'] },
    ],
  };

  it('has what reaches the user, and no tool of development', () => {
    const { components, dependencies } = billOfPackage(bill, new Set(['grammar@1', 'used@1']));
    expect(components.map(({ name }) => name)).toEqual(['used', 'grammar']);
    expect(dependencies).toEqual([
      { ref: 'fairlead@1', dependsOn: ['used@1', 'grammar@1'] },
      { ref: 'used@1', dependsOn: [] },
    ]);
  });

  it('is refused where something that reaches the user is not on it', () => {
    expect(() => billOfPackage(bill, new Set(['font@1']))).toThrow('lacks font@1');
  });
});

describe('a native client for another machine', () => {
  const STAMP = '1.0.0+1.a';
  const arm = TARGETS['linux-arm64'];
  if (!arm) throw new Error('there is no such target');

  /** The head of a program with one entry in its table, and its version. */
  function program({ machine = arm?.machine ?? 0, entry = 1, stamp = STAMP, bits = 2 } = {}): Buffer {
    const bytes = Buffer.alloc(128);
    bytes.writeUInt32BE(0x7f454c46, 0);
    bytes.set([bits, 1], 4);
    bytes.writeUInt16LE(machine, 18);
    bytes.writeBigUInt64LE(64n, 32);
    bytes.writeUInt16LE(56, 54);
    bytes.writeUInt16LE(1, 56);
    bytes.writeUInt32LE(entry, 64);
    return Buffer.concat([bytes, Buffer.from(`${stamp}\n\0`)]);
  }

  it.each([
    ['one that is right', program(), undefined],
    ['one for this machine', program({ machine: 62 }), 'is for another machine'],
    ['one that needs libraries', program({ entry: 3 }), 'is not static'],
    ['one of another build', program({ stamp: '2.0.0+2.b' }), 'does not say its version'],
    ['one of 32 bits', program({ bits: 1 }), 'is no program of 64 bits'],
    ['a text', Buffer.alloc(200, 'x'), 'is no program of 64 bits'],
  ])('%s', (_, bytes, problem) => {
    expect(problemOf(bytes, arm, STAMP)).toBe(problem);
  });
});
