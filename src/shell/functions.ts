import type { Function as FunctionNode } from 'unbash';
import type { ShellWord } from './command.ts';
import { runNode, runStatements } from './statements.ts';
import type { KnownFunction, Shell } from './state.ts';
import { within } from './state.ts';

export function runFunctionDefinition(node: FunctionNode, shell: Shell): void {
  shell.functions.set(node.name.value, { node, source: shell.source });
}

/** Reads a function's body with the arguments of a call. */
export function callFunction(known: KnownFunction, name: string, args: readonly ShellWord[], shell: Shell): string {
  const { body } = known.node;
  const locals: Shell['locals'] = new Map();
  const changes: Partial<Shell> = { source: known.source, args, calls: [...shell.calls, name], locals };
  return within(shell, changes, () => {
    const printed = body.type === 'CompoundList' ? runStatements(body.commands, shell) : runNode(body, shell);
    for (const [variable, value] of locals) {
      if (value) shell.variables.set(variable, value);
      else shell.variables.delete(variable);
    }
    return printed;
  });
}
