import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { ADAPTERS } from '../adapters/registry.ts';
import { nodeFiles } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';
import { openReplayEngine } from './replay-engine.ts';
import type { Outcome } from './replay-engine.ts';
import { partsOf, replay } from './replay.ts';
import type { Recorder } from './replay.ts';

/** A session of the real client under the guard, and what the ledger has of it. */
const FIXTURE = new URL('../../test/fixtures/replay/', import.meta.url);
const PROJECT = '-home-dev-project';
const SESSION = '04150b9e-7b7f-427e-96ff-b9a6ee3809da';

interface LiveRow {
  readonly event: string;
  readonly tool: string;
  readonly action: string;
  readonly rules: string;
  readonly call: string | null;
  readonly agent: string | null;
}

const live = readFileSync(new URL('live.jsonl', FIXTURE), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LiveRow);

const recorder = ADAPTERS.flatMap((adapter): Recorder[] =>
  adapter.transcripts ? [{ adapter, transcripts: adapter.transcripts }] : [],
)[0] as Recorder;

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-replay-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Puts the recorded session there as one that ran in `project`. */
function plant(project: string): string {
  const at = join(dir, 'transcripts');
  cpSync(new URL(`${PROJECT}/`, FIXTURE), at, { recursive: true });
  for (const path of [
    `${SESSION}.jsonl`,
    ...readdirSync(join(at, SESSION, 'subagents')).map((name) => join(SESSION, 'subagents', name)),
  ])
    writeFileSync(join(at, path), readFileSync(join(at, path), 'utf8').replaceAll('/home/dev/project', project));
  return join(at, `${SESSION}.jsonl`);
}

async function replayed(...mains: readonly string[]): Promise<Outcome[]> {
  const engine = openReplayEngine({ paths: pathsOf(join(dir, 'home')), userHome: '/home/dev', files: nodeFiles });
  const found: Outcome[] = [];
  const parts = partsOf(mains, recorder, nodeFiles, 0);
  for await (const { outcomes } of replay({ recorder, parts, engines: [engine], files: nodeFiles }))
    found.push(...outcomes);
  expect(engine.failures).toEqual([]);
  return found;
}

const rowOf = ({ row, event }: Outcome) => ({
  event: row.event,
  tool: row.tool,
  action: row.action,
  rules: row.rules,
  call: event.tool?.id ?? null,
  agent: event.subagent?.id ?? null,
});

