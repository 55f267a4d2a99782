import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adapterNamed } from '../../adapters/registry.ts';
import type { Explanation } from '../../engine/trial/explain.ts';
import { createRuleIndex, namesOf } from '../../engine/match/rule-index.ts';
import { whyFiltered } from '../../engine/match/why-filtered.ts';
import type { Effect } from '../../event/effect.ts';
import { effectsOfExample } from '../../assembly/example-effects.ts';
import type { Reading } from '../../shell/command.ts';
import { knownRules } from '../known-rules.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import { CommandError, UsageError } from '../command.ts';
import { clear, list } from './state.ts';
import { explain } from './explain.ts';
import { log } from './log.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const RULES: Readonly<Record<string, string>> = {
  'console-left': 'event: file\npaths: ["*.js"]\nwords: [console.log]\nthrottle: {once: session}',
  'first-read': 'event: tool.before\ntool: read\nthrottle: {once: session}',
  'force-push': 'event: bash\npattern: push --force\naction: deny\nmode: shadow',
  'no-publish': 'event: bash\nwords: [publish]\naction: deny',
  'on-stop': 'event: stop\npattern: never said\naction: deny',
};

function writeRules(dir: string): void {
  mkdirSync(join(dir, 'rules'), { recursive: true });
  for (const [name, head] of Object.entries(RULES))
    writeFileSync(join(dir, 'rules', `${name}.md`), `---\nname: ${name}\n${head}\n---\nMind ${name}.\n`);
}

async function explainAs(world: ReturnType<Stage['world']>, ...argv: string[]) {
  world.printed.out = '';
  await world.run(explain, ...argv, '--json');
  return JSON.parse(world.printed.out) as {
    explanation: Explanation;
    row: { id: string };
    detail: { decision: { action: string } };
    original?: string;
    answeredBefore?: boolean;
    reply?: string;
  };
}

