import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fatesIn } from './fates.ts';
import type { Fated } from './fates.ts';
import { makeHome, TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { bash, call, say, turn } from './model.ts';
import { runSession } from './session.ts';
import { editSettings, entriesOf, spoilCommand, spoilPosts } from './spoiled-replies.ts';

const rule = (event: string, words: string, action: string) =>
  `---\nevent: ${event}\nwords: [${words}]\naction: ${action}\n---\nAbout ${words}.\n`;

const RULES = {
  tell: rule('bash', 'tell', 'note'),
  stop: rule('bash', 'stopped', 'deny'),
  ask: rule('bash', 'asked', 'ask'),
  after: rule('tool.after', 'afterwards', 'deny'),
  greet: rule('prompt', 'hello', 'note'),
  refuse: rule('prompt', 'forbidden', 'deny'),
  prove: rule('stop', 'all is well', 'deny'),
  request: rule('permission.request', 'requested', 'deny'),
};

/**
 * The same question asked another way: not record by record, but of the transcript's raw text, by what the client is known
 * to write for each outcome.
 */
function readIndependently({ event, action, rules, call: id }: Fated, lines: readonly string[]): string {
  const ofCall = lines.filter((line) => line.includes(`"${id}"`));
  const names = (line: string) => rules.split(',').some((one) => line.includes(`[${one}]`));
  const has = (from: readonly string[], ...texts: string[]) =>
    from.some((line) => texts.every((text) => line.includes(text)));
  const own = id === '' ? lines.filter(names) : ofCall;
  if (action === 'deny') {
    if (has(own.filter(names), 'hook_blocking_error') || has(own.filter(names), 'blocked_by_hook')) return 'denied';
    if (has(own.filter(names), '"source":"hook"', '"decision":"reject"')) return 'denied';
  }
  if (action === 'ask' && has(own, '"decision":"reject"', '"tool_result"')) return 'refused';
  if (action === 'ask' && has(own, '"source":"user_temporary"')) return 'allowed';
  const hookEvent =
    { 'tool.before': 'PreToolUse', 'tool.after': 'PostToolUse', 'prompt.submit': 'UserPromptSubmit' }[event] ?? '';
  const ofEvent = own.filter((line) => line.includes(`"hookEvent":"${hookEvent}"`));
  if (has(ofEvent, 'hook_additional_context', '<persisted-output>')) return 'cut';
  if (has(ofEvent.filter(names), 'hook_additional_context')) return 'delivered';
  if (has(ofEvent, 'hook_cancelled')) return 'late';
  if (has(ofEvent, 'hook_non_blocking_error')) return 'failed';
  return has(ofEvent, 'hook_success') ? 'misplaced' : 'unseen';
}

function transcriptLines(home: Home): string[] {
  const projects = join(home.dir, '.claude', 'projects');
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(projects, name), 'utf8').split('\n'));
}

type Call = ReturnType<typeof bash>;

/** What is decided of a command, and how the reply is lost: no two lists of one length, so that all pairs come. */
const WHAT = ['tell afterwards', 'stopped', 'afterwards tell', 'asked', 'tell afterwards', 'nothing', 'afterwards'];
const LOST = ['', 'too-long', 'bad-json', 'wrong-place', '', 'to-person', 'status-500', 'cut-off', 'silent'];

const agentCall = (prompt: string) =>
  call('Agent', { description: 'd', prompt, subagent_type: 'general-purpose', run_in_background: false });

