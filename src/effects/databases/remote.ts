import type { Effect, EffectKind } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { REACHING, handedOn } from '../../shell/elsewhere.ts';
import { readShell } from '../../shell/read.ts';
import { GIT_PROGRAMS } from '../git/programs.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';

const SHARED: ReadonlySet<EffectKind> = new Set(['push', 'force-push', 'delete-branch']);

/** Of what git does elsewhere, only that which reaches the repository that all share. */
const readPushes: ReadEffects = (command, scene) =>
  (GIT_PROGRAMS['git']?.({ ...command, dir: undefined }, scene) ?? []).filter(
    ({ kind, how }) => SHARED.has(kind) && (kind !== 'delete-branch' || how?.startsWith('remote') === true),
  );

/** A database or a shared branch that is reached through a container, a cluster or another machine is lost all the same, though files there are not here. */
export function elsewhere(databases: ProgramTable): ProgramTable {
  const table: ProgramTable = { ...databases, git: readPushes };
  /** `yarn prisma …` and `pnpm prisma …` run what the project has installed. */
  const installed: ReadEffects = (command, scene) => readProgram(command, command.words.slice(1), scene, table);
  const reach: ReadEffects = (command, scene) => {
    const there = handedOn(command);
    if (!there) return [];
    const inner = { ...command, road: [...command.road, there.road] };
    return there.joined
      ? readText(inner, join(there.words), scene, table)
      : readProgram(inner, there.words, scene, table);
  };
  return { ...Object.fromEntries(REACHING.map((program) => [program, reach])), yarn: installed, pnpm: installed };
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash', 'zsh']);

function readProgram(
  command: ShellCommand,
  words: readonly ShellWord[],
  scene: Scene,
  table: ProgramTable,
): readonly Effect[] {
  const first = words[0]?.value ?? '';
  const program = first.slice(first.lastIndexOf('/') + 1).toLowerCase();
  if (SHELLS.has(program)) {
    const code = words.findIndex(({ value }) => /^-\w*c$/.test(value));
    return code < 0 ? [] : readText(command, words[code + 1]?.value ?? '', scene, table);
  }
  return Object.hasOwn(table, program) ? (table[program]?.({ ...command, program, words }, scene) ?? []) : [];
}

function readText(command: ShellCommand, text: string, scene: Scene, table: ProgramTable): readonly Effect[] {
  if (text === '') return [];
  return readShell(text, scene.surroundings).commands.flatMap((inner) =>
    Object.hasOwn(table, inner.program)
      ? (table[inner.program]?.(
          { ...inner, road: command.road, text: command.text, input: inner.input ?? command.input },
          scene,
        ) ?? [])
      : [],
  );
}

function join(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value).join(' ');
}
