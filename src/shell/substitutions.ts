import type { CommandExpansionPart, ProcessSubstitutionPart } from 'unbash';
import { UNKNOWN } from './command.ts';
import { runStatements } from './statements.ts';
import type { Shell } from './state.ts';
import { MAX_DEPTH, NONE, addUnclear, forkShell, sourceOf } from './state.ts';

export interface Substituted {
  readonly text: string;
  readonly from: readonly number[];
}

/** Reads the commands of `$( )`, backticks, `<( )` or `>( )`, and tells what they print where that is known. */
export function runSubstitution(part: CommandExpansionPart | ProcessSubstitutionPart, shell: Shell): Substituted {
  const { script } = part;
  if (!script || script.commands.length === 0) return { text: script ? '' : UNKNOWN, from: NONE };
  if (shell.road.length >= MAX_DEPTH) {
    addUnclear(shell.all, 'too-deep', part.text);
    return { text: UNKNOWN, from: NONE };
  }
  const mark = part.type === 'CommandExpansion' ? '$( )' : part.operator === '<' ? '<( )' : '>( )';
  const outs: number[] = [];
  const inner = forkShell(shell, {
    source: sourceOf(script, shell.source),
    road: [...shell.road, mark],
    wrappers: NONE,
    redirects: NONE,
    input: undefined,
    outs,
    keptIn: mark === '$( )' ? shell.keptIn : undefined,
    background: false,
  });
  const first = shell.all.commands.length;
  const text = runStatements(script.commands, inner);
  if (mark === '>( )') return { text: '', from: shell.all.commands.length > first ? [first] : NONE };
  return { text: text.replace(/\n+$/, ''), from: outs };
}