describe('a replayed session', () => {
  it('gets the decisions that were made live, event by event, or says what was missing', async () => {
    // Nobody listened to it, so it was not wired.
    const outcomes = (await replayed(plant('/home/dev/project'))).filter(({ row }) => row.event !== 'subagent.start');
    const nameOf = ({ event, call, agent }: LiveRow) => [event, call, agent].join(' ');
    expect(outcomes.map(rowOf).map(nameOf)).toEqual(live.map(nameOf));
    const known = outcomes.flatMap((outcome, at) => (outcome.unknown ? [] : [[rowOf(outcome), live[at]]]));
    for (const [ours, theirs] of known) expect(ours).toEqual(theirs);
    const unknown = outcomes.flatMap(({ row, unknown: why, event }, at) =>
      why
        ? [[row.event, event.tool?.command ?? '', why.possible, why.missing.map(({ what }) => what), live[at]?.action]]
        : [],
    );
    expect(unknown).toEqual([
      [
        'tool.before',
        'git push --force',
        ['deny'],
        [...Array.from({ length: 3 }, () => 'what a file held'), 'what no commit had of what the call takes away'],
        'pass',
      ],
      [
        'tool.before',
        'cat > big.txt <<< hi && rm new.txt',
        ['pass', 'save'],
        ['whether a file was there', 'whether a file was there', 'what there was to copy'],
        'save',
      ],
    ]);
  });

  it('reads nothing of a project as it is today, and writes nothing', async () => {
    const project = join(dir, 'work', 'project');
    const main = plant(project);
    const gone = (await replayed(main)).map(describeOutcome);
    mkdirSync(join(project, '.git'), { recursive: true });
    writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/elsewhere\n');
    mkdirSync(join(project, 'new.txt'));
    writeFileSync(join(project, 'big.txt'), 'there today\n');
    mkdirSync(join(project, '.claude'));
    writeFileSync(join(project, '.claude', 'settings.json'), '{"disableAllHooks": true}');
    const there = (await replayed(main)).map(describeOutcome);
    expect(there).toEqual(gone);
    expect(existsSync(join(dir, 'home'))).toBe(false);
    expect(readdirSync(dir).sort()).toEqual(['transcripts', 'work']);
  });

  it('is decided once, though another session has taken its past along', async () => {
    const main = plant('/home/dev/project');
    const copy = join(dir, 'transcripts', '5d1f3c55-0000-4000-8000-000000000000.jsonl');
    writeFileSync(copy, readFileSync(main, 'utf8').replaceAll(SESSION, '5d1f3c55-0000-4000-8000-000000000000'));
    const calls = (await replayed(main, copy)).filter(({ row }) => row.event === 'tool.before');
    const asked = live.flatMap(({ event, call }) => (event === 'tool.before' ? [call] : []));
    expect(calls).toHaveLength(asked.length);
    expect(new Set(calls.map(({ event }) => event.tool?.id))).toEqual(new Set(asked));
  });

  it('is named where its transcript cannot be read', () => {
    const main = plant('/home/dev/project');
    const leftOut = { longLines: 0, brokenLines: 0, unread: [] };
    const sealed = { ...nodeFiles, readRange: () => undefined };
    expect(partsOf([main], recorder, sealed, 0, leftOut)).toEqual([]);
    expect(leftOut.unread).toContain(main);
  });

  it('leaves nothing of itself in memory', async () => {
    const home = join(dir, 'home');
    mkdirSync(join(home, 'config', 'rules'), { recursive: true });
    const once = '---\nname: once\nevent: bash\npattern: .\nthrottle: once per session\n---\nSaid once.\n';
    writeFileSync(join(home, 'config', 'rules', 'once.md'), once);
    const engine = openReplayEngine({ paths: pathsOf(home), userHome: '/home/dev', files: nodeFiles });
    const spoke = async () => {
      const parts = partsOf([plant('/home/dev/project')], recorder, nodeFiles, 0);
      let times = 0;
      for await (const { outcomes } of replay({ recorder, parts, engines: [engine], files: nodeFiles }))
        for (const { decision } of outcomes) if (decision.notes.some(({ rule }) => rule === 'user/once')) times += 1;
      return times;
    };
    expect([await spoke(), await spoke()]).toEqual([1, 1]);
  });

  it('is told in pairs from damaged transcripts too', async () => {
    const main = plant('/home/dev/project');
    const lines = readFileSync(main, 'utf8').split('\n');
    const damage = fc.array(
      fc.record({ at: fc.nat(lines.length - 1), how: fc.constantFrom('drop', 'cut', 'double', 'noise') }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(damage, async (damages) => {
        const broken = [...lines];
        for (const { at, how } of damages) {
          const line = broken[at] ?? '';
          if (how === 'drop') broken[at] = '';
          if (how === 'cut') broken[at] = line.slice(0, line.length >> 1);
          if (how === 'double') broken[at] = `${line}\n${line}`;
          if (how === 'noise') broken[at] = '{"type":"user","message":{"content":[{"type":"tool_result"}]}}';
        }
        writeFileSync(main, broken.join('\n'));
        const begun = new Set<string | undefined>();
        for (const { event } of await replayed(main)) {
          if (event.name === 'tool.before') {
            expect(begun.has(event.tool?.id)).toBe(false);
            begun.add(event.tool?.id);
          }
          if (event.name === 'tool.after' || event.name === 'tool.failed') expect(begun).toContain(event.tool?.id);
        }
      }),
      cases(200),
    );
  });
});

function describeOutcome({ row, decision, unknown }: Outcome): unknown {
  return { row: { ...row, micros: 0 }, decision, unknown };
}
