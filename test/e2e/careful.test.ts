import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKOUT, TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';

describe.each(TRANSPORTS)('careful mode over %s', (transport) => {
  it('is ended by an agent only when the person agrees to that very call', () =>
    inHome({ transport }, async (home, run) => {
      home.fairlead('careful', 'on', '--until-off');
      const isOn = () => (JSON.parse(home.fairlead('careful', 'status', '--json')) as { active: boolean }).active;
      const off = `${join(CHECKOUT, 'bin', 'fairlead')} careful off`;
      const denied = bash(off);
      const alone = await run({ script: { main: [turn(denied), say('Done.')] } });
      expect(alone.results.get(denied.id)).toMatchObject({ failed: true });
      expect(isOn()).toBe(true);

      const [refused, agreed, again] = [bash(off), bash(`${off} # please`), bash(off)];
      const session = await run({
        script: { main: [turn(refused), turn(agreed), turn(again), say('Done.')] },
        allows: (_tool, { command }) => String(command).endsWith('please'),
      });
      expect(session.results.get(refused.id)).toEqual({ failed: true, text: 'The person said no.' });
      expect(session.results.get(agreed.id)).toMatchObject({
        failed: false,
        text: expect.stringContaining('Careful mode is off'),
      });
      expect(session.results.get(again.id)).toEqual({ failed: true, text: 'The person said no.' });
      expect(isOn()).toBe(false);
    }));
});
