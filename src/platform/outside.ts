import { VERSION } from './build.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { FactSources } from './fact-sources.ts';
import { nodeFiles } from './files.ts';
import type { Files } from './files.ts';
import { soon } from './timers.ts';

/** All that an engine takes from the process it lives in; tests put their own here. */
export interface Outside {
  readonly clock: Clock;
  readonly files: Files;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs later, but keeps no process alive for it. */
  soon(ms: number, work: () => void): void;
  readonly sources: FactSources;
  /** What runs here: its version, a directory of the package that it came with, and the Node that runs it. */
  readonly program: { readonly version: string; readonly dir: string; readonly node?: string };
}

const sources = () => import('./fact-sources.ts').then(({ machineSources }) => machineSources);

export const systemOutside: Outside = {
  clock: systemClock,
  files: nodeFiles,
  env: process.env,
  soon,
  sources: {
    git: async (dir, args, limitMs) => (await sources()).git(dir, args, limitMs),
    resources: async (dir) => (await sources()).resources(dir),
    isMounted: async (path) => (await sources()).isMounted(path),
  },
  program: { version: VERSION, dir: import.meta.dirname, node: process.execPath },
};
