import { GRAPH_PACK } from '../../event/known-packs.ts';
import { Writable } from 'node:stream';
import { ADAPTERS } from '../../adapters/registry.ts';
import { serveMcp } from '../../mcp/serve.ts';
import { VERSION } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { HOME_OPTIONS } from '../command.ts';
import type { Command, VerbFile } from '../command.ts';
import { forcesRoots, graphSettingsAt } from '../graph/graph-settings.ts';
import { openIndexing } from '../graph/indexing.ts';

const PARENT_MS = 5_000;

export const mcp: Command = {
  summary: 'the code graph as tools for an agent (MCP on stdio)',
  details: `What an agent starts; \`fairlead init --pack ${GRAPH_PACK}\` tells it to. Standard output carries the protocol alone, what
is wrong goes to standard error. It ends when its input does.`,
  options: { ...HOME_OPTIONS },
  async run(_input, world) {
    const output = protocolOutput();
    const indexing = openIndexing(world);
    const server = serveMcp({
      world: {
        state: world.paths.state,
        files: nodeFiles,
        home: world.userHome,
        env: world.env,
        pid: process.pid,
        indexing,
        cwd: () => world.cwd,
        settingsAt: (root) => graphSettingsAt(world, root),
        forcesRoots: () => forcesRoots(world),
      },
      input: process.stdin,
      output,
      version: VERSION,
      toolMeta: Object.assign({}, ...ADAPTERS.map(({ toolMeta }) => toolMeta)) as Record<string, unknown>,
      report: (text) => world.err(`fairlead mcp: ${text}\n`),
    });
    await ended();
    await server.close();
    indexing.close();
  },
};

/** Standard output for the protocol alone: whatever else prints there, as a library that warns, is sent to standard error. */
function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (
    chunk: unknown,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ) => boolean;
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
}

/** Resolves when nobody is there any more: the input has ended, or whoever started this process is gone. */
function ended(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) end();
    }, PARENT_MS);
    timer.unref();
    const end = () => {
      clearInterval(timer);
      process.stdin.destroy();
      resolve();
    };
    for (const name of ['end', 'close', 'error']) process.stdin.once(name, end);
    // The protocol gave up, as it does after a line beyond its limit: nothing is read any more.
    process.once('beforeExit', end);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  });
}

export default { order: 340, verbs: { mcp } } satisfies VerbFile;
