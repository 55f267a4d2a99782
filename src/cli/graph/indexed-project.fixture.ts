import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createIndexing } from '../../graph/index.ts';
import { CommandError, UsageError } from '../command.ts';
import { dispatch, whereHelpIs } from '../dispatch.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));
const CLI = join(DIST, 'cli.js');
// The indexing process is one of the build, whoever asks it.
vi.mock('./indexing.ts', () => ({
  openIndexing: ({ paths }: { readonly paths: { readonly state: string } }) =>
    createIndexing({ state: paths.state, node: process.execPath, program: join(DIST, 'indexer.js') }),
}));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ShopProject extends PlantedProject {
  /** `fairlead graph …`, or another group, as a process, in the project unless told otherwise. */
  begin(
    words: readonly string[],
    where?: {
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly group?: 'graph' | 'canvas';
    },
  ): {
    readonly child: ChildProcess;
    readonly ran: Promise<Ran>;
  };
  /** `fairlead graph …` without a process of its own, which would have to load everything each time. */
  graph(...words: readonly string[]): Promise<Ran>;
  json(...words: readonly string[]): Promise<Record<string, unknown>>;
}

/** A small project with a store in TypeScript and a program in Python. */
export function plantShop(): ShopProject {
  const planted = plantProject();
  planted.putProject(
    'src/store.ts',
    'export class Store {\n  save(item: string): void {\n    this.flush(item);\n  }\n  flush(item: string): void {}\n}\n',
  );
  planted.putProject(
    'src/main.ts',
    "import { Store } from './store.ts';\nexport function main(): void {\n  const store = new Store();\n  store.save('a');\n}\n",
  );
  planted.putProject(
    'src/main.test.ts',
    "import { main } from './main.ts';\nfunction testMain(): void {\n  main();\n}\ntestMain();\n",
  );
  planted.putProject('tool.py', 'def parse_config(text):\n    return text\n\ndef run():\n    parse_config("x")\n');
  const begin: ShopProject['begin'] = (words, { cwd = planted.root, env = {}, group = 'graph' } = {}) => {
    const child = spawn(process.execPath, [CLI, group, ...words], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: planted.home, FAIRLEAD_HOME: join(planted.home, '.fairlead'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    return { child, ran: once(child, 'close').then(([code]) => ({ code: code as number | null, ...said })) };
  };
  async function graph(...words: readonly string[]): Promise<Ran> {
    const world = planted.world({ columns: Infinity });
    const argv = ['graph', ...words];
    try {
      return { code: await dispatch(argv, world, () => {}), ...world.printed };
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof UsageError)) throw error;
      const [code, next] = error instanceof UsageError ? [2, whereHelpIs(argv)] : [1, ''];
      return { code, out: world.printed.out, err: `${world.printed.err}fairlead: ${error.message}\n${next}` };
    }
  }
  return {
    ...planted,
    begin,
    graph,
    async json(...words) {
      const { out, err } = await graph(...words, '--json');
      if (out === '') throw new Error(err);
      return JSON.parse(out) as Record<string, unknown>;
    },
  };
}
