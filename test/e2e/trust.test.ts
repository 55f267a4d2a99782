import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';
import { denialOf, heardInAll, toldThePerson } from './session.ts';

describe.each(TRANSPORTS)('what a project brings, over %s', (transport) => {
  it('does nothing until a person trusts it, and the person is told so', () =>
    inHome({ transport }, async (home, run) => {
      home.rule('start', '---\nevent: session.start\n---\nNoted at the start.\n', 'project');
      home.rule('no-touch', '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n', 'project');
      const made = (name: string): boolean => existsSync(join(home.project, name));

      const before = bash('touch before.txt');
      const untrusted = await run({ script: { main: [turn(before), say('Done.')] } });
      expect(untrusted.results.get(before.id)).toMatchObject({ failed: false });
      expect(made('before.txt')).toBe(true);
      expect(heardInAll(untrusted)).toEqual([]);
      expect(toldThePerson(untrusted)).toEqual([expect.stringMatching(/not trusted.*`fairlead trust`/)]);

      // An agent cannot do it in the person's place.
      const verb = `${process.execPath} ${join(process.cwd(), 'bin', 'fairlead')} trust --yes`;
      // Longer than the guard reads: then it is the verb itself that refuses.
      writeFileSync(join(home.project, 'hidden.sh'), `${'# nothing\n'.repeat(10_000)}${verb}\n`);
      const [seen, hidden] = [bash(verb), bash('sh hidden.sh')];
      const tried = await run({ script: { main: [turn(hidden), turn(seen), say('Done.')] } });
      expect(tried.results.get(seen.id)).toMatchObject({
        failed: true,
        text: expect.stringContaining('`fairlead trust` is for a person'),
      });
      expect(tried.results.get(hidden.id)).toMatchObject({
        failed: true,
        text: expect.stringContaining('"trust" is for a person at a terminal'),
      });

      expect(await home.byPerson('trust', '--yes')).toMatchObject({ code: 0 });
      const after = bash('touch after.txt');
      const trusted = await run({ script: { main: [turn(after), say('Done.')] } });
      expect(trusted.results.get(after.id)).toEqual({
        failed: true,
        text: expect.stringMatching(denialOf('[project/no-touch] Not by `touch after.txt`.')),
      });
      expect(made('after.txt')).toBe(false);
      expect(heardInAll(trusted)).toEqual([
        'SessionStart hook additional context: [project/start] Noted at the start.',
      ]);
      expect(toldThePerson(trusted).join('\n')).not.toContain('trust');
    }));
});