describe('what became of decisions', () => {
  it('is found in the transcript, however a reply was lost', async () => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init('command');
      spoilCommand(home);
      const expected: [ReturnType<typeof bash>, string][] = [
        [bash('echo tell'), 'delivered'],
        [bash('echo tell too-long'), 'cut'],
        [bash('echo tell bad-json'), 'misplaced'],
        [bash('echo tell wrong-place'), 'misplaced'],
        [bash('echo tell too-late'), 'late'],
        [bash('echo tell exit-one'), 'failed'],
        [bash('echo tell to-person'), 'misplaced'],
        [bash('echo tell and-person'), 'delivered'],
        [bash('echo tell silent'), 'unseen'],
        [bash('echo stopped'), 'denied'],
        [bash('echo stopped exit-two'), 'denied'],
        [bash('echo stopped bad-json'), 'misplaced'],
        [bash('echo stopped too-late'), 'late'],
        [bash('echo stopped exit-one'), 'failed'],
        [bash('echo asked yes'), 'allowed'],
        [bash('echo asked no'), 'refused'],
        [bash('echo asked exit-one'), 'failed'],
        [bash('echo afterwards'), 'delivered'],
        [bash('echo afterwards as-block'), 'denied'],
        [bash('echo afterwards exit-two'), 'denied'],
      ];
      const ofSubagent = [bash('echo tell sub'), bash('echo stopped sub')];
      const session = await runSession(home, {
        prompts: ['hello', 'forbidden', 'hello again'],
        script: {
          main: [
            ...expected.map(([each]) => turn(each)),
            turn(agentCall('[lane:sub] go')),
            say('all is well'),
            say('Done.'),
            say('Bye.'),
          ],
          sub: [...ofSubagent.map((each) => turn(each)), say('Report.')],
        },
        allows: (_tool, input) => !String(input['command']).includes('no'),
      });
      expect(session.code).toBe(0);
      await home.stopDaemon();
      const fates = fatesIn(home).filter(({ rules }) => rules.startsWith('user/'));
      const ofCall = new Map(fates.map(({ call: id, fate }) => [id, fate]));
      expect(expected.map(([{ id, input }]) => [input['command'], ofCall.get(id)])).toEqual(
        expected.map(([{ input }, fate]) => [input['command'], fate]),
      );
      expect(ofSubagent.map(({ id }) => ofCall.get(id))).toEqual(['delivered', 'denied']);
      const others = fates.filter(({ call: id }) => id === '').map(({ rules, fate }) => [rules, fate]);
      expect(others).toEqual([
        ['user/greet', 'delivered'],
        ['user/prove', 'denied'],
        ['user/refuse', 'denied'],
        ['user/greet', 'delivered'],
      ]);
      const lines = transcriptLines(home);
      for (const one of fates) expect([one, readIndependently(one, lines)]).toEqual([one, one.fate]);
      const logged = home.fairlead('log', '--all', '--json', '--last', 'all').trim().split('\n');
      const shown = logged.flatMap((line) => (JSON.parse(line) as { fate?: string }).fate ?? []);
      expect(shown.toSorted()).toEqual(
        fatesIn(home)
          .map(({ fate }) => fate ?? 'open')
          .toSorted(),
      );
      expect(home.fairlead('log', '--all', '--last', 'all')).toContain('in the wrong envelope');
      expect(JSON.parse(home.fairlead('stats', '--json'))).toMatchObject({ fates: { late: 2, failed: 3 } });
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });

  it.each(TRANSPORTS)('is found over %s, with nobody to ask', async (transport) => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init(transport);
      const calls = [bash('echo tell'), bash('echo stopped'), bash('echo asked'), bash('echo afterwards')];
      await runSession(home, {
        prompts: ['hello'],
        script: { main: [...calls.map((each) => turn(each)), say('Done.')] },
      });
      await home.stopDaemon();
      const ofCall = new Map(fatesIn(home).map(({ call: id, fate }) => [id, fate]));
      expect(calls.map(({ id }) => ofCall.get(id))).toEqual(['delivered', 'denied', 'refused', 'delivered']);
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });

  it.each(TRANSPORTS)('is found for requests for permission, over %s', async (transport) => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init(transport);
      editSettings(home, (settings) => (settings.permissions = { ask: ['Bash(echo requested:*)'] }));
      const [first, second, ofSubagent] = [1, 2, 3].map((at) => bash(`echo requested ${at}`)) as [Call, Call, Call];
      const { results } = await runSession(home, {
        script: {
          main: [turn(first, second), turn(agentCall('[lane:sub] go')), say('Done.')],
          sub: [turn(ofSubagent), say('Report.')],
        },
      });
      for (const { id } of [first, second, ofSubagent]) expect(results.get(id)?.text).toContain('[user/request]');
      await home.stopDaemon();
      const fates = fatesIn(home);
      const requests = fates.filter(({ event }) => event === 'permission.request');
      expect(requests.map(({ call: id, fate }) => [id, fate])).toEqual(Array.from(requests, () => ['', 'denied']));
      expect(requests).toHaveLength(3);
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });

  it('is found where an answer over HTTP is lost, and told from a hook that nobody could reach', async () => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init('http');
      const between = await spoilPosts(home);
      try {
        const expected: [Call, string][] = [
          [bash('echo tell'), 'delivered'],
          [bash('echo tell status-500'), 'failed'],
          [bash('echo tell cut-off'), 'failed'],
          [bash('echo tell silent'), 'unseen'],
          [bash('echo stopped status-500'), 'failed'],
          [bash('echo stopped cut-off'), 'failed'],
          [bash('echo stopped silent'), 'unseen'],
        ];
        // Nobody listens there, so that nothing is decided: the ledger has no row whose fate could be looked for.
        editSettings(home, (settings) => {
          for (const own of entriesOf(settings, 'PostToolUse')) own.url = 'http://127.0.0.1:9/hook/claude-code';
        });
        const unreached = bash('echo afterwards tell');
        await runSession(home, {
          script: { main: [...expected.map(([each]) => turn(each)), turn(unreached), say('Done.')] },
        });
        await home.stopDaemon();
        const fates = fatesIn(home).filter(({ rules }) => rules.startsWith('user/'));
        const ofCall = new Map(fates.map(({ call: id, fate }) => [id, fate]));
        expect(expected.map(([{ id, input }]) => [input['command'], ofCall.get(id)])).toEqual(
          expected.map(([{ input }, fate]) => [input['command'], fate]),
        );
        const ofUnreached = fates.filter(({ call: id }) => id === unreached.id);
        expect(ofUnreached.map(({ event, fate }) => [event, fate])).toEqual([['tool.before', 'delivered']]);
        const lines = transcriptLines(home);
        const refused = lines.filter(
          (line) => line.includes('hook_non_blocking_error') && line.includes('PostToolUse'),
        );
        expect(refused.length).toBeGreaterThanOrEqual(1);
        for (const one of fates) expect([one, readIndependently(one, lines)]).toEqual([one, one.fate]);
      } finally {
        between.close();
      }
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });

  it('agrees for a thousand decisions with an independent reading', async () => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init('http');
      const between = await spoilPosts(home);
      try {
        let calls = 0;
        const next = () => bash(`echo ${calls} ${WHAT[calls % WHAT.length]} ${LOST[(calls += 1) % LOST.length]}`);
        const play = () => {
          const turns = Array.from({ length: 10 }, () => turn(...Array.from({ length: 10 }, next)));
          return runSession(home, { prompts: ['hello'], script: { main: [...turns, say('Done.')] }, showHooks: false });
        };
        for (let pair = 0; pair < 4; pair += 1) await Promise.all([play(), play()]);
      } finally {
        between.close();
      }
      await home.stopDaemon();
      const fates = fatesIn(home).filter(({ rules }) => rules.startsWith('user/'));
      expect(fates.length).toBeGreaterThanOrEqual(1_000);
      const lines = transcriptLines(home);
      const others = fates.filter((one) => readIndependently(one, lines) !== one.fate);
      expect(others.map((one) => [one, readIndependently(one, lines)])).toEqual([]);
      const kinds = new Set(fates.map(({ fate }) => fate));
      expect(kinds).toEqual(new Set(['cut', 'delivered', 'denied', 'failed', 'misplaced', 'refused', 'unseen']));
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });
});
