// How long `fairlead doctor` takes with a full ledger: 200,000 events with what became of them, in a process of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../src/assembly/open-engine.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { play, readSession } from '../src/player/play.ts';
import { report } from './lib/figures.ts';
import { printTable } from './lib/measure.ts';

const ROWS = 200_000;
const RUNS = 5;
const DAYS = 14;

const home = join(process.cwd(), '.build', `bench-doctor-${process.pid}`);
const project = join(home, 'project');
mkdirSync(join(project, '.git'), { recursive: true });
mkdirSync(join(home, '.fairlead', 'config', 'rules'), { recursive: true });
// A rule that speaks on most calls, so that most rows have a decision, a fate and an outcome.
const rule = join(home, '.fairlead', 'config', 'rules', 'often.md');
const matter =
  'name: often\nevent: [tool.before, tool.after]\ntool: [shell, read, edit, write, search, glob]\nexpect: {tool: bash, words: [npm run never], within: 1}';
writeFileSync(rule, `---\n${matter}\n---\nRun \`npm run never\`.\n`);
utimesSync(rule, 1, 1);
const paths = pathsOf(join(home, '.fairlead'));

/** A recorded session through the engine, then the same rows again and again, over the days. */
async function fill(): Promise<void> {
  const text = readFileSync('test/fixtures/sessions/heavy-parcel.jsonl', 'utf8');
  const calls = readSession(text, { '/home/dev/project': project });
  const engine = openEngine({ paths, userHome: home, resident: false });
  for await (const _ of play(calls, engine, { agent: 'claude-code', home, startAt: Date.now() - 60_000 }))
    engine.ledger.flush();
  const { db } = engine.memory;
  if (!db) throw new Error('no database');
  const { count } = db.prepare('SELECT max(n) AS count FROM events').get() as { count: number };
  db.exec('BEGIN');
  const columns = (db.prepare('SELECT name FROM pragma_table_info(?)').all('events') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !['n', 'id', 'at', 'session', 'delivery'].includes(name));
  const copies = Math.ceil(ROWS / count) - 1;
  for (let copy = 1; copy <= copies; copy += 1) {
    const by = copy * count;
    const back = Math.floor((copy / copies) * DAYS * 86_400_000 * 0.9);
    db.exec(`INSERT INTO events (n, id, at, session, ${columns.join(', ')}) SELECT n + ${by}, id || '${copy}', at - ${back}, session || '${copy % 50}', ${columns.join(', ')} FROM events WHERE n <= ${count};
      INSERT INTO details SELECT n + ${by}, body FROM details WHERE n <= ${count};
      INSERT INTO fates SELECT n + ${by}, session || '${copy % 50}', call, subagent, 'told', 'delivered' FROM fates WHERE n <= ${count};
      INSERT INTO heeds SELECT decision || '${copy}', rule, outcome, n + ${by} FROM heeds WHERE n <= ${count} AND length(decision) < 12;`);
  }
  for (let day = 1; day < DAYS; day += 1)
    db.exec(
      `INSERT OR IGNORE INTO rule_days SELECT day - ${day}, root, rule, heard, throttled, lacking, fired, said, chars FROM rule_days WHERE day = (SELECT max(day) FROM rule_days)`,
    );
  db.exec('COMMIT');
  for (const table of ['events', 'details', 'fates', 'heeds', 'rule_days'])
    console.log(table, (db.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count);
  engine.close();
}

try {
  await fill();
  const env = { ...process.env, HOME: home, FAIRLEAD_HOME: join(home, '.fairlead') };
  const times: number[] = [];
  let judged = '';
  for (let run = 0; run < RUNS; run += 1) {
    const started = performance.now();
    try {
      judged = execFileSync(process.execPath, [join(process.cwd(), 'dist/cli.js'), 'doctor', '--json'], {
        cwd: project,
        env,
        encoding: 'utf8',
      });
    } catch (error) {
      // Exit code 1: something needs attention.
      judged = (error as { stdout?: string }).stdout ?? '';
    }
    times.push(performance.now() - started);
  }
  const finding = /user\/often was not followed[^"]*/.exec(judged)?.[0] ?? 'nothing was said of the rule';
  console.log(finding);
  times.sort((a, b) => a - b);
  const row = [`${ROWS} events`, times[Math.floor(RUNS / 2)] ?? 0, times.at(-1) ?? 0, loadavg()[0]?.toFixed(1) ?? ''];
  printTable(['doctor', 'p50 ms', 'most ms', 'load'], [row]);
  report('doctor', { ms: times[0] ?? Number.NaN });
} finally {
  rmSync(home, { recursive: true, force: true });
}
