import { appendFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, read, say, turn } from './model.ts';
import { heard, heardInAll, toldThePerson } from './session.ts';

const PACKET = 'Context of this project, loaded by Fairlead.';
const init = ['--pack', 'context', '--user'];
/** How the machine fares while tests run on it is not what they are about. */
const config = 'rules:\n  context/check-resources: off\n';

describe.each(TRANSPORTS)('the context pack over %s', (transport) => {
  it('gives the packet once per session, at the first use of a tool', () =>
    inHome({ transport, init, config }, async (home, run) => {
      home.fairlead('context', 'init');
      // What nobody has filled in is not given.
      appendFileSync(`${home.project}/.context/CONSTITUTION.md`, '\n- Nothing is published on Fridays.\n');
      appendFileSync(`${home.project}/.context/TASKS.md`, '\n- [ ] Rotate the signing key\n');
      const app = `${home.project}/src/app.ts`;
      const script = { main: [turn(read(app)), turn(bash('true')), say('Done.'), turn(read(app)), say('Done again.')] };
      const session = await run({ prompts: ['Have a look.', 'And once more.'], script });
      const loads = (nth: number) => heard(session, nth).filter((text) => text.includes(PACKET));
      expect(loads(1)).toEqual([]);
      expect(loads(2)).toHaveLength(1);
      expect(heardInAll(session).filter((text) => text.includes(PACKET))).toHaveLength(1);
      const request = session.requests.at(-1)?.raw ?? '';
      const parts = ['=== .context/CONSTITUTION.md', '.context/TASKS.md'];
      expect(parts.filter((part) => !request.includes(part))).toEqual([]);
      expect(heardInAll(await run({ script })).some((text) => text.includes(PACKET))).toBe(true);
    }));

  it('brings a due reminder to the model and to the person, and denies what bypasses the installed program', () =>
    inHome({ transport, init, config }, async (home, run) => {
      home.fairlead('context', 'init');
      home.fairlead('remind', 'add', 'Rotate the signing key');
      const local = bash('./ctx status');
      const session = await run({ script: { main: [turn(local), say('Done.')] } });
      expect(heard(session, 1).join('\n')).toContain('Rotate the signing key');
      expect(heard(session, 1).join('\n')).toContain('fairlead remind dismiss');
      expect(toldThePerson(session).join('\n')).toContain('Rotate the signing key');
      expect(session.results.get(local.id)).toMatchObject({
        failed: true,
        text: expect.stringContaining('Instead: ctx status') as string,
      });
    }));

  it('says while paused only that it is, and blocks all the same', () =>
    inHome({ transport, init, config }, async (home, run) => {
      home.fairlead('context', 'init');
      home.fairlead('remind', 'add', 'Rotate the signing key');
      const id = randomUUID();
      const pause = async () => expect((await home.byPerson('pause', '--session', id)).code).toBe(0);
      const local = bash('./ctx status');
      const session = await run({
        args: ['--session-id', id],
        prompts: ['Hello.', 'Have a look.'],
        script: {
          main: [
            { ...say('Hello.'), first: pause },
            turn(read(`${home.project}/src/app.ts`)),
            turn(local),
            turn(bash('git status')),
            say('Done.'),
          ],
        },
      });
      const before = heard(session, 1);
      expect(before.join('\n')).toContain('Rotate the signing key');
      const meanwhile = heardInAll(session).slice(before.length);
      expect(meanwhile).toHaveLength(1);
      expect(meanwhile[0]).toContain('paused');
      expect(session.requests.at(-1)?.raw.includes(PACKET)).toBe(false);
      expect(session.results.get(local.id)?.failed).toBe(true);
    }));

  it('gives nothing of a context that came with the repository, and says so', () =>
    inHome({ transport, init, config }, async (home, run) => {
      home.fairlead('context', 'init');
      home.fairlead('remind', 'add', 'Rotate the signing key');
      // As if it had been cloned: nobody remembers who made it.
      await home.stopDaemon();
      home.forgetState();
      const script = { main: [turn(read(`${home.project}/src/app.ts`)), say('Done.')] };
      const session = await run({ script });
      const all = session.requests.at(-1)?.raw ?? '';
      expect([PACKET, 'Rotate the signing key'].filter((text) => all.includes(text))).toEqual([]);
      expect(heardInAll(session).join('\n')).toContain('fairlead trust');
    }));
});
