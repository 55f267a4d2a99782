import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { countOf } from '../../../test/cases.ts';
import { openWorld } from '../world.fixture.ts';
import type { Answer, World } from '../world.fixture.ts';

const ON = 'rules:\n  basics/turn-line: on\n';
const PLAIN = /^\[basics\/turn-line\] This turn: (.*)\. More: `fairlead log`$/;

let world: World;
afterEach(() => world.close());

const deny = () => world.before('Bash', { command: 'rm -rf /' });
const ask = () => world.before('Write', { file_path: `${world.root}/package-lock.json`, content: '{}' });
const note = () =>
  world.before('Write', { file_path: `${world.root}/a.ts`, content: '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n' });
const nothing = () => world.before('Read', { file_path: `${world.root}/package.json` });
const stop = (more = {}) => world.event('Stop', { stop_hook_active: false, ...more });
const lineOf = ({ warn }: Answer) => PLAIN.exec(warn)?.[1] ?? warn;

describe('the line at the end of a turn', () => {
  it('counts notes and calls that were stopped or asked about, and names their rules', async () => {
    world = openWorld({ config: ON });
    await world.prompt('Go.');
    for (const act of [deny, deny, ask, note, nothing]) await act();
    const end = await stop();
    expect(lineOf(end)).toBe(
      '1 note given, 2 calls stopped (guard/catastrophe), 1 call asked about (basics/generated-file)',
    );
    expect({ ...end, warn: '', stdout: '' }).toMatchObject({
      action: 'pass',
      reason: '',
      note: '',
      warn: '',
      stdout: '',
    });
  });

  it('counts what a sub-agent was kept from', async () => {
    world = openWorld({ config: ON });
    await world.prompt('Go.');
    await world.before('Bash', { command: 'rm -rf /' }, { agent_id: 'a1', agent_type: 'general-purpose' });
    expect(lineOf(await stop())).toBe('1 call stopped (guard/catastrophe)');
  });

  it('is not said where nothing happened, and not twice', async () => {
    world = openWorld({ config: ON });
    await world.prompt('Go.');
    await nothing();
    expect((await stop()).stdout).toBe('');
    await deny();
    expect((await stop()).warn).toMatch(PLAIN);
    expect((await stop({ stop_hook_active: true })).stdout).toBe('');
  });

  it('leaves out what came before the prompt', async () => {
    world = openWorld({ config: ON });
    await world.prompt('Go.');
    await deny();
    await world.prompt('Stop that.');
    expect((await stop()).stdout).toBe('');
    await world.prompt('Go on.');
    await note();
    expect(lineOf(await stop())).toBe('1 note given');
  });

  it('is off until it is switched on, and then nothing is counted', async () => {
    world = openWorld();
    await world.prompt('Go.');
    await deny();
    expect(world.cells('turn-tally')).toEqual({});
    expect((await stop()).stdout).toBe('');
  });

  it('tells as many as the replies said', async () => {
    const steps = fc.constantFrom('deny', 'ask', 'note', 'nothing', 'prompt', 'stop');
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (run) => {
        world = openWorld({ config: ON });
        const { told, seen } = await played(['prompt', ...run, 'stop']);
        expect(told).toEqual(seen);
        world.close();
      }),
      { numRuns: countOf(20) },
    );
    world = openWorld();
  });
});

const ACTS: Readonly<Record<string, () => Promise<Answer>>> = { deny, ask, note, nothing };

/** What each line told, and what the replies since the line or the prompt before had said. */
async function played(steps: readonly string[]): Promise<{ readonly told: object[]; readonly seen: object[] }> {
  const told: object[] = [];
  const seen: object[] = [];
  let counts = { deny: 0, ask: 0, note: 0 };
  for (const step of steps) {
    const { action = 'pass', note: said = '' } = (await ACTS[step]?.()) ?? {};
    if (action === 'deny' || action === 'ask') counts[action] += 1;
    counts.note += said === '' ? 0 : said.split('\n\n').length;
    if (step === 'stop') {
      told.push(numbersIn(lineOf(await stop())));
      seen.push(counts);
    }
    if (step === 'prompt') await world.prompt('Go on.');
    if (step === 'prompt' || step === 'stop') counts = { deny: 0, ask: 0, note: 0 };
  }
  return { told, seen };
}

function numbersIn(line: string): { deny: number; ask: number; note: number } {
  const before = (what: RegExp) => Number(what.exec(line)?.[1] ?? 0);
  return { deny: before(/(\d+) calls? stopped/), ask: before(/(\d+) calls? asked/), note: before(/(\d+) notes?/) };
}
