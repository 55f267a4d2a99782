import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCodeInstaller as installer } from '../../src/adapters/claude-code/install.ts';
import { canonicalName } from '../../src/adapters/claude-code/names.ts';
import { hooksRun } from './flaws.ts';
import type { Home } from './home.ts';
import { TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, read, say, turn, write } from './model.ts';
import { denialOf } from './session.ts';

const rules = { 'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n' };
const QUIET = 'packs:\n  guard: off\n  basics: off\n  increments: off\n  peers: off\n';

const settingsOf = ({ project }: Home): string => join(project, '.claude', 'settings.local.json');

/** Every event that an installation can listen to, as versions before wired them. */
function wireAll(home: Home): void {
  const path = settingsOf(home);
  const settings = JSON.parse(readFileSync(path, 'utf8')) as {
    hooks: Record<string, [{ hooks: [{ args?: string[] }] }]>;
  };
  const { hooks } = settings;
  for (const { name } of installer.wired)
    hooks[name] ??= JSON.parse(
      JSON.stringify(hooks['Stop'] ?? []).replaceAll('"Stop"', JSON.stringify(name)),
    ) as (typeof hooks)[string];
  writeFileSync(path, JSON.stringify(settings));
}

/** A piece of work as agents do it: two prompts, twelve calls, a directory that changes, one agent that starts another. */
function script({ project }: Home, touch = bash('touch made.txt')) {
  const look = read(join(project, 'src', 'app.ts'));
  const start = call('Agent', {
    description: 'look around',
    prompt: '[lane:scout] Look around.',
    subagent_type: 'general-purpose',
    run_in_background: false,
  });
  return {
    main: [
      turn(bash('ls')),
      turn({ ...look, id: 'r1' }, { ...look, id: 'r2' }),
      turn(bash('cd src && pwd')),
      turn(write(join(project, 'src', 'b.ts'), 'export const b = 1;\n')),
      turn(bash('false')),
      turn(touch),
      say('Half done.'),
      turn(bash('cd ..')),
      turn(start),
      turn({ ...look, id: 'r3' }),
      say('Done.'),
    ],
    scout: [turn(bash('echo one')), turn(bash('echo two')), say('Nothing to report.')],
  };
}

async function count(home: Home, run: Parameters<Parameters<typeof inHome>[1]>[1]) {
  const touch = bash('touch made.txt');
  const session = await run({ script: script(home, touch), prompts: ['Begin.', 'Go on.'] });
  expect(session.results.get(touch.id)).toEqual({
    failed: true,
    text: expect.stringMatching(denialOf('[user/no-touch] Not by `touch made.txt`.')),
  });
  return hooksRun(session);
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);

describe.each(TRANSPORTS)('what is wired, over %s', (transport) => {
  it.each([
    ['the usual packs', undefined, 40],
    ['one rule alone', QUIET, 18],
  ])('is what somebody hears, and no denial is lost: %s', (_, config, hooks) =>
    inHome({ transport, rules, ...(config !== undefined && { config }) }, async (home, run) => {
      const wired = installer.read(readFileSync(settingsOf(home), 'utf8')).own.map(({ event }) => canonicalName(event));
      const after = await count(home, run);
      wireAll(home);
      const before = await count(home, run);
      const isWired = ([event]: readonly [string, number]): boolean => wired.some((name) => name === event);
      expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(isWired)));
      expect([sum(before), sum(after)]).toEqual([41, hooks]);
    }),
  );
});
