import type { CommandExpansionPart, ProcessSubstitutionPart } from 'unbash';
import { UNKNOWN, ZERO } from './command.ts';
import { takeDescriptor } from './descriptors.ts';
import { inputFrom, textInput } from './inputs.ts';
import { endShell } from './run-code.ts';
import type { Shell } from './state.ts';
import { NONE, forkShell, isTooDeep, spend, writeStore } from './state.ts';

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
  if (isTooDeep(shell, part.text) || !spend(shell.all, 8, part.text)) return { text: UNKNOWN, from: NONE };
  const mark = part.type === 'CommandExpansion' ? '$( )' : part.operator === '<' ? '<( )' : '>( )';
  const outs: number[] = [];
  const fork = forkShell(shell, {
    source: script.source ?? shell.source,
    road: [...shell.road, mark],
    wrappers: NONE,
    redirects: NONE,
    input: undefined,
    outs,
    keptIn: mark === '$( )' ? shell.keptIn : undefined,
    background: false,
  });
  const run = (inner: Shell) => {
    const printed = shell.all.reader.statements(script.commands, inner);
    endShell(inner);
    return printed;
  };
  const first = shell.all.commands.length;
  const text = run(mark === '>( )' ? forkShell(fork) : fork);
  if (mark === '$( )') return { text: text.replaceAll(ZERO, '').replace(/\n+$/, ''), from: outs };
  const descriptor = String(takeDescriptor(shell));
  const path = `/dev/fd/${descriptor}`;
  if (mark === '>( )') {
    if (shell.all.commands.length > first) writeStore(shell, 'descriptors').set(descriptor, { reader: first });
    shell.all.waiting.set(path, (written) => run(forkShell(fork, { input: textInput(written) })));
    return { text: '', from: NONE, path };
  }
  writeStore(shell, 'descriptors').set(descriptor, { input: inputFrom(text, outs, shell) });
  return { text: '', from: outs, path };
}
