import { appendFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openWorld } from '../../packs/world.fixture.ts';
import type { World, WorldOptions } from '../../packs/world.fixture.ts';
import { DAY_MS } from '../../ledger/rule-days.ts';
import { createReceipts } from '../../transcripts/receipts.ts';
import { init } from '../commands/init.ts';
import { doctor } from '../commands/doctor.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { Finding } from './report.ts';

let world: World;
afterEach(() => world.close());

/** Rules of the person's own, by name: their front matter and their text. */
function openRules(rules: Readonly<Record<string, readonly [string, string?]>>, more: WorldOptions = {}): void {
  const files = Object.entries(rules).map(([name, [matter, text = 'Do it otherwise.']]) => [
    `.fairlead/config/rules/${name}.md`,
    `---\nname: ${name}\n${matter}\n---\n${text}\n`,
  ]);
  world = openWorld({ homeFiles: Object.fromEntries(files) as Record<string, string>, createReceipts, ...more });
}

async function examine(): Promise<{ code: number; findings: Finding[] }> {
  world.engine.ledger.flush();
  const terminal = fakeWorld({ home: world.home, cwd: world.root, columns: 200 });
  await terminal.run(init, '--yes');
  terminal.printed.out = '';
  const code = await terminal.run(doctor, '--json');
  const { sections } = JSON.parse(terminal.printed.out) as { sections: { title: string; findings: Finding[] }[] };
  terminal.close();
  return { code, findings: sections.find(({ title }) => title === 'Rules')?.findings ?? [] };
}

/** What is said of a rule, as one text. */
async function said(rule: string): Promise<string> {
  const { findings } = await examine();
  return findings
    .filter(({ what }) => what.includes(rule))
    .map(({ level, what, why, next }) => `${level}: ${what} ${why} Next: ${next}`)
    .join('\n');
}

const run = (command: string, more = {}) => world.before('Bash', { command }, more);
async function times(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at += 1) await work(at);
}

describe('a rule that never listens', () => {
  it('names a tool that the agent does not have', async () => {
    openRules({ plans: ['event: tool.before\ntool: todo_write_it'], fine: ['event: bash\npattern: ls'] });
    await times(100, (at) => run(`ls ${at}`));
    expect(await said('user/plans')).toMatch(
      /^note: user\/plans heard nothing in 14 days: none of 100 events was of todo_write_it\. .* Next: .*edit .*plans\.md$/,
    );
    expect(await said('user/fine')).toBe('');
  });

  it('has a matcher that fits nothing', async () => {
    openRules({ deep: ['event: bash\nwords: [terrafrom]'] });
    await times(99, (at) => run(`ls ${at}`));
    expect(await said('user/deep')).toBe('');
    await run('terraform apply');
    expect(await said('user/deep')).toMatch(
      /heard nothing in 14 days: its paths, words or effects fit none of 100 events\. .* Next: fairlead rules test user\/deep, then edit/,
    );
  });

  it('is judged anew from the day after it was changed', async () => {
    openRules({ deep: ['event: bash\nwords: [terrafrom]'] });
    await times(100, (at) => run(`ls ${at}`));
    const later = world.now / 1_000;
    utimesSync(join(world.paths.config, 'rules/deep.md'), later, later);
    expect(await said('user/deep')).toBe('');
  });

  it('belongs to a pack that lacks its files', async () => {
    openRules({}, { config: 'packs: {context: {enabled: true}}\n' });
    await times(20, (at) => world.prompt(`go on ${at}`));
    expect(await said('context/check-reminders')).toMatch(
      /^note: \d+ rules of context never looked in 14 days: context\/.* They want \.context, .* Next: make \.context in .*, or fairlead packs off context$/,
    );
    world.put('.context/TASKS.md', '');
    expect(await said('context/check-reminders')).toBe('');
  });

  it('is not trusted', async () => {
    world = openWorld({ files: { '.fairlead/rules/own.md': '---\nname: own\nevent: bash\npattern: x\n---\nNo.\n' } });
    const terminal = fakeWorld({ home: world.home, cwd: world.root });
    await terminal.run(doctor);
    expect(terminal.printed.out).toMatch(/not trusted: .*rules\/own\.md/);
    expect(terminal.printed.out).toContain('fairlead trust');
    terminal.close();
  });
});

it('a throttle that stops a rule each time', async () => {
  openRules({ rarely: ['event: bash\npattern: ls\nthrottle: every 5000'] });
  await times(19, (at) => run(`ls ${at}`));
  expect(await said('user/rarely')).toBe('');
  await run('ls');
  expect(await said('user/rarely')).toMatch(
    /^note: The throttle of user\/rarely stopped it each time, 20 times in 14 days\. It never looked\. The throttle is: every 5000\. Next: edit .*rarely\.md: .*; or fairlead rules mode user\/rarely off$/,
  );
});

