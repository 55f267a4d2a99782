import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSession } from '../../src/player/play.ts';
import type { RecordedCall } from '../../src/player/play.ts';
import { inPersonTerminal } from '../person-terminal.ts';
import { plantCode, sharedProduct } from './product.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const product = sharedProduct();
const BIN = product.launcher;
const SESSION = '586f2e51-c21d-4bcf-8472-b047eddabd85';

let base: string;
let project: string;
let home: string;
let env: Record<string, string | undefined>;
let calls: RecordedCall[];

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-tools-')));
  project = join(base, 'project');
  home = join(base, 'fairlead');
  mkdirSync(join(project, '.git'), { recursive: true });
  plantCode(product, join(home, 'state'));
  env = { PATH: process.env['PATH'], HOME: base, FAIRLEAD_HOME: home };
  calls = readSession(readFileSync(new URL('../fixtures/sessions/heavy-parcel.jsonl', import.meta.url), 'utf8'), {
    '/home/dev/project': project,
  });
  // A start, a prompt, a search, and the edit of the lock file: each answered by a process of its own.
  for (const number of [1, 3, 5, 49]) send(number);
});
afterAll(() => removeTree(base));

function run(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: project,
    env,
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

function send(number: number): void {
  const { code, err } = run(
    ['hook', '--agent', 'claude-code', '--direct', '--home', home],
    JSON.stringify(calls[number - 1]?.payload),
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
}

describe('what hooks left behind', () => {
  test('log lists it, numbered without gaps although each event had its own process', () => {
    const { code, out } = run(['log', '--json']);
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; event: string; outcome: string });
    expect(code).toBe(0);
    expect(rows.map(({ seq, event, outcome }) => [seq, event, outcome])).toEqual([
      [1, 'session.start', 'pass'],
      [2, 'prompt.submit', 'pass'],
      [3, 'tool.before', 'pass'],
      [4, 'tool.before', 'ask'],
    ]);
  });

  test('explain tells why', () => {
    const { code, out } = run(['explain', '--last']);
    expect(code).toBe(0);
    expect(out).toMatch(/decided +ask, by basics\/generated-file/);
    expect(out).toMatch(/tier 1 filter +basics\/conflict-marker +has none of the words <<<<<<</);
  });

  test('explain decides an event on stdin and keeps nothing', () => {
    const { code, out } = run(['explain'], JSON.stringify(calls[51]?.payload));
    expect(code).toBe(0);
    expect(out).toContain('Dry run');
    expect(out).toContain('mode advise makes it note');
    expect(run(['log', '--json']).out.trim().split('\n')).toHaveLength(4);
  });

  test('stats and state count it', () => {
    const { totals } = JSON.parse(run(['stats', '--json']).out) as { totals: object };
    expect(totals).toMatchObject({ events: 4, neutral: 3, asks: 1 });
    const cells = JSON.parse(run(['state', 'list', '--session', '586f', '--json']).out) as { name: string }[];
    expect(cells.map(({ name }) => name)).toContain('turn');
  });

  test.each([
    [['explain', 'nosuchid'], 1, /no decision "nosuchid"/],
    [['explain', '--last', 'x'], 2, /not both/],
    [['state', 'get', 'nosuchcell'], 1, /no state cell is called "nosuchcell"/],
    [['log', '--nope'], 2, /--nope/],
  ])('%j fails in words', (args, code, message) => {
    expect(run(args)).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
  });

  test('doctor finds that nothing calls it here', () => {
    const { code, out } = run(['doctor', '--json']);
    const { healthy, sections } = JSON.parse(out) as {
      healthy: boolean;
      sections: { title: string; findings: { what: string }[] }[];
    };
    expect({ code, healthy }).toEqual({ code: 1, healthy: false });
    expect(sections.flatMap(({ findings }) => findings.map(({ what }) => what))).toEqual([
      expect.stringMatching(/^No agent that works in/),
    ]);
  });
});

test('log -f shows events as they come and ends in order', async () => {
  const child = spawn(process.execPath, [BIN, 'log', '-f', '--json', '--last', '1'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const until = async (lines: number) => {
    while (out.split('\n').length <= lines) await new Promise((resolve) => child.stdout.once('data', resolve));
  };
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(1);
  send(6);
  await until(2);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { seq: number }).seq),
  ).toEqual([4, 5]);
});

test('a person clears the state of a session after being asked', async () => {
  const { code, screen } = await inPersonTerminal(
    `cd '${project}' && HOME='${base}' FAIRLEAD_HOME='${home}' '${process.execPath}' '${BIN}' state clear --session ${SESSION}`,
    'y\n',
  );
  expect(screen).toMatch(/Clear \d+ state cells\?/);
  expect(screen).toMatch(/Cleared \d+ state cells\./);
  expect(code).toBe(0);
  expect(JSON.parse(run(['state', 'list', '--scope', 'session', '--json']).out)).toEqual([]);
});
