import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Adapter } from '../../src/adapters/adapter.ts';
import { ADAPTERS } from '../../src/adapters/registry.ts';
import { callOf } from '../../src/adapters/contract.ts';
import { homePaths } from '../../src/platform/paths.ts';
import { socketOf } from '../../src/transport/meeting-place.ts';
import type { AgentDriver } from '../e2e/agent-suite.ts';
import { makeHome } from '../e2e/home.ts';
import type { Home } from '../e2e/home.ts';
import { serveFrames } from '../process/frame-server.ts';
import { compareContracts, contractLines } from './contract-lines.ts';
import type { RecordedHook } from './contract-lines.ts';

/** Started by scripts/record.mjs, which has installed the client. */
interface Task {
  readonly verb: 'record' | 'contract';
  readonly agent: string;
  readonly client: { readonly package: string; readonly version: string };
  /** Where payloads go. */
  readonly out: string;
  /** What is kept of the contract is to be what was recorded. */
  readonly write: boolean;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const CONTRACT = (agent: string): string => join('test', 'fixtures', agent, 'contract.txt');
/** Every event is wanted, so that every event is wired. */
const ALL_EVENTS = '---\nevent: all\nwords: [a word that nobody says]\n---\nNever said.\n';

/** Drives the real client through one session in a home of its own, and keeps what it sends to its hooks. */
export async function record(task: Task, driver: AgentDriver): Promise<void> {
  const adapter = ADAPTERS.find(({ name }) => name === task.agent) as Adapter;
  const hooks = await sessionOf(driver, adapter);
  if (hooks.length === 0) throw new Error(`${task.client.package} ${task.client.version} called no hook`);
  keepPayloads(hooks, adapter, task);
  const lines = contractLines(hooks, adapter);
  const name = `${task.client.package} ${task.client.version}`;
  say(`${name}: ${hooks.length} hook calls, ${lines.length} lines; payloads are in ${task.out}`);
  if (task.write) writeFileSync(CONTRACT(task.agent), `${[`# ${name}`, ...lines].join('\n')}\n`);
  if (task.verb === 'contract') report(lines, task);
}

function report(lines: readonly string[], { agent }: Task): void {
  const [title = '', ...known] = readFileSync(CONTRACT(agent), 'utf8').trimEnd().split('\n');
  const changes = compareContracts(known, lines);
  for (const { text, breaks } of changes) say(`${text}${breaks ? '   ← our adapter reads it' : ''}`);
  const broken = changes.filter(({ breaks }) => breaks).length;
  const compared = `compared with ${title.slice(2)}`;
  say(
    changes.length === 0
      ? `no line of the contract changed, ${compared}`
      : `${changes.length} of ${known.length} lines changed, ${broken} of them are read by our adapter; ${compared}`,
  );
  if (broken > 0) process.exitCode = 1;
}

async function sessionOf(driver: AgentDriver, adapter: Adapter): Promise<readonly RecordedHook[]> {
  const home = makeHome();
  try {
    driver.plant(home);
    home.rule('all', ALL_EVENTS);
    const words = ['init', '--agent', driver.agent, '--scope', 'user', '--yes', ...(driver.init ?? [])];
    const { code, screen } = await home.byPerson(...words);
    if (code !== 0) throw new Error(`init ended with ${code}: ${screen}`);
    await home.stopDaemon();
    // Whatever road the agent's hooks take, they end at the socket.
    const socket = socketOf(homePaths({ HOME: home.dir }, process.platform));
    const server = await serveFrames(socket, ({ verb }) => (verb === 'hook' ? '' : undefined));
    try {
      const session = await driver.run(home, [...scriptOf(driver, home), { text: 'Done.' }]);
      if (session.code !== 0) throw new Error(`the client ended with ${session.code}: ${session.stderr}`);
      return server.requests.filter(({ verb }) => verb === 'hook').flatMap((request) => hookIn(request, adapter, home));
    } finally {
      await server.close();
    }
  } finally {
    await home.remove();
  }
}

function scriptOf(driver: AgentDriver, home: Home) {
  return [
    driver.shell('echo hello && ls'),
    driver.shell('cat nothing-here; exit 3'),
    driver.write(join(home.project, 'notes.txt'), 'hello\n'),
    driver.search('answer'),
    ...(driver.more?.(home) ?? []),
  ];
}

function hookIn({ args, body }: { args: readonly string[]; body: Uint8Array }, adapter: Adapter, home: Home) {
  const text = Buffer.from(body).toString('utf8');
  const payload: unknown = JSON.parse(scrubbed(text, home));
  const hint = args.find((arg) => adapter.events.some(({ name }) => name === arg)) ?? '';
  const { agentEvent } = adapter.parse(callOf(payload, { eventHint: hint }));
  return [{ event: agentEvent, payload }];
}

/** Only places of this machine are written otherwise. Some agents name files after a place, with dashes. */
function scrubbed(text: string, { dir, project }: Home): string {
  const dashed = (path: string): string => path.replaceAll(/[^a-zA-Z0-9]/g, '-');
  return text
    .replaceAll(project, '/home/dev/project')
    .replaceAll(dashed(project), dashed('/home/dev/project'))
    .replaceAll(dir, '/home/dev')
    .replaceAll(process.cwd(), '/home/dev/fairlead');
}

/** One file for each shape, as in `test/fixtures`. */
function keepPayloads(hooks: readonly RecordedHook[], adapter: Adapter, { agent, client, out }: Task): void {
  const files: { file: string; event: string; tool?: string }[] = [];
  for (const { event, payload } of hooks) {
    const { tool, name, subagent } = adapter.parse(callOf(payload, { eventHint: event }));
    const variant = [tool?.name ?? 'plain', name === 'tool.failed' && 'failed', subagent && 'subagent'].filter(Boolean);
    const stem = `${event}/${variant
      .join('-')
      .replaceAll(/[^a-zA-Z0-9]+/g, '-')
      .toLowerCase()}`;
    const same = files.filter(({ file }) => file.replace(/(?:-\d+)?\.json$/, '') === stem).length;
    const file = `${stem}${same === 0 ? '' : `-${same + 1}`}.json`;
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), `${JSON.stringify(payload, null, 2)}\n`);
    files.push({ file, event, ...(tool && { tool: tool.name }) });
  }
  const put = (name: string, value: object) => writeFileSync(join(out, name), `${JSON.stringify(value, null, 1)}\n`);
  put('index.json', { files });
  put('_meta.json', {
    agent,
    client: `${client.package} ${client.version}`,
    source: 'captured',
    rewritten: 'only paths',
  });
}
