import { afterAll, expect, it } from 'vitest';
import { openTree } from './broad.fixture.ts';

const { shell, told, close } = openTree();
afterAll(close);

const foo = { place: '.', patterns: ['foo'] };
const listing = { place: '.', listing: true };

it.each([
  'find . -type d',
  'find . -size +10M',
  'find . -mtime -1 -type f',
  'find . -empty',
  'find . -user root',
  'find . -perm -u+x -type f',
  'find . -newermt 2027-01-01',
  "find . -type f -printf '%s %p\\n'",
  'find . -type l',
  'find . -type f -ls',
  'find . -type f | wc -l',
  'find . -type f -exec wc -l {} +',
  'find . -type f | xargs ls -la',
  'find . -type f | sort | uniq -c',
  'find . -type f -print0 | xargs -0 du -h',
  'fd -t d',
  'fd --type directory',
  'fd -S +1m',
  'fd --changed-within 1d',
  'fd | wc -l',
  'rg --files | wc -l',
  'ls -R | wc -l',
  'ls -Rt',
  'tree -d',
  'tree --du',
])('asks about files, not about code: %s', (command) => {
  expect(told(shell(command))).toEqual({ ...listing, facts: true });
});

it.each<[string, Record<string, unknown>]>([
  ["find . -newer x -name '*.ts'", { ...listing, globs: ['*.ts'], facts: true }],
  ["find . -name '*.ts' | wc -l", { ...listing, globs: ['*.ts'], facts: true }],
  ['find . | grep -c auth', { ...listing, patterns: ['auth'], facts: true }],
  ['find src -maxdepth 2 -type d', { ...listing, place: 'src', facts: true }],
  ['fd -e ts -t x', { ...listing, globs: ['*.ts'], facts: true }],
])('does so, and limits them: %s', (command, expected) => {
  expect(told(shell(command))).toEqual(expected);
});

it.each<[string, Record<string, unknown>]>([
  ['find . -not -type d', listing],
  ['find . -type f,l', listing],
  ["find . \\( -type f -o -type l \\) -name '*.ts'", { ...listing, globs: ['*.ts'] }],
  ["find . -type d -name node_modules -prune -o -name '*.ts' -print", { ...listing, globs: ['*.ts'] }],
  ["find . -name '*.ts' -printf '%p\\n'", { ...listing, globs: ['*.ts'] }],
  ["find . -name '*.ts' | xargs grep foo | wc -l", { ...foo, globs: ['*.ts'] }],
  ['rg -l foo | wc -l', foo],
  ['fd -t f -t l', listing],
  ['npm test | wc -l; find .', listing],
])('asks about code after all: %s', (command, expected) => {
  expect(told(shell(command))).toEqual(expected);
});
