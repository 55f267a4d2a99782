// `npm run adapter-sizes`: counts the files and lines of every adapter and writes docs/adapter-sizes.md.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const isCode = (line) => !/^\s*(?:\/\/|\/\*|\*|$)/.test(line);
const BEGINS = /^(?:export )?const \w+.* = (?:Object\.freeze\()?[[{]$/;
const HAS_FUNCTION = /=>|\bfunction\b|\) \{$/;
const FIRST = 'claude-code';
const folder = join(root, 'src', 'adapters');
const agents = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const sizes = agents.map(({ name }) => ({ name, ...sizeOf(join(folder, name)) }));
const first = sizes.find(({ name }) => name === FIRST);
const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const rows = [...sizes, { name: 'shared by them', ...sizeOf(folder) }].map((size) => {
  const share = sizes.includes(size) && size !== first ? `${Math.round((100 * size.code) / first.code)} %` : '';
  return `| ${[size.name, size.files, size.lines, size.tables, size.code, share].join(' | ')} |`;
});
const page = `<!-- Written by npm run adapter-sizes. -->
# What an adapter takes

The sources of each adapter without tests. A table is a constant at the top of a file with no function in it: names, tools, verdicts, settings, what is promised. Code is what is left without blank lines and
comments. The first agent has more than the others, as transcripts, a status line, a tool server and posts.

Counted ${new Date().toISOString().slice(0, 10)}, commit ${commit}.

| adapter | files | lines | lines of tables | code | code to that of the first |
|---|--:|--:|--:|--:|--:|
${rows.join('\n')}
`;
writeFileSync(join(root, 'docs', 'adapter-sizes.md'), page);
console.log(page);

function sizeOf(dir) {
  const names = readdirSync(dir).filter(
    (name) => name.endsWith('.ts') && !/\.(test|fixture|generated)\.ts$/.test(name) && name !== 'contract.ts',
  );
  const all = names.map((name) => readFileSync(join(dir, name), 'utf8'));
  const counted = all.map((text) => {
    const lines = text.trimEnd().split('\n');
    const bare = withoutTables(lines);
    return { lines: lines.length, tables: lines.length - bare.length, code: bare.filter(isCode).length };
  });
  const sum = (key) => counted.reduce((total, one) => total + one[key], 0);
  return { files: names.length, lines: sum('lines'), tables: sum('tables'), code: sum('code') };
}

function withoutTables(lines) {
  const left = [];
  for (let at = 0; at < lines.length; at += 1) {
    const end = BEGINS.test(lines[at]) ? lines.findIndex((line, index) => index > at && /^[\]}]/.test(line)) : -1;
    if (end > at && !lines.slice(at, end).some((line) => HAS_FUNCTION.test(line))) at = end;
    else left.push(lines[at]);
  }
  return left;
}
