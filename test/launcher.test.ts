import { spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from './patience.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'fairlead-launcher-'));
afterAll(() => rmSync(base, { recursive: true }));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let clone: string;
let count = 0;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
}

/** Runs with nothing in the environment but a PATH, an empty home and a place for temporary files. */
function run(
  args: readonly string[],
  { bin = join(clone, 'bin/fairlead'), stdin = '{}', nodeOptions = '' } = {},
): Promise<Ran> {
  const home = join(clone, 'home');
  mkdirSync(home, { recursive: true });
  return new Promise((resolve, reject) => {
    const child = spawn(bin, args, {
      cwd: '/',
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, NODE_OPTIONS: nodeOptions },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', reject);
    child.stdin.end(stdin);
  });
}

beforeEach(() => {
  count += 1;
  clone = join(base, `clone-${count}`);
  mkdirSync(clone);
  cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
});

describe('the hook route', () => {
  it('runs dist/hook.cjs with its arguments, through a link and from anywhere', async () => {
    write('package.json', '{"type":"module"}');
    write('dist/hook.cjs', 'console.log(process.argv.slice(2).join(" "))');
    symlinkSync(join(clone, 'bin/fairlead'), join(clone, 'link'));
    expect(await run(['hook', '--agent', 'a'], { bin: join(clone, 'link') })).toEqual({
      code: 0,
      stdout: 'hook --agent a\n',
      stderr: '',
    });
  });

  it('answers nothing in a clone that is not built, reads its input to the end, and says so once', async () => {
    const stdin = 'x'.repeat(1_000_000);
    const first = await run(['hook'], { stdin });
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr.trim().split('\n')).toEqual([expect.stringContaining(join(clone, 'bin/fairlead'))]);
    expect(await run(['hook'], { stdin })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each<[string, (marker: string) => void]>([
    ['a link', (marker) => symlinkSync(join(clone, 'precious'), marker)],
    ['a directory', (marker) => mkdirSync(marker)],
    ['a file from tomorrow', (marker) => (writeFileSync(marker, ''), utimesSync(marker, 9e9, 9e9))],
    [
      'a file of somebody else',
      (marker) => {
        writeFileSync(marker, '');
        if (process.getuid?.() === 0) chownSync(marker, 65_534, 65_534);
        else utimesSync(marker, 1, 1);
      },
    ],
  ])('says so although %s has the name of the marker, and leaves what it leads to alone', async (_, squat) => {
    await run(['hook']);
    const home = join(clone, 'home');
    const marker = join(home, readdirSync(home).find((name) => name.startsWith('fairlead-said-')) ?? '');
    rmSync(marker);
    writeFileSync(join(clone, 'precious'), 'kept');
    squat(marker);
    expect((await run(['hook'])).stderr).toContain('not built yet');
    expect(readFileSync(join(clone, 'precious'), 'utf8')).toBe('kept');
  });

  it('answers nothing when the hook cannot be loaded', async () => {
    write('package.json', '{"type":"module"}');
    write('dist/hook.cjs', 'require("./gone.cjs")');
    const { code, stdout, stderr } = await run(['hook']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('gone.cjs');
  });

  it('waits in an installed package for what an update has not laid down yet, with the event unread', async () => {
    clone = join(base, `${count}`, 'node_modules', 'fairlead');
    mkdirSync(clone, { recursive: true });
    cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
    write('package.json', '{"type":"module"}');
    write('dist/hook.cjs', 'require("./late.cjs"); process.stdin.pipe(process.stdout);');
    const running = run(['hook', '--if-gone', 'x'], { stdin: 'the event' });
    setTimeout(() => write('dist/late.cjs', ''), 500);
    expect(await running).toEqual({ code: 0, stdout: 'the event', stderr: '' });
  });

  it('fails, each time with its reason, where the entry says what to do if it cannot start', async () => {
    const guarded = ['hook', '--agent', 'a', '--if-gone', 'take it out'];
    for (let at = 0; at < 2; at += 1) {
      const ran = await run(guarded, { stdin: 'x'.repeat(1_000_000) });
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not built yet') });
    }
  });
});

it.each([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.0.0', true],
  ['22.1.0', true],
])('on Node %s: served %s', async (version, served) => {
  write('package.json', '{"type":"module"}');
  write('dist/hook.cjs', 'console.log("hook")');
  write('dist/command.cjs', 'console.log("command")');
  write('old.cjs', `Object.defineProperty(process.versions, 'node', { value: '${version}' })`);
  const nodeOptions = `--require ${join(clone, 'old.cjs')}`;
  const hook = await run(['hook'], { nodeOptions });
  const command = await run(['doctor'], { nodeOptions });
  expect(hook).toMatchObject({ code: 0, stdout: served ? 'hook\n' : '' });
  expect(command).toMatchObject({ code: served ? 0 : 1, stdout: served ? 'command\n' : '' });
  if (!served) expect(command.stderr).toBe(`fairlead: needs Node 20.19 or newer, this is ${version}\n`);
});

describe('a clone with sources', () => {
  beforeEach(() => {
    cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true });
    cpSync(join(root, 'native'), join(clone, 'native'), { recursive: true });
    rmSync(join(clone, 'scripts/generate-indexes.mjs'), { force: true });
    cpSync(join(root, 'package.json'), join(clone, 'package.json'));
    cpSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'));
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    write('src/hook.ts', 'console.log("hook")');
    write('src/assembly/one-shot.ts', 'export const text = "one-shot"');
    write('src/client.ts', 'console.log("client")');
    write('src/daemon.ts', 'console.log("daemon")');
    write('src/indexer.ts', 'console.log("indexer")');
    write('src/copier.ts', 'console.log("copier")');
    write('src/take-out.ts', 'console.log("take-out")');
    write('src/cli.ts', 'import { text } from "./text.ts"; console.log(text, process.argv[2])');
    write('src/cli/main.ts', 'export const text = "commands"');
    write('src/text.ts', 'export const text: string = "one"');
    for (const name of ['app.tsx', 'report.tsx', 'style.css', 'index.html', 'icon.svg']) write(`src/page/${name}`, '');
  });

  it('builds itself when it must, and only then', async () => {
    // Once when two commands start together, with stdout kept to the command.
    write('src/extra.ts', 'export {}');
    const both = await Promise.all([run(['a']), run(['b'])]);
    expect(both.map(({ code, stdout }) => ({ code, stdout }))).toEqual([
      { code: 0, stdout: 'one a\n' },
      { code: 0, stdout: 'one b\n' },
    ]);
    expect(both.filter(({ stderr }) => stderr.includes('first run'))).toHaveLength(1);
    expect(await run(['hook'])).toEqual({ code: 0, stdout: 'hook\n', stderr: '' });
    const { outputs } = JSON.parse(readFileSync(join(clone, 'dist/meta.json'), 'utf8')) as { outputs: object };
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(['dist/hook.cjs', 'dist/command.cjs']));

    // Again when one went, although a builder has died and left its lock.
    rmSync(join(clone, 'src/extra.ts'));
    write('.build/lock', '99999999');
    const ran = await run(['a']);
    expect(ran).toMatchObject({ code: 0, stdout: 'one a\n', stderr: expect.stringContaining('building again') });

    // Not when a source was only touched.
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(clone, 'src/text.ts'), later, later);
    expect(await run(['a'])).toEqual({ code: 0, stdout: 'one a\n', stderr: '' });

    // Again when one changed, but never for a hook.
    write('src/text.ts', 'export const text = "two"');
    const evenLater = new Date(Date.now() + 120_000);
    utimesSync(join(clone, 'src/text.ts'), evenLater, evenLater);
    expect(await run(['hook'])).toEqual({ code: 0, stdout: 'hook\n', stderr: '' });
    expect(await run(['a'])).toMatchObject({ stdout: 'two a\n', stderr: expect.stringContaining('building again') });

    // What failed is told, and the build before stays in place.
    write('src/text.ts', 'export const text = ');
    const last = new Date(Date.now() + 180_000);
    utimesSync(join(clone, 'src/text.ts'), last, last);
    const failed = await run(['a']);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('src/text.ts');
    expect(await run(['hook'])).toMatchObject({ stdout: 'hook\n' });
  });

  it('lets a process that runs from the build before load the rest of it', async () => {
    const [ready, go] = [join(clone, 'ready'), join(clone, 'go')];
    write('src/late.ts', 'export const late = "late one"');
    write(
      'src/cli.ts',
      `import { existsSync, writeFileSync } from 'node:fs';
       async function main() {
         if (process.argv[2] === 'wait') {
           writeFileSync(${JSON.stringify(ready)}, '');
           while (!existsSync(${JSON.stringify(go)})) await new Promise((resolve) => setTimeout(resolve, 20));
         }
         console.log((await import('./late.ts')).late);
       }
       void main();`,
    );
    const waiting = run(['wait']);
    await until('it waits', () => existsSync(ready));
    write('src/late.ts', 'export const late = "late two"');
    expect(await run(['now'])).toMatchObject({ stdout: 'late two\n' });
    writeFileSync(go, '');
    expect(await waiting).toMatchObject({ code: 0, stdout: 'late one\n' });
  });
});
