import { STAMP } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { findOnPath } from '../../platform/find-program.ts';
import { ownCommand } from '../../platform/own-command.ts';
import { join } from '../../platform/paths.ts';
import { commandLine, isAlive, spawnDetached } from '../../platform/processes.ts';
import { pause } from '../../platform/timers.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { serve, servedFile } from '../page/serve.ts';
import type { Served } from '../page/serve.ts';

/** Ports at which no browser opens a page, since other services are known to listen there: the list of the Fetch standard. */
const LIST = `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659
4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`;

const REFUSED_PORTS: ReadonlySet<number> = new Set(LIST.split(/\s/).map(Number));

const START_MS = 20_000;
const LOOK_MS = 50;
const FILE_MODE = 0o600;
const HIGHEST_PORT = 65_535;

export const page: Command = {
  summary: 'a page in the browser: what agents do, and what the rules did about it',
  details: `Served on this machine alone, by a process of its own that ends with the last tab. The page only reads: what changes
something is shown as a command to copy. The address that is printed lets one browser in, once, within two minutes.
--serve stays here and serves, until the last tab is closed or it is stopped.`,
  options: {
    'no-open': { type: 'boolean', help: 'print the address and leave the browser alone' },
    port: { type: 'string', value: 'PORT', help: 'instead of one that is free' },
    serve: { type: 'boolean', help: 'serve in this process, without a browser' },
    ...JSON_OPTION,
  },
  check: (input) => void portIn(input.text('port')),
  async run(input, world) {
    const port = portIn(input.text('port'));
    if (input.has('serve')) return serve(world, port, STAMP);
    const found = running(world, port);
    const known = found && (await ticketFrom(found));
    const served = found && known !== undefined ? found : await start(world, port);
    const ticket = known ?? (await ticketFrom(served));
    if (ticket === undefined) throw new CommandError('the page was started and does not answer; try again');
    const address = `http://127.0.0.1:${served.port}/#${ticket}`;
    if (input.has('json')) return printJson(world, { address, port: served.port, pid: served.pid });
    world.out(`${address}\n`);
    if (input.has('no-open')) return;
    world.out(
      open(address, world)
        ? 'If no tab opens, open the address yourself within two minutes: a browser from a snap or flatpak cannot read the file that leads there.\n'
        : 'No program that opens a browser was found; open the address yourself within two minutes.\n',
    );
  },
};

function portIn(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > HIGHEST_PORT)
    throw new UsageError(`--port wants a number up to ${HIGHEST_PORT}, not "${text}"`);
  if (REFUSED_PORTS.has(port))
    throw new UsageError(
      `browsers open nothing at port ${port}, which is known for another service; name another, or leave --port out`,
    );
  return port;
}

/** The process that serves already, for this project, by this build and at the port that is wanted. */
function running(world: CliWorld, port: number): Served | undefined {
  try {
    const served = JSON.parse(nodeFiles.readText(servedFile(world.paths)) ?? '') as Served;
    const isOurs = served.stamp === STAMP && served.project === world.cwd && (port === 0 || port === served.port);
    return isOurs && isPage(served.pid) ? served : undefined;
  } catch {
    return undefined;
  }
}

/** Of a process that was killed the file stays, and its number may be another's by now. */
function isPage(pid: number): boolean {
  return isAlive(pid) && commandLine(pid)?.includes('--serve') !== false;
}

async function start(world: CliWorld, port: number): Promise<Served> {
  const { paths, env } = world;
  nodeFiles.makeDir(paths.run, 0o700);
  const file = servedFile(paths);
  nodeFiles.remove(file);
  const log = join(paths.run, 'page.log');
  const [command = '', ...args] = ownCommand();
  const words = [...args, 'page', '--serve', ...(port === 0 ? [] : ['--port', String(port)])];
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  spawnDetached(command, words, { env: Object.fromEntries(set), log, cwd: world.cwd });
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    await pause(LOOK_MS);
    const served = running(world, 0);
    if (served) return served;
    // Node may have something to say as well.
    const said = /^fairlead: (.*)$/m.exec(nodeFiles.readText(log) ?? '')?.[1];
    if (said !== undefined) throw new CommandError(`the page could not be served: ${said}`);
  }
  throw new CommandError(`the page did not start within ${START_MS / 1_000} s; ${log} may say why`);
}

/** Undefined where nobody answers, or somebody else. */
async function ticketFrom({ port, secret }: Served): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ticket`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
    });
    return response.ok ? ((await response.json()) as { readonly ticket: string }).ticket : undefined;
  } catch {
    return undefined;
  }
}

/**
 * By a file that is the person's alone: the words of a process can be read by every user of the machine, and the address lets
 * whoever comes first in.
 */
function open(address: string, world: CliWorld): boolean {
  const opener = ['xdg-open', 'open', 'wslview']
    .map((name) => findOnPath(name, world.env))
    .find((path) => path !== undefined);
  if (opener === undefined) return false;
  const file = join(world.paths.run, 'page-open.html');
  nodeFiles.writeAtomic(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}">\n`,
    FILE_MODE,
  );
  const set = Object.entries(world.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  spawnDetached(opener, [file], { env: Object.fromEntries(set), log: join(world.paths.run, 'page-open.log') });
  return true;
}

export default { order: 165, verbs: { page } } satisfies VerbFile;
