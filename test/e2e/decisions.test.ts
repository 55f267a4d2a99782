import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn, write } from './model.ts';
import { denialOf, heard } from './session.ts';

const rules = {
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nFiles are not made by `{command}` here.\n',
  'ask-copy': '---\nevent: bash\nwords: [cp]\naction: ask\n---\nA copy needs a person: `{command}`.\n',
  'prove-it': '---\nevent: stop\nwords: [all is well]\naction: deny\n---\nShow what makes you say so.\n',
};

describe.each(TRANSPORTS)('decisions over %s', (transport) => {
  it('deny and ask keep a call from running and give the model the reason', () =>
    inHome({ transport, rules }, async (home, run) => {
      const denied = bash('touch denied.txt');
      const asked = bash('cp src/app.ts asked.txt');
      const lock = write(join(home.project, 'package-lock.json'), '{}');
      const passed = bash('echo text > passed.txt');
      const session = await run({
        script: { main: [turn(denied), turn(asked), turn(lock), turn(passed), say('Done.')] },
      });
      expect(session.results.get(denied.id)).toEqual({
        failed: true,
        text: expect.stringMatching(denialOf('[user/no-touch] Files are not made by `touch denied.txt` here.')),
      });
      // Nobody is there to be asked.
      expect(session.results.get(asked.id)).toEqual({
        failed: true,
        text: expect.stringMatching(
          /^\[user\/ask-copy\] A copy needs a person: `cp src\/app\.ts asked\.txt`\.\nNobody can be asked here\./,
        ),
      });
      expect(session.results.get(lock.id)).toEqual({
        failed: true,
        text: expect.stringContaining('package-lock.json is written by `npm install`'),
      });
      expect(session.results.get(passed.id)).toMatchObject({ failed: false });
      const made = ['denied.txt', 'asked.txt', 'package-lock.json', 'passed.txt'];
      expect(made.filter((name) => existsSync(join(home.project, name)))).toEqual(['passed.txt']);
      await home.stopDaemon();
      expect(
        home
          .ledger()
          .filter(({ action }) => action !== 'pass')
          .map(({ event, action, rules: by, toolUse }) => [event, action, by, toolUse]),
      ).toEqual([
        ['tool.before', 'deny', 'user/no-touch', denied.id],
        ['tool.before', 'ask', 'user/ask-copy', asked.id],
        ['tool.before', 'ask', 'basics/generated-file', lock.id],
      ]);
    }));

  it('a stop is held back once, and then let through', () =>
    inHome({ transport, rules }, async (home, run) => {
      const session = await run({
        script: { main: [say('So all is well.'), say('Still all is well.'), say('Too far.')] },
      });
      expect(heard(session, 2)).toContain('Stop hook feedback:\n[user/prove-it] Show what makes you say so.');
      expect(session.requests).toHaveLength(2);
      await home.stopDaemon();
      expect(home.ledger().flatMap(({ event, action }) => (event === 'turn.stop' ? [action] : []))).toEqual([
        'deny',
        'pass',
      ]);
    }));
});