describe('a recorded session', () => {
  test('every rule that listens is named with the tier the engine stopped it at, for every event', async () => {
    const world = stage.world();
    writeRules(world.paths.config);
    const played = await stage.play(stage.calls('heavy-parcel'));
    const { rules } = await knownRules(world);
    const index = createRuleIndex(rules);
    const rootOf = () => stage.project;
    const seen = new Set<number>();
    expect(played).toHaveLength(94);
    for (const { row, call } of played) {
      const { explanation } = await explainAs(world, row?.id ?? '');
      const adapter = adapterNamed(row?.agent ?? '');
      const event = adapter?.parse({
        payload: call.payload,
        cwd: '/',
        home: stage.home,
        depth: 0,
        receivedAt: 0,
        ...adapter.environment?.read(call.env),
      });
      if (!event) throw new Error('no adapter');
      const listening = index.rules.filter(({ meta }) =>
        meta.on.some((listen) => namesOf(listen).includes(event.name)),
      );
      expect(explanation.rules.map(({ rule }) => rule).sort()).toEqual(listening.map(({ meta }) => meta.id).sort());
      expect(explanation.notListening).toBe(index.rules.length - listening.length);
      const effects = effectsOfExample(event, { root: stage.project, home: stage.home });
      const selected = new Set(index.select(event, rootOf, effects).map(({ meta }) => meta.id));
      for (const { rule, tier, reason } of explanation.rules) {
        seen.add(tier);
        expect(tier >= 2, `${event.name} ${rule}`).toBe(selected.has(rule));
        const active = index.rules.find(({ meta }) => meta.id === rule);
        if (tier < 2 && active) expect({ tier, reason }).toEqual(whyFiltered(active, event, rootOf, effects));
      }
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  });

  test('each stop reads as it should', async () => {
    const world = stage.world();
    writeRules(world.paths.config);
    const played = await stage.play(stage.calls('heavy-parcel'));
    const idOf = (number: number) => played[number - 1]?.row?.id ?? '';
    const cases: [number, string, number, RegExp][] = [
      [5, 'user/console-left', 0, /^listens to other tools than Bash$/],
      [46, 'user/console-left', 1, /^no path matches \*\.js$/],
      [5, 'user/no-publish', 1, /^has none of the words publish$/],
      [11, 'user/first-read', 2, /^spoke once for this session$/],
      [10, 'user/first-read', 3, /^note$/],
      [5, 'user/force-push', 3, /^the text does not match$/],
    ];
    for (const [number, rule, tier, reason] of cases) {
      const { explanation } = await explainAs(world, idOf(number));
      expect(
        explanation.rules.find((one) => one.rule === rule),
        `event ${number}`,
      ).toMatchObject({ tier, reason: expect.stringMatching(reason) });
    }
    world.printed.out = '';
    await world.run(explain, idOf(72));
    expect(world.printed.out).toContain('mode shadow only records it');
    expect(world.printed.out).toContain('decided    deny, by guard/catastrophe');
    world.printed.out = '';
    await world.run(explain, idOf(5));
    expect(world.printed.out).toContain('decided    pass: no opinion, an empty reply');
    world.printed.out = '';
    await world.run(explain, idOf(49));
    expect(world.printed.out).toMatch(/decided {4}ask, by basics\/generated-file/);
    expect(world.printed.out).toContain('mode ask makes it ask');
    expect(world.printed.out).toMatch(/commit {5}1 attempt/);
    expect(world.printed.out).not.toContain('have changed since');
  });

  test('says when the rules have changed since', async () => {
    const world = stage.world();
    const played = await stage.play(stage.calls('compacted').slice(0, 10));
    const id = played.at(-1)?.row?.id ?? '';
    expect((await explainAs(world, id)).explanation.rulesChanged).toBe(false);
    writeRules(world.paths.config);
    const later = stage.world();
    expect((await explainAs(later, id)).explanation.rulesChanged).toBe(true);
    later.printed.out = '';
    await later.run(explain, id);
    expect(later.printed.out).toContain('have changed since this decision');
  });

  test('a note for an event that carries none is followed to the decision it went with', async () => {
    const world = stage.world();
    mkdirSync(join(world.paths.config, 'rules'), { recursive: true });
    const rule = '---\nname: shown\nevent: message.display\nthrottle: {once: session}\n---\nSeen on the screen.\n';
    writeFileSync(join(world.paths.config, 'rules', 'shown.md'), rule);
    const calls = stage.calls('heavy-parcel');
    const [display] = (await stage.play(calls.slice(0, 4))).slice(-1);
    const id = display?.row?.id ?? '';
    expect((await explainAs(world, id)).explanation.unsaid).toMatchObject([
      { rule: 'user/shown', fate: { kind: 'waits' } },
    ]);
    const [next] = await stage.play(calls.slice(4, 5));
    expect(next?.reply).toContain('Seen on the screen.');
    expect((await explainAs(stage.world(), id)).explanation.unsaid).toMatchObject([
      { fate: { kind: 'said-later', decision: next?.row?.id } },
    ]);
    const again = await explainAs(
      stage.world({ stdin: JSON.stringify({ ...calls[3]?.payload, session_id: 'another' }) }),
    );
    expect(again.explanation.unsaid).toMatchObject([{ fate: { kind: 'waits' } }]);
  });

  test('a copy points to its original and shows its rules', async () => {
    const calls = stage.calls('heavy-parcel').slice(0, 49);
    const last = calls[48];
    if (!last) throw new Error('the recording is shorter');
    const played = await stage.play([...calls, { ...last, at: last.at + 5 }]);
    const [original, copy] = played.slice(-2).map(({ row }) => row);
    expect(copy?.copy).toBe(true);
    const told = await explainAs(stage.world(), copy?.id ?? '');
    expect(told.original).toBe(original?.id);
    expect(told.explanation.rules.find(({ rule }) => rule === 'basics/generated-file')).toMatchObject({ tier: 3 });
  });
});

describe('which decision', () => {
  test('--last is the last one that said something, of this project before others', async () => {
    const played = await stage.play(stage.calls('heavy-parcel'));
    const said = played.filter(({ row }) => row !== undefined && row.rules !== '').map(({ row }) => row?.id);
    expect(said.at(-1)).not.toBe(played.at(-1)?.row?.id);
    expect((await explainAs(stage.world(), '--last')).row.id).toBe(said.at(-1));
    expect((await explainAs(stage.world({ cwd: stage.home }), '--last')).row.id).toBe(said.at(-1));
  });

  test('--last says so where nothing was said', async () => {
    await stage.play(stage.calls('compacted').slice(0, 5));
    await expect(stage.world().run(explain, '--last')).rejects.toThrow(/no decision in the ledger said anything/);
  });

  test('the whole id, and the end of one', async () => {
    const played = await stage.play(stage.calls('compacted').slice(0, 5));
    const newest = played.at(-1)?.row?.id ?? '';
    const world = stage.world();
    expect((await explainAs(world, newest)).row.id).toBe(newest);
    expect((await explainAs(world, newest.slice(-5))).row.id).toBe(newest);
    await expect(world.run(explain, newest.slice(0, 2))).rejects.toThrow(/stands for 5 decisions/);
  });

  test.each<[string, string[], string, RegExp, typeof CommandError | typeof UsageError]>([
    ['unknown', ['nosuchid'], '', /no decision "nosuchid"/, CommandError],
    ['empty ledger', ['--last'], '', /the ledger is empty/, CommandError],
    ['both', ['x', '--last'], '', /not both/, UsageError],
    ['nothing', [], '', /stdin is empty/, UsageError],
    ['no JSON', [], '{"a":', /stdin is not JSON/, CommandError],
    ['no event', [], '[1]', /not one event/, CommandError],
    ['no such agent', ['--agent', 'nobody'], '{}', /no agent named "nobody"/, UsageError],
  ])('%s', async (_name, argv, stdin, message, type) => {
    const run = stage.world({ stdin }).run(explain, ...argv);
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toBeInstanceOf(type);
  });
});

describe('a command', () => {
  const KEEP = 'effect: [delete, write]\npaths: [db/**]\naction: deny';
  const putRule = (config: string, head = KEEP) => {
    mkdirSync(join(config, 'rules'), { recursive: true });
    writeFileSync(join(config, 'rules', 'keep.md'), `---\nname: keep\n${head}\n---\nThis would {effect} {target}.\n`);
  };
  interface Told {
    readonly cwd: string;
    readonly root: string;
    readonly reading: Reading;
    readonly effects: readonly Effect[];
    readonly rules: Explanation['rules'];
    readonly decision: { readonly action: string; readonly by: readonly string[] };
  }
  const ask = async (world: ReturnType<Stage['world']>, ...argv: string[]): Promise<Told> => {
    world.printed.out = '';
    expect(await world.run(explain, '--json', ...argv)).toBe(0);
    return JSON.parse(world.printed.out) as Told;
  };

  test('is read, held against the rules and decided, and nothing of it is kept', async () => {
    const world = stage.world();
    putRule(world.paths.config);
    const told = await ask(world, '--', 'cd db && sudo bash -c "sed -i s/a/b/ one.sql > log"');
    expect(told.reading.commands.map(({ program, road, wrappers }) => [program, road, wrappers])).toEqual([
      ['cd', [], []],
      ['bash', [], ['sudo']],
      ['sed', ['bash -c'], ['sudo']],
    ]);
    expect(told.effects.map(({ kind, target }) => [kind, target])).toContainEqual(['write', 'db/one.sql']);
    expect(told.decision).toMatchObject({ action: 'deny', by: expect.arrayContaining(['user/keep']) });
    expect(told.rules.find(({ rule }) => rule === 'user/keep')).toMatchObject({
      tier: 3,
      verdicts: [{ kind: 'deny', text: 'This would write db/one.sql.' }],
    });
    world.printed.out = '';
    await world.run(log, '--all', '--json');
    expect(world.printed.out).toBe('');
  });

  test('says for a person how it is read, what it would do, who speaks, and what is decided', async () => {
    const world = stage.world();
    putRule(world.paths.config);
    await world.run(explain, '--', 'X=old; cd db && sudo rm -r "$X" $(cat list) 2> log; echo "');
    const out = world.printed.out;
    const order = ['Command  X=old', 'Read as:', 'It would:', 'Rules with a verdict:', 'decided    deny'];
    expect(order.map((text) => out.indexOf(text))).toEqual(
      order.map((text) => out.indexOf(text)).sort((a, b) => a - b),
    );
    expect(out).not.toMatch(/undefined|\\u0000/);
    expect(out).toContain('rm -r old …\n      by sudo; runs in ' + join(stage.project, 'db') + '; 2> log\n');
    expect(out).toMatch(/ 2 {2}cat list\n {6}in \$\( \)/);
    expect(out).toContain('unclear, no shell syntax');
    expect(out).toMatch(/delete(, \w+)? +db\/old +inside +everything below; through sudo/);
    expect(out).toMatch(/other rules stopped: .*\d+ at tier 1 \(filter\)/);
    expect(out).toContain('This would delete db/old.');
    expect(out.split('This would delete db/old.')).toHaveLength(2);
  });

  test('that would be copied first says so, and copies nothing', async () => {
    const world = stage.world();
    mkdirSync(join(stage.project, 'notes/deep'), { recursive: true });
    for (const name of ['a.txt', 'deep/b.txt']) writeFileSync(join(stage.project, 'notes', name), 'mine\n');
    await world.run(explain, '--', 'rm -rf notes');
    expect(world.printed.out).toContain('save, by guard/files');
    expect(world.printed.out).toContain('would be kept for undo: 2 files (notes), 10 B');
    expect(world.printed.out).not.toContain('could not keep');
    expect(existsSync(join(world.paths.state, 'undo'))).toBe(false);
  });

  test('without effects says so', async () => {
    const world = stage.world();
    putRule(world.paths.config);
    await world.run(explain, '--', 'ls db');
    expect(world.printed.out).toContain('It has no effect that a rule could listen to.');
    expect(world.printed.out).toContain('decided    pass: no opinion, an empty reply');
    const { rules } = await ask(world, '--', 'rm a');
    expect(rules.find(({ rule }) => rule === 'user/keep')).toMatchObject({ tier: 1, reason: 'no delete of db/**' });
    const none = await ask(world, '--', 'ls db');
    expect(none.rules.find(({ rule }) => rule === 'user/keep')).toMatchObject({
      tier: 1,
      reason: 'has none of the effects delete, write',
    });
  });

  test('--cwd is where it would run', async () => {
    const world = stage.world();
    putRule(world.paths.config);
    mkdirSync(join(stage.project, 'db'));
    const told = await ask(world, '--cwd', 'db', '--', 'rm x');
    expect(told).toMatchObject({ cwd: join(stage.project, 'db'), root: stage.project, decision: { action: 'deny' } });
    expect((await ask(world, '--', 'rm x')).decision.action).not.toBe('deny');
  });

  test.each<[string[], RegExp]>([
    [['--', 'git', 'push'], /give one command, quoted as a whole/],
    [['--'], /the command is empty/],
    [['--', ' '], /the command is empty/],
    [['x', '--', 'ls'], /a decision or a command, not both/],
    [['--last', '--', 'ls'], /a decision or a command, not both/],
    [['rm', 'x'], /a command goes after --, in quotes/],
    [['--cwd', 'db'], /--cwd goes with a command/],
    [['--cwd', 'gone', '--', 'ls'], /there is no directory .*gone/],
  ])('%j is a mistake', async (argv, message) => {
    const run = stage.world().run(explain, ...argv);
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });

  test('of the ledger or on stdin is shown with its parts and effects too', async () => {
    const calls = stage.calls('heavy-parcel').slice(0, 30);
    const played = await stage.play(calls);
    const at = played.findIndex(({ row }) => row?.event === 'tool.before' && row.tool === 'Bash');
    const world = stage.world();
    await world.run(explain, played[at]?.row?.id ?? '');
    expect(world.printed.out).toContain('Read as:\n   1  ');
    const given = stage.world({ stdin: JSON.stringify({ ...calls[at]?.payload, tool_input: { command: 'rm -r a' } }) });
    const told = (await explainAs(given)) as unknown as Told;
    expect(told.reading.commands).toMatchObject([{ program: 'rm' }]);
    expect(told.effects).toMatchObject([{ kind: 'delete', target: 'a' }]);
  });
});

describe('an event on stdin', () => {
  const edit = (calls: ReturnType<Stage['calls']>) => calls[48]?.payload ?? {};

  test('is decided by the real rules and leaves nothing behind', async () => {
    await stage.play(stage.calls('heavy-parcel').slice(0, 30));
    const before = stage.world();
    await before.run(log, '--all', '--json');
    await before.run(list, '--json');
    const world = stage.world({ stdin: JSON.stringify(edit(stage.calls('heavy-parcel'))) });
    const told = await explainAs(world);
    expect(told.detail.decision.action).toBe('ask');
    expect(told.reply).toContain('package-lock.json');
    world.printed.out = '';
    await world.run(log, '--all', '--json');
    await world.run(list, '--json');
    const withoutTimes = (text: string) => text.replaceAll(/"expiresIn": \d+/g, '');
    expect(withoutTimes(world.printed.out)).toBe(withoutTimes(before.printed.out));
  });

  test('may be an event of the ledger, and is looked at afresh', async () => {
    const played = await stage.play(stage.calls('heavy-parcel').slice(0, 49));
    const stored = await explainAs(stage.world(), played.at(-1)?.row?.id ?? '');
    const { event } = (stored as unknown as { detail: { event: unknown } }).detail;
    const told = await explainAs(stage.world({ stdin: JSON.stringify(event) }));
    expect(told.answeredBefore).toBe(true);
    expect(told.detail.decision.action).toBe('ask');
  });

  test('is held against the state there is', async () => {
    const calls = stage.calls('heavy-parcel');
    const failing = calls[25]?.payload ?? {};
    await stage.play(calls.slice(0, 25));
    const third = await explainAs(stage.world({ stdin: JSON.stringify(failing) }));
    expect(third.explanation.rules.find(({ rule }) => rule === 'basics/repeated-failure')).toMatchObject({
      reason: 'note',
    });
    const world = stage.world({ stdin: JSON.stringify(failing) });
    await world.run(clear, 'basics.failures', '--yes');
    const fresh = await explainAs(world);
    expect(fresh.explanation.rules.find(({ rule }) => rule === 'basics/repeated-failure')).toMatchObject({
      reason: 'failed 1 times',
    });
  });
});
