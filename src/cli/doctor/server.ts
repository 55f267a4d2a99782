import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ToolServer } from '../../event/agent-setup.ts';
import { GRAPH_PACK } from '../../event/known-packs.ts';
import { ADAPTERS } from '../../adapters/registry.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { CliWorld } from '../command.ts';
import type { Call } from '../install/inspect.ts';
import { PROGRAM } from '../install/launcher.ts';
import { inspectServers, wantsServer } from '../install/servers.ts';
import type { ServerWiring } from '../install/servers.ts';
import { shown } from '../known-rules.ts';
import { counted } from '../table.ts';
import type { Finding, Section } from './report.ts';
import type { Environment } from '../../platform/paths.ts';

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fairlead doctor', version: '1' } },
};
/** Longer than any agent waits for a server before it goes on without. */
const LIMIT_MS = 20_000;

/** Starts a tool server as an agent does and greets it: what keeps it from answering, if anything does. */
function greetServer(
  [command = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    const limit = setTimeout(() => settle(`it did not answer within ${LIMIT_MS / 1_000} s`), LIMIT_MS);
    const settle = (problem: string | undefined): void => {
      clearTimeout(limit);
      child.kill();
      resolve(problem);
    };
    child.on('error', (error) => settle(error.message));
    child.on('close', (code) => settle(`it ended with ${code}${lastLine(said)}`));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
    createInterface({ input: child.stdout }).once('line', (line) =>
      settle(isGreeting(line) ? undefined : 'what it printed is not the protocol'),
    );
    child.stdin.on('error', () => {});
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
  });
}

function isGreeting(line: string): boolean {
  try {
    const { id, result } = JSON.parse(line) as { id?: unknown; result?: { serverInfo?: unknown } };
    return id === HELLO.id && result?.serverInfo !== undefined;
  } catch {
    return false;
  }
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1);
  return line ? `: ${line}` : '';
}

/** Whether agents that work in this directory are told of the tool server and can start it; nothing where nobody wants it. */
export async function checkServer(root: string, world: CliWorld): Promise<Section[]> {
  const all = await Promise.all(inspectServers(root, world).map((wiring) => tried(wiring, root, world)));
  const ours = all.filter(({ calls }) => calls.length > 0);
  const isWanted = await wantsServer('local', root, world);
  if (!isWanted && ours.length === 0) return [];
  const used = serversUsed(root, world);
  return [
    {
      title: 'Tool server',
      facts: ours.map(({ agent, scope, settings: { path, approval }, answers }) => [
        `${agent}, ${scope}`,
        [
          `registered in ${shown(world, path)}`,
          ...(answers ? ['starts and answers'] : []),
          ...(approval === undefined ? [] : [approval]),
        ].join('; '),
      ]),
      findings: [
        ...(isWanted ? wantedFindings(all, ours, used, world) : [unwanted(ours)]),
        ...ours.flatMap((wiring) => [...callsOf(wiring, world), ...twice(wiring, world)]),
        ...(ours.length > 0 ? usedFindings(used) : []),
      ],
    },
  ];
}

interface Tried extends ServerWiring {
  /** Whether each of them was started, and answered. */
  readonly answers: boolean;
}

/**
 * A program that is there may still end at once, so it is started; but never one that a repository names: only what
 * stands in a person's own file, or the bare name.
 */
async function tried(wiring: ServerWiring, cwd: string, { env, paths }: CliWorld): Promise<Tried> {
  const calls = await Promise.all(
    wiring.calls.map(async (call) => {
      const isOwn = call.home.config === paths.config && call.home.state === paths.state;
      if (call.problem !== undefined || !isOwn || isForeignProgram(wiring, call)) return { ...call, answers: false };
      const problem = await greetServer(call.words, { cwd, env });
      return { ...call, answers: problem === undefined, ...(problem === undefined ? {} : { problem }) };
    }),
  );
  return { ...wiring, calls, answers: calls.every(({ answers }) => answers) };
}

/** A shared file as `init` writes it holds the bare name. */
function isForeignProgram({ scope }: ServerWiring, { words }: Call): boolean {
  return scope === 'project' && words.join(' ') !== `${PROGRAM} mcp`;
}