it('a throttle that lets a rule speak now and then', async () => {
  openRules({ turn: ['event: bash\npattern: ls\nthrottle: once per turn'] });
  await times(50, (at) => run(`ls ${at}`));
  expect(await said('user/turn')).toBe('');
});

describe('a rule that is never delivered', () => {
  const line = (fields: object) =>
    appendFileSync(
      join(world.home, 'session-1.jsonl'),
      `${JSON.stringify({ timestamp: new Date(world.now).toISOString(), sessionId: 'session-1', ...fields })}\n`,
    );
  const result = (id: string) =>
    line({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    });
  const hook = (id: string, type: string) =>
    line({
      type: 'attachment',
      attachment: {
        type,
        hookEvent: 'PreToolUse',
        hookName: 'PreToolUse:Bash',
        toolUseID: id,
        command: 'fairlead hook',
        content: ['[user/says] Do it otherwise.'],
        stdout: '[user/says]',
        stderr: '',
        exitCode: 0,
      },
    });

  async function turn(count: number, traceOf: (id: string, at: number) => void): Promise<void> {
    line({ type: 'user', message: { role: 'user', content: 'go' } });
    await times(count, async (at) => {
      const id = `toolu_${world.now}_${at}`;
      await run(`ls ${at}`, { tool_use_id: id });
      traceOf(id, at);
      result(id);
    });
    await world.event('Stop', {});
    await world.pass(3_000);
  }

  it('by the receipts', async () => {
    openRules({ says: ['event: bash\npattern: ls'] });
    await turn(4, () => {});
    expect(await said('user/says')).toBe('');
    await turn(2, () => {});
    expect(await said('user/says')).toMatch(
      /^note: user\/says spoke 6 times in 14 days, and nothing arrived: 6 never seen\. The agent went on without a trace of it\. Next: fairlead doctor --prove/,
    );
    await turn(1, (id) => hook(id, 'hook_additional_context'));
    expect(await said('user/says')).toBe('');
  });

  it('where it protects, somebody must look at it', async () => {
    openRules({ says: ['event: bash\npattern: ls\naction: deny'] });
    await turn(5, () => {});
    expect(await said('user/says')).toMatch(/^attention: user\/says spoke 5 times .* nothing arrived/);
    expect((await examine()).code).toBe(1);
  });

  it('because there is no room for it', async () => {
    const first = ['event: bash\npattern: pwd', 'word '.repeat(17)] as const;
    openRules({ says: ['event: bash\npattern: ls'], first }, { config: 'attention: {session: 100}\n' });
    await run('pwd');
    await times(5, (at) => run(`ls ${at}`));
    expect(await said('user/says')).toMatch(
      /^note: user\/says fired 5 times in 14 days, and nothing of it was sent\. .* Next: fairlead log --rule user\/says/,
    );
  });
});

describe('advice', () => {
  const LINT = 'event: bash\npattern: ls\nexpect: {tool: read, around: [--no-verify], within: 1}';
  const read = () => world.before('Read', { file_path: join(world.root, 'a.md') });

  it('that is never followed', async () => {
    openRules({ lint: [LINT] });
    await times(9, async () => (await run('ls'), await run('pwd')));
    expect(await said('user/lint')).toBe('');
    await run('ls');
    await run('git commit --no-verify');
    expect(await said('user/lint')).toMatch(
      /^note: user\/lint was not followed once in 10 times in 14 days: ignored 9, gone round 1\. It gave agents [\d,]+ characters for that\. Next: edit .*lint\.md: say it in other words, or set backsOff: true; or fairlead rules mode user\/lint shadow$/,
    );
  });

  it('that costs more than it helps', async () => {
    openRules({ lint: [LINT, 'word '.repeat(400)], short: [LINT.replace('pattern: ls', 'pattern: du'), 'Read it.'] });
    for (const command of ['ls', 'du']) {
      await times(9, async () => (await world.prompt('go'), await run(command), await run('pwd')));
      await world.prompt('go');
      await run(command);
      await read();
    }
    expect(await said('user/lint')).toMatch(
      /^note: user\/lint speaks more than it helps: \d+ characters in 14 days for 1 note that was followed, 20k each\. More than 2000 .* Next: edit/,
    );
    expect(await said('user/short')).toBe('');
  });

  it('of a day that is over is not held against it', async () => {
    openRules({ lint: [LINT] });
    world.now = Date.now() - 20 * DAY_MS;
    await times(12, async () => (await run('ls'), await run('pwd')));
    expect(await said('user/lint')).toBe('');
  });
});

it('canaries count for no rule', async () => {
  openRules({ rarely: ['event: bash\npattern: ls\nthrottle: every 5000'] });
  const session = 'ca9a41e5-0000-4000-8000-000000000001';
  const { store } = world.engine;
  const { releaseCanary } = await import('../../engine/session/canary.ts');
  releaseCanary(store, session, { text: 'x', long: { event: '', characters: 0 } }, world.now, 60_000);
  await times(30, (at) => run(`ls ${at}`, { session_id: session }));
  expect(await said('user/rarely')).toBe('');
});
