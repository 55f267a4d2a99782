import type { CommandExpansionPart, ProcessSubstitutionPart } from 'unbash';
import { UNKNOWN } from './command.ts';
import { inputFrom } from './inputs.ts';
import { endShell } from './run-code.ts';
import type { Shell } from './state.ts';
import { MAX_DEPTH, NONE, addUnclear, forkShell, sourceOf, spend, takeDescriptor } from './state.ts';

export interface Substituted {
  readonly text: string;
  readonly from: readonly number[];
  /** The file name that `<( )` or `>( )` becomes. */
  readonly path?: string;
}

/** Reads the commands of `$( )`, backticks, `<( )` or `>( )`, and tells what they print where that is known. */
export function runSubstitution(part: CommandExpansionPart | ProcessSubstitutionPart, shell: Shell): Substituted {
  const { script } = part;
  if (!script || script.commands.length === 0) return { text: script ? '' : UNKNOWN, from: NONE };
  if (shell.road.length >= MAX_DEPTH) {
    addUnclear(shell.all, 'too-deep', part.text);
    return { text: UNKNOWN, from: NONE };
  }
  if (!spend(shell.all, 8, part.text)) return { text: UNKNOWN, from: NONE };
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
  const text = shell.all.reader.statements(script.commands, inner);
  endShell(inner);
  if (mark === '$( )') return { text: text.replace(/\n+$/, ''), from: outs };
  const descriptor = String(takeDescriptor(shell));
  const path = `/dev/fd/${descriptor}`;
  if (mark === '>( )') {
    if (shell.all.commands.length > first) shell.descriptors.set(descriptor, { reader: first });
    return { text: '', from: NONE, path };
  }
  shell.descriptors.set(descriptor, { input: inputFrom(text, outs, shell) });
  return { text: '', from: outs, path };
}
