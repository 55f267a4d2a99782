import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { openProjects } from './projects.ts';
import type { McpWorld } from './projects.ts';
import { createServer } from './server.ts';
import type { ServerOptions } from './server.ts';

export interface ServeOptions extends Pick<ServerOptions, 'version' | 'toolMeta'> {
  readonly world: McpWorld;
  readonly input: Readable;
  readonly output: Writable;
  /** What is wrong, for whoever looks after the server. */
  report(text: string): void;
}

/** Answers until told to stop; what runs at that moment is left unanswered. */
export function serveMcp({ world, input, output, version, toolMeta, report }: ServeOptions): {
  close(): Promise<void>;
} {
  const projects = openProjects(world);
  const onFailure = (error: unknown) => report(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const handle = serveStdio(() => createServer({ world, projects, version, toolMeta, onFailure }), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => report(error.message),
  });
  return {
    async close() {
      await handle.close();
      projects.close();
    },
  };
}
