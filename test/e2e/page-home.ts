import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { createStage } from '../../src/cli/played.fixture.ts';
import type { Stage } from '../../src/cli/played.fixture.ts';
import { toHookArguments } from '../../src/platform/paths.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface PageHome extends Stage {
  readonly env: Readonly<Record<string, string>>;
  fairlead(...args: readonly string[]): string;
  /** What `fairlead page` prints: an address that lets one browser in. */
  open(...args: readonly string[]): { readonly address: string; readonly port: number; readonly pid: number };
  /** Such an address, without the verb where the page is served already. */
  address(): Promise<string>;
  /** An event of the agent, answered as a hook would. */
  hook(payload: object): Promise<string>;
}

/** A home and a project, and a way to the page that a person would take. */
export function createPageHome(): PageHome {
  const stage = createStage('acme/parcel');
  const env = { PATH: process.env['PATH'] ?? '', HOME: stage.home, FAIRLEAD_HOME: join(stage.home, '.fairlead') };
  const launcher = join(ROOT, 'bin', 'fairlead');
  const fairlead = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
      ...{ cwd: stage.project, env, encoding: 'utf8' },
    });
    if (status !== 0) throw new Error(`fairlead ${args.join(' ')}: ${stderr || stdout}`);
    return stdout;
  };
  const pids = new Set<number>();
  return {
    ...stage,
    env,
    fairlead,
    open(...args) {
      for (let tried = 1; ; tried += 1)
        try {
          const opened = JSON.parse(fairlead('page', '--no-open', '--json', ...args)) as ReturnType<PageHome['open']>;
          pids.add(opened.pid);
          return opened;
        } catch (error) {
          // It stands behind all other work, of which a loaded machine has much.
          if (tried === 10 || !String(error).includes('the page did not start within')) throw error;
        }
    },
    async address() {
      try {
        const { port, secret } = JSON.parse(readFileSync(join(stage.world().paths.run, 'page.json'), 'utf8')) as {
          readonly port: number;
          readonly secret: string;
        };
        const headers = { authorization: `Bearer ${secret}` };
        const answer = await fetch(`http://127.0.0.1:${port}/ticket`, { method: 'POST', headers });
        const { ticket } = (await answer.json()) as { readonly ticket: string };
        return `http://127.0.0.1:${port}/#${ticket}`;
      } catch {
        return this.open().address;
      }
    },
    hook: (payload) =>
      new Promise((resolve, reject) => {
        const child = spawn(
          process.execPath,
          [launcher, 'hook', '--agent', 'claude-code', '--direct', ...toHookArguments(stage.world().paths)],
          {
            cwd: stage.project,
            env,
          },
        );
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
        child.on('error', reject);
        child.on('exit', () => resolve(text));
        child.stdin.end(JSON.stringify(payload));
      }),
    remove() {
      for (const pid of pids)
        try {
          process.kill(pid);
        } catch {
          // It has ended with its last tab.
        }
      stage.remove();
    },
  };
}

/** Repeats what is recorded, as other sessions of days before, until there are so many rows; what is kept of them is kept of these too. */
export function multiply(state: string, rows: number): void {
  const db = new DatabaseSync(join(state, 'state.db'));
  const { count, most } = db.prepare('SELECT count(*) AS count, max(n) AS most FROM events').get() as {
    count: number;
    most: number;
  };
  const times = Math.ceil(rows / count) - 1;
  db.exec('BEGIN');
  // The newest keep their place at the end: the copies go to lower numbers.
  const shift = times * most;
  for (const table of ['events', 'details', 'fates'])
    db.exec(`UPDATE ${table} SET n = n + ${shift * 2}; UPDATE ${table} SET n = n - ${shift};`);
  db.exec(`UPDATE session_sums SET first_n = first_n + ${shift}, last_n = last_n + ${shift}`);
  const columns = (db.prepare('PRAGMA table_info(events)').all() as { name: string }[]).map(({ name }) => name);
  const changed: Readonly<Record<string, string>> = {
    n: `events.n - ${shift} + (k - 1) * ${most}`,
    id: `events.id || '-' || k`,
    session: `events.session || '-' || k`,
    at: `events.at - (${times} - k + 1) * 600000`,
  };
  db.exec(`
    CREATE TEMP TABLE ks AS WITH RECURSIVE c(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < ${times}) SELECT k FROM c;
    CREATE TEMP TABLE base AS SELECT * FROM events; CREATE TEMP TABLE base_details AS SELECT * FROM details;
    INSERT INTO events (${columns.join(', ')}) SELECT ${columns.map((name) => changed[name] ?? name).join(', ')} FROM base AS events, ks;
    INSERT INTO details (n, body) SELECT n - ${shift} + (k - 1) * ${most}, body FROM base_details, ks;
    INSERT INTO session_sums SELECT session || '-' || k, agent, root, first - (${times} - k + 1) * 600000, last - (${times} - k + 1) * 600000,
      first_n - ${shift} + (k - 1) * ${most}, last_n - ${shift} + (k - 1) * ${most}, ended, events, denies, asks, saves, notes, chars, micros
      FROM session_sums, ks WHERE session NOT LIKE '%-' || k;
    UPDATE rule_days SET heard = heard * ${times + 1}, fired = fired * ${times + 1}, chars = chars * ${times + 1};
    UPDATE rule_marks SET count = count * ${times + 1}; UPDATE event_days SET count = count * ${times + 1};
    COMMIT;`);
  db.close();
}
