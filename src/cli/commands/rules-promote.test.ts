import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomeId } from '../../engine/advice/outcomes.ts';
import type { RuleRecord } from '../rule-record.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { promote } from './rules-promote.ts';

const TRANSCRIPTS = new URL('../../../test/fixtures/replay/-home-dev-project/', import.meta.url);
const DAY_MS = 86_400_000;

let project: PlantedProject;
beforeEach(() => {
  project = plantProject();
});
afterEach(() => project.remove());

/** The recorded session, as if it had been yesterday. */
function putTranscripts(): void {
  const dir = join(project.home, '.claude/projects/-home-dev-project');
  mkdirSync(dir, { recursive: true });
  cpSync(TRANSCRIPTS, dir, { recursive: true });
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.jsonl'),
  )) {
    const path = join(dir, name);
    const text = readFileSync(path, 'utf8');
    const first = Date.parse(/"timestamp":"([^"]+)"/.exec(text)?.[1] ?? '');
    const shift = Date.now() - DAY_MS - first;
    writeFileSync(
      path,
      text.replaceAll(/"timestamp":"([^"]+)"/g, (_, at: string) => {
        return `"timestamp":"${new Date(Date.parse(at) + shift).toISOString()}"`;
      }),
    );
  }
}

interface Promoted {
  readonly mode: string;
  readonly next: string;
  readonly raised: boolean;
  readonly record: RuleRecord;
}

const config = () => project.readUser('config.yaml');

describe('rules promote', () => {
  it('shows the record, asks, and raises by one step', async () => {
    putTranscripts();
    project.putUser('config.yaml', '# mine\nrules:\n  guard/secrets: advise\n');
    const no = project.world({ answer: false });
    expect(await no.run(promote, 'secrets')).toBe(1);
    expect(no.asked).toEqual(['\nRaise guard/secrets from advise to ask?']);
    expect(no.printed.out).toContain('guard/secrets: advise, the next step is ask');
    expect(no.printed.out).toContain('it said nothing, and would have said nothing');
    expect(no.printed.out).toContain('no stop judged yet');
    expect(no.printed.out).toContain('Replayed in mode ask: 11 calls in 1 session of the last 30 days');
    expect(no.printed.out).toMatch(/spoke on 1 event: 0 would have been stopped, 1 asked about/);
    expect(no.printed.out).toMatch(/^ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}ask {2}\S/m);
    expect(config()).toBe('# mine\nrules:\n  guard/secrets: advise\n');

    const yes = project.world({ answer: true });
    expect(await yes.run(promote, 'secrets')).toBe(0);
    expect(config()).toBe('# mine\nrules:\n  guard/secrets: ask\n');
    expect(yes.printed.out).toContain('guard/secrets: advise → ask');
  });

  it('tells what the rule would say in the next mode, not in the one that it has', async () => {
    putTranscripts();
    const at = async (mode: string) => {
      project.putUser('config.yaml', `rules:\n  guard/secrets: ${mode}\n`);
      return (await project.world().json(promote, 'secrets')) as unknown as Promoted;
    };
    const off = await at('off');
    expect(off).toMatchObject({ next: 'shadow', raised: false, record: { replay: { fires: 1, asks: 0, notes: 0 } } });
    expect((await at('shadow')).record.replay).toMatchObject({ mode: 'advise', fires: 1, asks: 0, notes: 1 });
    const { replay } = (await at('advise')).record;
    expect(replay).toMatchObject({ mode: 'ask', fires: 1, asks: 1, notes: 0, examples: [{ action: 'ask' }] });
    expect(config(), 'nothing is raised by looking').toBe('rules:\n  guard/secrets: advise\n');
  });

  it('works where there are no settings yet, and without a transcript', async () => {
    project.putUser('rules/mine.md', '---\nevent: bash\nwords: [x]\naction: deny\nmode: shadow\n---\nX.\n');
    const world = project.world({ answer: true });
    const { store, clock } = world.engine();
    const set = (id: string, value: string) => ({ op: 'set', id, value, expires: 0 }) as const;
    store.commit({
      reads: new Map(),
      changes: [set(outcomeId('user/mine', 'followed'), '3'), set(outcomeId('user/mine', 'ignored'), '1')],
      now: clock.now(),
    });
    expect(await world.run(promote, 'mine')).toBe(0);
    expect(world.printed.out).toContain('No transcript of an agent was found');
    expect(world.printed.out).toContain('followed 3 of 4 times');
    expect(config()).toBe('rules:\n  user/mine: advise\n');
  });

  it('raises without asking for scripts, and never where nobody was asked', async () => {
    project.putUser('config.yaml', 'rules:\n  basics/conflict-marker: shadow\n');
    const world = project.world();
    expect(await world.run(promote, 'conflict-marker')).toBe(2);
    expect(world.printed.err).toContain('`--yes` raises without asking');
    expect(config()).toContain('shadow');
    expect(await world.run(promote, 'conflict-marker', '--yes')).toBe(0);
    expect(config()).toContain('advise');
    project.putUser('config.yaml', 'rules:\n  guard/secrets: advise\n');
    expect(await project.world().json(promote, 'secrets', '--yes')).toMatchObject({
      mode: 'advise',
      next: 'ask',
      raised: true,
    });
    expect(config()).toContain('ask');
  });

  it('says where no step would change anything, and where the project decides', async () => {
    project.putUser('config.yaml', 'rules:\n  guard/secrets: enforce\n  basics/repeated-failure: advise\n');
    const world = project.world({ answer: true });
    await expect(world.run(promote, 'secrets')).rejects.toThrow('a harder mode would change nothing');
    await expect(world.run(promote, 'repeated-failure')).rejects.toThrow('a harder mode would change nothing');
    await expect(world.run(promote, 'sekrets')).rejects.toThrow('did you mean');
    project.putProject('.fairlead/config.yaml', 'rules:\n  guard/secrets: advise\n');
    project.trust();
    await expect(project.world({ answer: true }).run(promote, 'secrets')).rejects.toThrow("the project's config.yaml");
  });
});
