import { expect, it } from 'vitest';
import { bash, patch, plantSettings, runCodex, say, spawnAgent } from './codex-session.ts';
import { fatesIn } from './fates.ts';
import { gate } from './gate.ts';
import { makeHome } from './home.ts';
import { named, replayOf } from './replayed.ts';

const rule = (event: string, words: string, action: string) =>
  `---\nevent: ${event}\nwords: [${words}]\naction: ${action}\n---\nAbout ${words}.\n`;

it('what became of decisions, and the decisions again, come out of the transcripts of codex', async () => {
  const home = makeHome();
  try {
    plantSettings(home);
    home.rule('tell', rule('bash', 'tell', 'note'));
    home.rule('stop', rule('bash', 'stopped', 'deny'));
    home.rule('lock', rule('file', 'locked', 'deny'));
    home.rule('after', rule('tool.after', 'afterwards', 'deny'));
    home.rule('greet', rule('prompt', 'go', 'note'));
    home.rule('prove', rule('stop', 'all is well', 'deny'));
    const { code, screen } = await home.byPerson('init', '--agent', 'codex', '--scope', 'user', '--yes', '--trust');
    expect(code, screen).toBe(0);
    const subIsOver = gate(1);
    const session = await runCodex(
      home,
      [
        ...[bash('echo tell'), bash('echo stopped'), bash('false'), bash('echo afterwards'), bash('echo tell again')],
        ...[patch('*** Add File: a.txt', '+hi'), patch('*** Add File: b.txt', '+locked')],
        ...[patch('*** Update File: none.txt', '@@', '-a', '+b'), spawnAgent],
        ...[{ ...bash('sleep 3'), first: () => subIsOver.opened }, say('So all is well.'), say('Done.')],
      ],
      [bash('echo tell sub'), bash('echo stopped sub'), { ...say('Report.'), first: () => subIsOver.pass() }],
    );
    expect(session.code, session.stderr).toBe(0);
    await home.stopDaemon();
    const fates = fatesIn(home).map(({ event, rules, subagent, fate }) => [event, rules, subagent === '', fate]);
    expect(fates).toEqual([
      ['prompt.submit', 'user/greet', true, 'delivered'],
      ['tool.before', 'user/tell', true, 'delivered'],
      ['tool.before', 'user/stop', true, 'denied'],
      ['tool.after', 'user/after', true, 'delivered'],
      ['tool.before', 'user/tell', true, 'delivered'],
      ['tool.before', 'user/lock', true, 'denied'],
      ['tool.before', 'user/tell', false, 'delivered'],
      ['tool.before', 'user/stop', false, 'denied'],
      ['turn.stop', 'user/prove', true, 'denied'],
    ]);
    const live = home.ledger().map(({ event, tool, action, rules, toolUse, subagent }) => ({
      ...{ event, tool, action, rules, toolUse, subagent },
    }));
    const heard = new Set(live.map(({ event }) => event));
    const replayed = (await replayOf(home)).filter(({ told }) => heard.has(told.event));
    const ours = named(replayed.map(({ told }) => told));
    const theirs = named(live);
    expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted());
    const doubted = new Set(replayed.flatMap(({ told, unknown }) => (unknown ? [told] : [])));
    for (const [name, told] of ours) if (!doubted.has(told)) expect(told, name).toEqual(theirs.get(name));
    expect(doubted.size).toBeLessThanOrEqual(replayed.length * 0.05);
  } finally {
    expect(await home.remove()).toEqual([]);
  }
});
