import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { graphPaths } from '../../graph/index.ts';
import { takeLease } from '../../graph/graph.fixture.ts';
import type { Lease } from '../../graph/graph.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { removeTree } from '../../platform/remove-tree.fixture.ts';
import { pause } from '../../platform/timers.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { runVerb } from '../run-verb.fixture.ts';
import type { Ran } from '../run-verb.fixture.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

export type { Ran } from '../run-verb.fixture.ts';

/** In the project unless told otherwise; of the group `graph`. */
interface Where {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly group?: 'graph' | 'canvas';
}

export interface ShopProject extends PlantedProject {
  /** `fairlead graph …` as a process of its own, for what is about the process: several at once, one that is ended. */
  begin(
    words: readonly string[],
    where?: Where,
  ): {
    readonly child: ChildProcess;
    readonly ran: Promise<Ran>;
  };
  /** The same in a process that runs one verb after the other. */
  ask(words: readonly string[], where?: Where): Promise<Ran>;
  graph(...words: readonly string[]): Promise<Ran>;
  json(...words: readonly string[]): Promise<Record<string, unknown>>;
  /** Takes the place of a process that writes to the graph. One that has just written may be at its last words. */
  holdLease(): Promise<Lease>;
  /** Puts aside how all is now, for `restore`: to index takes longer than to copy. */
  keep(): void;
  /** The same files at the same place with the same times, and the graph of them. */
  restore(): Promise<void>;
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
  const callOf = (words: readonly string[], { cwd = planted.root, env = {}, group = 'graph' }: Where = {}) => ({
    words: [group, ...words],
    cwd,
    env: { PATH: process.env['PATH'], HOME: planted.home, FAIRLEAD_HOME: join(planted.home, '.fairlead'), ...env },
  });
  const ask: ShopProject['ask'] = (words, where) => runVerb(callOf(words, where));
  const begin: ShopProject['begin'] = (asked, where) => {
    const { words, cwd, env } = callOf(asked, where);
    const child = spawn(process.execPath, [CLI, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    return { child, ran: once(child, 'close').then(([code]) => ({ code: code as number | null, ...said })) };
  };
  const aside = `${planted.home}-kept`;
  const holdLease = async (): Promise<Lease> => {
    const place = graphPaths(join(planted.home, '.fairlead/state'), planted.root);
    for (;;) {
      const lease = takeLease(nodeFiles, place, { pid: process.pid, since: Date.now() });
      if (lease) return lease;
      await pause(20);
    }
  };
  return {
    ...planted,
    begin,
    ask,
    holdLease,
    // Not by Node: it copies times less exactly than they are compared.
    keep: () => void execFileSync('cp', ['-Rp', planted.home, aside]),
    async restore() {
      (await holdLease()).release();
      await removeTree(planted.home);
      execFileSync('cp', ['-Rp', aside, planted.home]);
    },
    async remove() {
      await planted.remove();
      await removeTree(aside);
    },
    graph: (...words) => ask(words),
    async json(...words) {
      const { out, err } = await ask([...words, '--json']);
      if (out === '') throw new Error(err);
      return JSON.parse(out) as Record<string, unknown>;
    },
  };
}
