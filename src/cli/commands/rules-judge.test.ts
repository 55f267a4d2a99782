import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../ledger/read.ts';
import type { RecordedCall } from '../../player/play.ts';
import { databaseOf } from '../database.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import type { FakeWorldOptions } from '../world.fixture.ts';
import { judge, stops } from './rules-judge.ts';
import { show } from './rules-list.ts';
import { stats } from './stats.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

function putRule(name: string, word: string, mode: string): void {
  const dir = join(stage.home, '.fairlead/config/rules');
  mkdirSync(dir, { recursive: true });
  const examples = `examples:\n  deny: [make ${word}]\n`;
  writeFileSync(
    join(dir, `${name}.md`),
    `---\nevent: bash\nwords: [${word}]\naction: deny\nmode: ${mode}\n${examples}---\nNo ${word} from here.\nAsk CI.\nThird line.\n`,
  );
}

/** A command as the agent announces it, made from a recorded one. */
function calling(command: string): RecordedCall {
  const found = stage.calls('heavy-parcel').find(({ payload }) => {
    const { hook_event_name: event, tool_name: tool } = payload as Record<string, unknown>;
    return event === 'PreToolUse' && tool === 'Bash';
  });
  if (!found) throw new Error('no call of a shell was recorded');
  const payload = { ...(found.payload as object), tool_use_id: `id of ${command}`, tool_input: { command } };
  return { ...found, payload };
}

interface Listed {
  readonly decision: string;
  readonly what: string;
  readonly rules: readonly string[];
  readonly shadow: boolean;
  readonly judge: Readonly<Record<string, string>>;
}

const open = async (...argv: string[]) => (await stage.world().json(stops, ...argv))['open'] as Listed[];

async function judging(picks: FakeWorldOptions['picks'], ...argv: string[]) {
  const world = stage.world({ picks: picks ?? [] });
  const code = await world.run(judge, ...argv);
  return { code, asked: world.asked, out: world.printed.out };
}

