import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

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
  return {
    ...planted,
    begin,
    graph: (...words) => begin(words).ran,
    async json(...words) {
      const { out, err } = await begin([...words, '--json']).ran;
      if (out === '') throw new Error(err);
      return JSON.parse(out) as Record<string, unknown>;
    },
  };
}