function wantedFindings(
  all: readonly ServerWiring[],
  ours: readonly ServerWiring[],
  used: readonly (readonly ToolServer[])[],
  world: CliWorld,
): Finding[] {
  // One file may stand for two scopes.
  const files = [...new Map(all.map((wiring) => [wiring.settings.path, wiring])).values()];
  const broken = files.flatMap(({ broken: problem, settings: { path } }): Finding[] =>
    problem === undefined
      ? []
      : [
          {
            level: 'attention',
            what: `${shown(world, path)}${problem.line === undefined ? '' : `:${problem.line}`}: ${problem.message}`,
            why: 'The agent cannot read in it which tool servers there are.',
            next: `edit ${shown(world, path)}`,
          },
        ],
  );
  const taken = all.filter(({ isTaken }) => isTaken).map(({ settings }) => foreign(shown(world, settings.path)));
  const missing: Finding = {
    level: 'note',
    what: `The pack ${GRAPH_PACK} is on, and no agent that works here is told of the tool server.`,
    why: 'Agents see the cards but cannot ask the code graph themselves.',
    next: `${PROGRAM} init`,
  };
  const isMissing = ours.length + used.length + broken.length + taken.length === 0;
  return [...broken, ...taken, ...(isMissing ? [missing] : [])];
}

function foreign(file: string): Finding {
  return {
    level: 'attention',
    what: `The server "${PROGRAM}" in ${file} is not this program's.`,
    why: 'The agent starts one server of each name, so that one may stand in the way of ours.',
    next: `give it another name in ${file}, then ${PROGRAM} init`,
  };
}

function unwanted(ours: readonly ServerWiring[]): Finding {
  const only = ours.every(({ scope }) => scope === 'user') ? ' --scope user' : '';
  return {
    level: 'note',
    what: `The tool server is registered, and the pack ${GRAPH_PACK} is off.`,
    why: 'The agent is offered its tools, but nothing is indexed that nobody asks for.',
    next: `${PROGRAM} init --pack ${GRAPH_PACK} switches the pack on; ${PROGRAM} uninstall${only} takes the server out, with the hooks`,
  };
}

function callsOf(wiring: ServerWiring, world: CliWorld): Finding[] {
  const { scope, settings, calls } = wiring;
  const file = shown(world, settings.path);
  const more = scope === 'local' ? '' : ` --scope ${scope}`;
  return calls.flatMap((call): Finding[] => {
    const { words, home, problem } = call;
    if (isForeignProgram(wiring, call)) {
      return [
        {
          level: 'attention',
          what: `The tool server in ${file} is a program that the project names: \`${words.join(' ')}\`.`,
          why: `A shared file can only hold the bare name, which each person's own ${PROGRAM} answers to.`,
          next: `look at that program, then ${PROGRAM} init${more}`,
        },
      ];
    }
    if (problem !== undefined) {
      return [
        {
          level: 'attention',
          what: `The tool server in ${file} cannot start: ${problem}.`,
          why: `The agent runs \`${words.join(' ')}\` at the start of a session and goes on without its tools.`,
          next: `${PROGRAM} init${more}`,
        },
      ];
    }
    if (home.config === world.paths.config && home.state === world.paths.state) return [];
    return [
      {
        level: 'attention',
        what: `The tool server in ${file} uses another home than this command: settings in ${home.config}, state in ${home.state}.`,
        why: 'It answers from other indexes than those that this command shows.',
        next: `${PROGRAM} uninstall${more}, then ${PROGRAM} init${more}`,
      },
    ];
  });
}

function twice({ settings, calls }: ServerWiring, world: CliWorld): Finding[] {
  if (calls.length < 2) return [];
  return [
    {
      level: 'note',
      what: `${shown(world, settings.path)} names the tool server ${counted(calls.length, 'time')}, under several names.`,
      why: 'The agent starts each of them and shows every tool as often.',
      next: `take all but "${PROGRAM}" out of ${shown(world, settings.path)}`,
    },
  ];
}

/** Those called as ours is, an extension's too, for each agent that uses any here. */
function serversUsed(root: string, { userHome, env }: CliWorld): readonly (readonly ToolServer[])[] {
  const place = { root, home: userHome, env };
  const all = ADAPTERS.map((adapter) => adapter.readSetup?.(place, nodeFiles).servers ?? []);
  return all.map((servers) => servers.filter(({ name }) => name === PROGRAM)).filter((own) => own.length > 0);
}

/** It may be registered and yet not be among the servers that the agent uses here, or be there twice. */
function usedFindings(used: readonly (readonly ToolServer[])[]): Finding[] {
  const several = used.find((own) => own.length > 1);
  if (several)
    return [
      {
        level: 'note',
        what: `An agent starts the tool server twice: its tools begin with ${several.map(({ prefix }) => prefix).join(' and ')}.`,
        why: 'An extension of the agent brings the server that is registered too, and the agent shows each tool as often.',
        next: `${PROGRAM} uninstall takes the registered one out, with the hooks`,
      },
    ];
  if (used.length > 0) return [];
  return [
    {
      level: 'note',
      what: `The tool server is registered, and the agent uses no server called "${PROGRAM}" here.`,
      why: 'It is switched off in the agent, or goes by another name; the search nudge does not offer it.',
      next: "switch it on in the agent's list of servers, or give it that name",
    },
  ];
}
