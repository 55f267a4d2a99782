import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RelayRecord } from '../../event/follow-up.ts';
import { pausedId } from '../../engine/session/pause.ts';
import { readRelays } from '../../ledger/relays.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { CellSpec } from '../../state/cell.ts';
import { cellId } from '../../state/cells.ts';
import { readLog } from '../../state/session-log.ts';
import type { LoggedLine } from '../../state/session-log.ts';
import type { World } from '../world.fixture.ts';

export const SESSION = 'session-1';

const RECORDED = readFileSync(
  new URL('../../../test/fixtures/claude-code/extras/transcript.jsonl', import.meta.url),
  'utf8',
);
const lineWith = (part: string) =>
  JSON.parse(
    RECORDED.trimEnd()
      .split('\n')
      .find((line) => line.includes(part)) ?? '',
  ) as { readonly message: object };
const ANSWER = lineWith('"type":"assistant"');
const RESULT = lineWith('"tool_result"');

/** The recorded answer with another number of tokens, as a line of a transcript. */
export function answerLine(tokens: number, model = 'claude-opus-5-5'): string {
  const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 };
  return `${JSON.stringify({ ...ANSWER, message: { ...ANSWER.message, model, usage } })}\n`;
}

/** The recorded result of a call with so many bytes of output. */
export function resultLine(bytes: number): string {
  const content = [{ type: 'tool_result', tool_use_id: 'x', content: 'x'.repeat(bytes) }];
  return `${JSON.stringify({ ...RESULT, message: { ...RESULT.message, content } })}\n`;
}

/** Transcripts only grow. */
export function transcribe(world: World, ...lines: readonly string[]): void {
  appendFileSync(join(world.home, `${SESSION}.jsonl`), lines.join(''));
}

/** As if an earlier event, or a command, had left it. */
export function setCell(
  world: World,
  spec: CellSpec,
  value: unknown,
  { owner = spec.scope === 'workspace' ? world.root : SESSION, key = '' } = {},
): void {
  commit(world, cellId(spec.scope, owner, spec.name, key), value);
}

export function pauseSession(world: World, turns = 0): void {
  commit(world, pausedId(SESSION), { since: world.now, turns });
}

function commit(world: World, id: string, value: unknown): void {
  const changes = [{ op: 'set' as const, id, value: JSON.stringify(value), expires: 0 }];
  world.engine.store.commit({ reads: new Map(), changes, now: world.now });
}

/** The one value of a cell. */
export function cellOf(world: World, name: string): unknown {
  return Object.values(world.cells(name))[0];
}

export async function statsOf(world: World, session = SESSION): Promise<readonly LoggedLine[]> {
  await world.pass(0);
  return readLog(nodeFiles, world.paths.state, session) ?? [];
}

export function relaysOf(world: World): readonly RelayRecord[] {
  world.engine.ledger.flush();
  const { db } = world.engine.memory;
  return db ? readRelays(db) : [];
}

/** What becomes of a shell command: the action, and the variants of the records of it. */
export async function judge(world: World, command: string, more?: Readonly<Record<string, unknown>>): Promise<string> {
  const { action } = await world.before('Bash', { command }, more);
  return [action, ...relaysOf(world).map(({ variant }) => variant)].join(' ');
}
