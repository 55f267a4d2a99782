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
  /** The last events, in an engine that has seen all the others, and in turn with it in one that is new. */
  readonly last: Measured;
  readonly first: Measured;
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
  put(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
  for (const [path, text] of Object.entries(files)) put(join(project, path), text);
  const calls = readFileSync(join(SESSIONS, 'increments.jsonl'), 'utf8')
    .replaceAll(RECORDED_AT, project)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly at: number; readonly payload: Fields });
  const started = Date.now();
  const slot = (DAYS * 86_400_000 * calls.length) / EVENTS;
  let now = started;
  const outside = { ...systemOutside, clock: { ...systemOutside.clock, now: () => now } };
  const open = (name: string) => openStage(join(top, name), project, 'ledger: { rows: 10000, days: 7 }\n', outside);

  const old = open('old');
  const sizes: { readonly size: number; readonly cells: number }[] = [];
  for (let at = 0; at < EVENTS - SAMPLE; at += 1) {
    await sendAt(at, old);
    if (at === Math.floor((EVENTS * 2) / 3)) sizes.push(look(old));
  }
  const young = open('young');
  const [last, first] = [new Float64Array(SAMPLE), new Float64Array(SAMPLE)];
  for (let at = 0; at < SAMPLE; at += 1) {
    first[at] = await sendAt(EVENTS - SAMPLE + at, young);
    last[at] = await sendAt(EVENTS - SAMPLE + at, old);
  }
  sizes.push(look(old));
  for (const { opened } of [old, young]) opened.close();
  const [middle, end] = sizes;
  return {
    last: summarize(last),
    first: summarize(first),
    sizes: [middle?.size ?? 0, end?.size ?? 0],
    cells: [middle?.cells ?? 0, end?.cells ?? 0],
  };

  async function sendAt(at: number, stage: Stage): Promise<number> {
    const round = Math.floor(at / calls.length);
    const { at: since = 0, payload = {} } = calls[at % calls.length] ?? {};
    now = started + round * slot + since;
    const ids = Object.fromEntries(
      ['tool_use_id', 'prompt_id'].flatMap((key) =>
        key in payload ? [[key, `${String(payload[key])}-${round}`]] : [],
      ),
    );
    const micros = await stage.send({ ...payload, ...ids }, `session-${round}`);
    await breathe();
    return micros;
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
