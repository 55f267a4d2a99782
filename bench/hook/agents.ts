// What one hook call costs with each agent, beside a bare hook that the agent would start in the same way: all in one run,
// in turns and in random order, so that a busy machine is busy for everybody.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from '../../src/adapters/adapter.ts';
import { handlersIn } from '../../src/adapters/hook-groups.ts';
import { INSTALLERS } from '../../src/adapters/installers.generated.ts';
import type { Installer } from '../../src/adapters/installer.ts';
import { objectIn, toValue } from '../../src/adapters/json-edit.ts';
import { ADAPTERS } from '../../src/adapters/registry.ts';
import { quote } from '../../src/shell/quote.ts';
import { report, roundsOr } from '../lib/figures.ts';
import { printTable, summarize } from '../lib/measure.ts';
import { milliseconds } from './draw-bars.ts';
import { createScratchHome } from './scratch-home.ts';
import { startDaemon } from './servers.ts';
import { createNodeSpawner } from './spawner.ts';
import type { HookRun } from './spawner.ts';

const WARM_UP = 10;
const root = process.cwd();
const rounds = roundsOr(100);
const SHELL = '/bin/sh';
const PASSES = 'git status';
/** guard/catastrophe denies it, and names it. */
const DENIED = 'git push --force origin main';

interface Contender {
  readonly name: string;
  readonly argv: readonly string[];
  payload(call: number): string;
  isRight(run: HookRun): boolean;
}

const home = createScratchHome(root);
const spawner = createNodeSpawner({ cwd: home.project, env: home.env });
let daemon: Awaited<ReturnType<typeof startDaemon>> | undefined;
try {
  const contenders = ADAPTERS.flatMap(contendersOf);
  daemon = await startDaemon({
    entry: join(root, 'dist', 'daemon.js'),
    config: home.config,
    state: home.state,
    env: home.env,
    pin: [],
  });
  tell(await race(contenders));
} finally {
  await daemon?.stop();
  home.remove();
}

function contendersOf(adapter: Adapter): Contender[] {
  const { name } = adapter;
  home.fairlead('init', '--yes', '--agent', name, '--scope', 'user');
  const argv = wiredFor(adapter, INSTALLERS.find(({ agent }) => agent === name) as Installer);
  const bare = argv[0] === SHELL ? [SHELL, '-c', 'true'] : ['true'];
  const [passing, denied] = [payloadFor(adapter, PASSES), payloadFor(adapter, DENIED)];
  return [
    { name: `${name}, bare`, argv: bare, payload: passing, isRight: ({ ok }) => ok },
    { name: `${name}, pass`, argv, payload: passing, isRight: ({ ok, output }) => ok && output.trim() === '' },
    { name: `${name}, deny`, argv, payload: denied, isRight: ({ output }) => output.includes(DENIED) },
  ];
}

/** What `init` has written for a tool call: words, or a line that the agent gives to a shell. */
function wiredFor(adapter: Adapter, installer: Installer): readonly string[] {
  const { name: event = '' } = adapter.events.find(({ canonical }) => canonical === 'tool.before') ?? {};
  const location = { root: home.project, home: home.folder, env: home.env };
  const path = installer.settingsPath('user', location) ?? '';
  const text = readFileSync(path, 'utf8');
  const own = installer.read(text).own.find((entry) => entry.event === event);
  if (!own) throw new Error(`init wired no ${event} for ${adapter.name}`);
  for (const { event: of, item } of handlersIn(objectIn(text, true))) {
    const { command, args } = toValue(item.value) as { command?: string; args?: readonly string[] };
    if (of === event && command?.includes('fairlead')) return args ? [command, ...args] : [SHELL, '-c', command];
  }
  // A plugin is a program itself, and starts ours by its words where no engine answers.
  if (/\.m?[jt]s$/.test(path)) return own.words;
  const [line = '', ...more] = own.words;
  return [SHELL, '-c', more.length === 0 ? line : own.words.map((word) => quote(word)).join(' ')];
}

/** A recorded call of the agent's shell with another command, a call of its own each time. */
function payloadFor(adapter: Adapter, command: string): (call: number) => string {
  const folder = join(root, 'test', 'fixtures', adapter.name);
  const { files } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
    files: readonly { file: string; event: string }[];
  };
  const read = (text: string, hint: string) =>
    adapter.parse({
      payload: JSON.parse(text),
      eventHint: hint,
      cwd: home.project,
      home: home.folder,
      depth: 0,
      receivedAt: 1,
    });
  for (const { file, event: hint } of files) {
    const text = JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const { name, tool, subagent, session } = read(text, hint);
    if (name !== 'tool.before' || tool?.command === undefined || subagent) continue;
    const put = text
      .replaceAll(tool.command, command)
      .replaceAll('/home/dev/project', home.project)
      .replaceAll(session, `bench-${adapter.name}`);
    const spell = (call: number) => (tool.id === undefined ? put : put.replaceAll(tool.id, `call-${call}`));
    if (read(spell(1), hint).tool?.command === command) return spell;
  }
  throw new Error(`no recorded shell call of ${adapter.name}`);
}

async function race(contenders: readonly Contender[]) {
  const times = new Map(contenders.map(({ name }) => [name, new Float64Array(rounds)]));
  let call = 0;
  for (let round = -WARM_UP; round < rounds; round += 1)
    for (const { name, argv, payload, isRight } of contenders
      .map((one) => ({ one, at: Math.random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ one }) => one)) {
      const run = await spawner.run(argv, payload((call += 1)));
      if (!isRight(run)) throw new Error(`${name} gave a wrong answer: ${run.output.slice(0, 500)}`);
      const own = times.get(name);
      if (round >= 0 && own) own[round] = run.ms;
    }
  return new Map([...times].map(([name, own]) => [name, summarize(own)]));
}

function tell(measured: Awaited<ReturnType<typeof race>>): void {
  const p50 = (name: string) => measured.get(name)?.p50 ?? Number.NaN;
  const head = ['agent', 'bare hook, p50', 'pass, p50', 'to the bare one', 'deny, p50', 'to the bare one'];
  const rows = ADAPTERS.map(({ name }) => {
    const [bare, pass, deny] = ['bare', 'pass', 'deny'].map((what) => p50(`${name}, ${what}`)) as [
      number,
      number,
      number,
    ];
    const ratio = (own: number) => `${(own / bare).toFixed(2)}x`;
    return [name, milliseconds(bare), milliseconds(pass), ratio(pass), milliseconds(deny), ratio(deny)];
  });
  printTable(head, rows);
  const ratios = ADAPTERS.flatMap(({ name }) =>
    ['pass', 'deny'].map((what) => [`${name}-${what}`, p50(`${name}, ${what}`) / p50(`${name}, bare`)] as const),
  );
  report('agents', Object.fromEntries(ratios));
}
