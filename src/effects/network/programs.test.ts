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
  ['python3 -m http.server --directory ~', 'send:served /home/ann tree'],
  ['cd ~ && python3 -m http.server 8000', 'send:served /home/ann tree'],
  ['npx serve ~', 'send:served /home/ann tree'],
  ['cd / && npx http-server', 'send:served / tree'],
  ['php -S 0.0.0.0:80 -t ~', 'send:served /home/ann tree'],
  ['caddy file-server --root /etc', 'send:served /etc tree'],
  ['ruby -run -e httpd ~ -p 80', 'send:served /home/ann tree'],
  ['ngrok http file:///home/ann', 'send:served /home/ann tree'],
  ['python3 -m http.server -d ~/.ssh', 'send:served /home/ann/.ssh secret'],
])('%s serves it', (text, line) => {
  expect(told(text, 'send')).toEqual([line]);
});

test.each([
  'python3 -m http.server',
  'python3 -m http.server 8000 --directory dist',
  'python3 -m http.server --bind 127.0.0.1 -d ~',
  'npx serve -s build -l 3000',
  'php -S localhost:8000 -t public',
  'caddy file-server --root ./site',
  'caddy run',
  'ngrok http 3000',
])('serves a project: %s', (text) => {
  expect(told(text, 'send')).toEqual([]);
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
