import { expect, test } from 'vitest';
import { told } from '../effects.fixture.ts';

const saved = (name: string, scope = 'inside') => `overwrite:download ${name} @${scope}`;

test.each<[string, string[]]>([
  ['curl -o a.json x.example', [saved('a.json')]],
  ['curl -sSLo a.json x.example', [saved('a.json')]],
  ['curl --output=/etc/hosts x.example', [saved('/etc/hosts', 'system')]],
  ['curl -O x.example/b/a.tgz?x=1', [saved('a.tgz')]],
  ['curl --output-dir d -O https://x.example/a.tgz', [saved('d/a.tgz')]],
  ['curl -o a x.example/1 -o b x.example/2', [saved('a'), saved('b')]],
  ['wget x.example/a.tgz', [saved('a.tgz')]],
  ['wget https://x.example', [saved('index.html')]],
  ['wget -q -P /tmp x.example/a.tgz', [saved('/tmp/a.tgz', 'temp')]],
  ['wget -O b x.example/a', [saved('b')]],
  ['http --download x.example/a.bin', [saved('a.bin')]],
  ['aria2c -d d -o a x.example/b', [saved('d/a')]],
  ['scp x.example:/b/a.txt .', [saved('a.txt')]],
  ['scp x.example:a.txt b.txt', [saved('b.txt')]],
])('%s', (text, effects) => {
  expect(told(text, 'overwrite')).toEqual(effects);
});

test.each([
  'curl x.example',
  'curl -o /dev/null x.example',
  'curl -o - x.example',
  'curl -OJ x.example/a',
  'curl -O "$URL"',
  'curl -D headers.txt x.example',
  'wget -O- x.example',
  'wget -qO- x.example/a',
  'wget --spider x.example/a',
  'wget --version',
])('makes no file: %s', (text) => {
  expect(told(text, 'overwrite')).toEqual([]);
});
