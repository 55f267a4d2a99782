import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { effectsOfReading } from '../../src/effects/effects.ts';
import type { Surroundings } from '../../src/effects/scene.ts';
import { EFFECT_KINDS } from '../../src/event/effect.ts';
import type { Effect, EffectKind } from '../../src/event/effect.ts';
import type { Reading } from '../../src/shell/command.ts';
import { readShell } from '../../src/shell/read.ts';
import { countOf, isLong, SEED, startShare } from '../cases.ts';
import { readLists } from './cases.ts';
import { damage, makeCommand, pick, rollFrom } from './shell-grammar.ts';

const GENERATED = isLong ? countOf(80_000) : 300;
const DAMAGED = isLong ? countOf(40_000) : 300;
/** A safety net against a hang; the sizes below are what bounds the work. */
const COMMAND_MS = 5_000;
const MAX_COMMANDS = 2_000;
const MAX_EFFECTS = 10_000;

const surroundings: Surroundings = {
  cwd: '/home/dev/project',
  home: '/home/dev',
  root: '/home/dev/project',
  agentSettings: ['~/.agent/**'],
  ownDirs: ['/home/dev/.config/fairlead'],
};
const kinds: ReadonlySet<string> = new Set(EFFECT_KINDS);

interface Seen {
  readonly kinds: Set<EffectKind>;
  tried: number;
  commands: number;
  slowest: { readonly ms: number; readonly command: string };
}

/** Says what is wrong with the reading or its effects, if anything. */
function problemOf({ commands, unclear }: Reading, effects: readonly Effect[]): string | undefined {
  if (commands.length > MAX_COMMANDS) return `${commands.length} commands`;
  if (effects.length > MAX_EFFECTS) return `${effects.length} effects`;
  if (unclear.length > MAX_COMMANDS) return `${unclear.length} unclear parts`;
  for (const [at, { number, pipedTo, input, words }] of commands.entries()) {
    if (number !== at) return `command ${at} has the number ${number}`;
    if (pipedTo !== undefined && !commands[pipedTo]) return `command ${at} is piped to nowhere`;
    if (input?.kind === 'pipe' && !commands[input.from]) return `command ${at} reads from nowhere`;
    if (words.some(({ from }) => from.some((one) => !commands[one]))) return `a word of ${at} comes from nowhere`;
  }
  const odd = effects.find(({ kind, seen }) => !kinds.has(kind) || seen.length > 200);
  return odd && `an odd effect: ${JSON.stringify(odd)}`;
}

function run(count: number, make: () => string): { failed: string[]; seen: Seen } {
  const failed: string[] = [];
  const seen: Seen = { kinds: new Set(), tried: 0, commands: 0, slowest: { ms: 0, command: '' } };
  const isOver = startShare();
  for (; seen.tried < count && failed.length < 10 && !isOver(); seen.tried += 1) {
    const command = make();
    const started = process.cpuUsage();
    try {
      const reading = readShell(command, surroundings);
      const effects = effectsOfReading(reading, surroundings);
      const { user, system } = process.cpuUsage(started);
      const ms = (user + system) / 1_000;
      if (ms > seen.slowest.ms) seen.slowest = { ms, command };
      seen.commands += reading.commands.length;
      for (const { kind } of effects) seen.kinds.add(kind);
      const problem = problemOf(reading, effects);
      if (problem !== undefined) failed.push(`${problem}: ${JSON.stringify(command)}`);
    } catch (error) {
      failed.push(
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)}: ${JSON.stringify(command)}`,
      );
    }
  }
  return { failed, seen };
}

describe('reading any command', () => {
  it(`neither throws nor hangs on at most ${GENERATED} generated ones`, async ({ annotate }) => {
    const roll = rollFrom(SEED);
    const { failed, seen } = run(GENERATED, () => makeCommand(roll));
    await annotate(`slowest ${seen.slowest.ms.toFixed(1)} ms: ${seen.slowest.command.slice(0, 200)}`);
    expect(failed).toEqual([]);
    expect(seen.slowest.ms, seen.slowest.command).toBeLessThan(COMMAND_MS);
    // The generator must reach what it is meant to try.
    expect(seen.commands).toBeGreaterThan(seen.tried);
    expect(seen.kinds.size).toBeGreaterThan(10);
  });

  it(`neither throws nor hangs on at most ${DAMAGED} damaged ones of our lists`, async ({ annotate }) => {
    const { catastrophes, lookAlikes } = readLists(fileURLToPath(new URL('../..', import.meta.url)));
    const whole = [...catastrophes, ...lookAlikes].map(({ command }) => command);
    const roll = rollFrom(SEED);
    const { failed, seen } = run(DAMAGED, () => damage(roll, pick(roll, whole)));
    await annotate(`slowest ${seen.slowest.ms.toFixed(1)} ms: ${seen.slowest.command.slice(0, 200)}`);
    expect(failed).toEqual([]);
    expect(seen.slowest.ms, seen.slowest.command).toBeLessThan(COMMAND_MS);
    expect(seen.commands).toBeGreaterThan(seen.tried);
  });
});
