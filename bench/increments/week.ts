import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemOutside } from '../../src/platform/outside.ts';
import { parseCellId } from '../../src/state/cells.ts';
import { summarize } from '../lib/measure.ts';
import type { Measured } from '../lib/measure.ts';
import { breathe, openStage, put } from './stage.ts';
import type { Fields, Stage } from './stage.ts';

const EVENTS = 100_000;
const DAYS = 30;
const SAMPLE = 1_000;
const RECORDED_AT = '/home/dev/project';
const SESSIONS = join(process.cwd(), 'test/fixtures/sessions');

export interface Week {
  /** Of the first and the last events. */
  readonly first: Measured;
  readonly last: Measured;
  /** Bytes of the state, database and log of changes, at two thirds of the time and at the end. */
  readonly sizes: readonly [number, number];
  /** Bytes of the pack's own cells at the same moments. */
  readonly cells: readonly [number, number];
}

/**
 * A recorded session over and over, each time with ids of its own, spread over a month on the engine's clock, so that what is
 * kept for days goes when its days are over; inside a session events have their recorded distances. The ledger keeps fewer
 * rows than usual, or it would not be full at the end.
 */
export async function playLong(top: string): Promise<Week> {
  const project = join(top, 'long');
  const { files } = JSON.parse(readFileSync(join(SESSIONS, 'increments.script.json'), 'utf8')) as {
    readonly files: Readonly<Record<string, string>>;
  };
  for (const [path, text] of Object.entries(files)) put(join(project, path), text);
  const calls = readFileSync(join(SESSIONS, 'increments.jsonl'), 'utf8')
    .replaceAll(RECORDED_AT, project)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly at: number; readonly payload: Fields });

  await playThrough(openAt('warm', 5_000), 5_000);
  return playThrough(openAt('cold', EVENTS), EVENTS);

  function openAt(name: string, events: number) {
    const clock = { at: Date.now() };
    const now = () => clock.at;
    const outside = { ...systemOutside, clock: { ...systemOutside.clock, now } };
    const config = 'ledger: { rows: 10000, days: 7 }\n';
    const slot = (DAYS * 86_400_000 * calls.length) / events;
    return { clock, stage: openStage(join(top, name), project, config, outside), slot };
  }

  async function playThrough({ clock, stage, slot }: ReturnType<typeof openAt>, events: number): Promise<Week> {
    const times = new Float64Array(events);
    const started = clock.at;
    const seen: { size: number; cells: number }[] = [];
    for (let at = 0; at < events; at += 1) {
      const round = Math.floor(at / calls.length);
      const { at: since = 0, payload = {} } = calls[at % calls.length] ?? {};
      clock.at = started + round * slot + since;
      const ids = Object.fromEntries(
        ['tool_use_id', 'prompt_id'].flatMap((key) =>
          key in payload ? [[key, `${String(payload[key])}-${round}`]] : [],
        ),
      );
      times[at] = await stage.send({ ...payload, ...ids }, `session-${round}`);
      await breathe();
      if (at + 1 === Math.floor((events * 2) / 3) || at + 1 === events) seen.push(look(stage));
    }
    stage.opened.close();
    const [middle, end] = seen;
    return {
      first: summarize(times.slice(0, SAMPLE)),
      last: summarize(times.slice(-SAMPLE)),
      sizes: [middle?.size ?? 0, end?.size ?? 0],
      cells: [middle?.cells ?? 0, end?.cells ?? 0],
    };
  }
}

function look({ opened, stateFile }: Stage): { readonly size: number; readonly cells: number } {
  opened.telemetry.flush();
  opened.memory.ledger.flush();
  const now = opened.clock.now();
  const cells = ['session', 'turn', 'workspace', 'user']
    .flatMap((scope) => opened.store.list(scope, now))
    .filter(({ id }) => parseCellId(id).name.startsWith('increments.'));
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    size: sizeOf(stateFile) + sizeOf(`${stateFile}-wal`),
    cells: cells.reduce((sum, { id, value }) => sum + id.length + value.length, 0),
  };
}
