import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { randomUUID } from 'node:crypto';
import { adapterNamed } from '../../adapters/registry.ts';
import { basename, join } from '../../platform/paths.ts';
import { runHook } from '../../platform/run-hook.ts';
import type { CliWorld } from '../command.ts';
import { adoptingOf } from './adopting-of.ts';
import type { Found } from './found.ts';

/** What a hook takes, in milliseconds: the middle one of its runs. */
export interface Measured {
  readonly number: number;
  readonly ms?: number;
  readonly shown: string;
}

const RUNS = 3;
/** Large, and of no use to a hook that looks at one event. */
const NOT_COPIED = new Set(['.git', 'node_modules']);

/** Runs each hook on events as the agent sends them, one after the other, in a copy of the project. */
export async function measureHooks(
  found: readonly Found[],
  root: string,
  world: CliWorld,
): Promise<readonly Measured[]> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-adopt-')));
  const project = join(dir, basename(root));
  try {
    cpSync(root, project, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !NOT_COPIED.has(basename(path)),
    });
    const measured: Measured[] = [];
    for (const each of found) measured.push(await measureOne(each, project, world));
    return measured;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measureOne(
  { number, agent, name, event, hook }: Found,
  project: string,
  world: CliWorld,
): Promise<Measured> {
  const { canaries, wired } = adoptingOf(agent);
  const runner = adapterNamed(agent)?.hookRunner;
  const known = wired.find((each) => each.name === event);
  const place = { session: randomUUID(), cwd: project, transcript: join(project, '.no-transcript') };
  const payload = known && canaries?.payload(known, place);
  if (!hook || !runner || !payload) return { number, shown: 'not measured' };
  const env = { ...world.env, ...canaries?.environment(place) };
  const { argv, limitMs } = runner.start({ name, event, entry: hook.entry }, env);
  const input = new TextEncoder().encode(`${JSON.stringify(payload)}\n`);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { ms } = await runHook(argv, { cwd: project, env, input, limitMs, signal: new AbortController().signal });
    times.push(ms);
  }
  const ms = Math.round(times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0);
  return { number, ms, shown: `${ms} ms` };
}
