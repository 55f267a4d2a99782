import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const made: string[] = [];
afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true })));

/** A small project under the configuration of this one. */
function makeProject(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-tools-'));
  made.push(dir);
  for (const name of ['.oxlintrc.json', '.oxfmtrc.json', 'knip.json', 'tsconfig.json', 'package.json']) {
    cpSync(join(root, name), join(dir, name));
  }
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

function run(cwd: string, tool: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const BASE = { 'src/hook.ts': 'export {};\n', 'src/cli/main.ts': 'export {};\n' };

describe('the tools reject what they are there for', () => {
  /** One run for all of them: it is the type checker that takes the time. */
  const FAULTS = [
    ['no-explicit-any', 'bad/any.ts', 'export const read = (text: string): any => JSON.parse(text);\n'],
    [
      'no-floating-promises',
      'bad/floating.ts',
      'async function save(): Promise<void> {}\nexport function go(): void {\n  save();\n}\n',
    ],
    ['consistent-type-imports', 'bad/import.ts', "import { A } from '../a.ts';\nexport const b: A = 1;\n"],
    ['no-console', 'bad/console.ts', "export const go = (): void => console.log('x');\n"],
    ['no-cycle', 'values/a.ts', "import { b } from './b.ts';\nexport const a = (): number => b();\n"],
    ['no-cycle', 'values/b.ts', "import { a } from './a.ts';\nexport const b = (): number => a();\n"],
    ['no-cycle', 'types/a.ts', "import type { B } from './b.ts';\nexport type A = B[];\n"],
    ['no-cycle', 'types/b.ts', "import type { A } from './a.ts';\nexport type B = A | 1;\n"],
  ] as const;
  let linted: ReturnType<typeof run>;
  beforeAll(() => {
    const bad = FAULTS.map(([, path, text]) => [`src/${path}`, text] as const);
    const dir = makeProject({ ...BASE, 'src/a.ts': 'export type A = number;\n', ...Object.fromEntries(bad) });
    linted = run(dir, 'oxlint/bin/oxlint', '--format=unix', 'src');
  });

  it.each(FAULTS)('oxlint: %s in %s, and in nothing that is well', (rule, path) => {
    const lines = linted.output.split('\n').filter((line) => line.includes(`src/${path}:`));
    expect(lines.join('\n')).toContain(rule);
    expect(linted.output).not.toMatch(/^src\/a\.ts:/m);
    expect(linted.status).not.toBe(0);
  });

  it('oxfmt: a badly laid out file', () => {
    const dir = makeProject({ ...BASE, 'src/bad.ts': 'export const a = "x"\n' });
    const { status, output } = run(dir, 'oxfmt/bin/oxfmt', '--check', 'src');
    expect(output).toContain('src/bad.ts');
    expect(status).not.toBe(0);
  });

  it('knip: an unused export and an unused file, but not a used one', () => {
    const dir = makeProject({
      ...BASE,
      'src/hook.ts': "import { used } from './part.ts';\n\nused();\n",
      'src/part.ts': 'export const used = (): number => 1;\nexport const forgotten = 2;\n',
      'src/orphan.ts': 'export {};\n',
    });
    const { status, output } = run(dir, 'knip/bin/knip.js', '--no-progress', '--include', 'files,exports');
    expect(output).toContain('forgotten');
    expect(output).toContain('src/orphan.ts');
    expect(output).not.toMatch(/\bused\b/);
    expect(status).not.toBe(0);
  });
});