describe('rules judge', () => {
  it('asks about each stop once, the newest first, and keeps what was answered', async () => {
    putRule('no-deploy', 'deploy', 'enforce');
    putRule('no-build', 'build', 'shadow');
    await stage.play([calling('make deploy'), calling('make build'), calling('ls'), calling('cd x && make deploy')]);
    expect((await open()).map(({ what, shadow }) => [what, shadow])).toEqual([
      ['cd x && make deploy', false],
      ['make build', true],
      ['make deploy', false],
    ]);

    const first = await judging(['yes', 'skip', 'quit']);
    expect(first.asked).toEqual(['Was this right?', 'Would that have been right?', 'Was this right?']);
    expect(first.out).toContain('1/3');
    expect(first.out).toContain('deny by user/no-deploy');
    expect(first.out).toContain('would deny by user/no-build');
    expect(first.out).toContain('> cd x && make deploy\n');
    expect(first.out).toContain('No deploy from here.\n  Ask CI.\n');
    expect(first.out).not.toContain('Third line');
    expect(first.out).toContain('1 stop judged: 1 right, 0 wrong. 2 still open.');

    const second = await judging(['no', 'no']);
    expect(second.asked).toEqual(['Would that have been right?', 'Was this right?']);
    expect(await open()).toEqual([]);
    expect((await judging([])).out).toContain('Nothing was stopped that nobody has judged');

    const world = stage.world();
    const { rules } = (await world.json(stats)) as { rules: { rule: string; judged: object }[] };
    const judgedOf = (id: string) => rules.find(({ rule }) => rule === id)?.judged;
    expect(judgedOf('user/no-deploy')).toEqual({ right: 1, wrong: 1, precision: 0.5 });
    expect(judgedOf('user/no-build')).toEqual({ right: 0, wrong: 1, precision: 0 });
    expect(judgedOf('guard/git')).toEqual({ right: 0, wrong: 0 });
    expect(await world.json(show, 'no-deploy')).toMatchObject({ judged: { right: 1, wrong: 1, precision: 0.5 } });
    world.printed.out = '';
    await world.run(show, 'no-deploy');
    expect(world.printed.out).toMatch(/judged +1 of 2 stops right \(50 %\)/);
  });

  it('judges one decision by its id, also anew, and says what it is about for programs', async () => {
    putRule('no-deploy', 'deploy', 'enforce');
    await stage.play([calling('make deploy'), calling('ls')]);
    const [stop] = await open('--rule', 'no-deploy');
    expect(stop).toMatchObject({
      rules: ['user/no-deploy'],
      judge: { wrong: `fairlead rules judge ${stop?.decision} wrong` },
    });
    const world = stage.world();
    const counts = { rule: 'user/no-deploy', right: 0, wrong: 1, precision: 0 };
    expect(await world.json(judge, stop?.decision ?? '', 'wrong')).toMatchObject({
      judgement: 'wrong',
      rules: [counts],
    });
    expect(await world.json(judge, stop?.decision ?? '', 'right')).toMatchObject({
      rules: [{ right: 1, wrong: 0, precision: 1 }],
    });
    expect(await open()).toEqual([]);
  });

  it('counts what was judged when the ledger has forgotten it', async () => {
    putRule('no-deploy', 'deploy', 'enforce');
    await stage.play([calling('make deploy')]);
    await judging(['no']);
    const { memory } = stage.world().engine();
    memory.db?.exec('DELETE FROM events; DELETE FROM details');
    const { rules } = (await stage.world().json(stops)) as { rules: object[] };
    expect(rules).toMatchObject([{ rule: 'user/no-deploy', wrong: 1 }]);
  });

  it('proposes less for a rule that was often wrong, and does nothing of it', async () => {
    putRule('no-deploy', 'deploy', 'enforce');
    const commands = ['make deploy', "make deploy ENV='a b'", 'make deploy # again'];
    await stage.play([...commands.map(calling), calling('npm run deploy')]);
    const two = await judging(['no', 'no', 'quit']);
    expect(two.out).not.toContain('rules mode');
    const { out } = await judging(['no', 'yes']);
    expect(out).toContain('user/no-deploy was wrong 3 of 4 times. It stops less with one of these:');
    expect(out).toContain('  fairlead rules mode user/no-deploy ask\n    one step milder than enforce');
    expect(out).toContain("  fairlead rules mode user/no-deploy off --for 30d --command 'make deploy # again'\n");
    expect(out).toContain(`--command 'make deploy ENV='\\''a b'\\'''`);
    expect(out).toContain('rules/no-deploy.md');
    expect(out).toContain('  fairlead rules test user/no-deploy\n');
    expect(await stage.world().json(show, 'no-deploy')).toMatchObject({ mode: 'enforce' });
  });

  it('takes what cannot be meant for a mistake', async () => {
    putRule('no-deploy', 'deploy', 'enforce');
    await stage.play([calling('ls'), calling('make deploy')]);
    const world = stage.world();
    const [stop] = await open();
    const passed = readRows(databaseOf(world), { outcomes: ['pass'], last: 1 })[0]?.id ?? '';
    await expect(world.run(judge, 'zzzzzzzz', 'right')).rejects.toThrow('no decision "zzzzzzzz"');
    await expect(world.run(judge, passed, 'right')).rejects.toThrow('stopped nothing');
    await expect(world.run(judge, stop?.decision ?? '')).rejects.toThrow('right or wrong');
    await expect(world.run(judge, stop?.decision ?? '', 'rigt')).rejects.toThrow('did you mean "right"');
    await expect(world.run(judge, '--json')).rejects.toThrow('fairlead rules stops --json');
    await expect(world.run(judge)).rejects.toThrow('nobody to ask');
    expect(await open()).toHaveLength(1);
  });
});
