import type { Function as FunctionNode } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { KnownFunction, Shell } from './state.ts';
import { plainWord, within } from './state.ts';

export function runFunctionDefinition(node: FunctionNode, shell: Shell): void {
  const name = node.name.value;
  const known: KnownFunction = { node, source: shell.source };
  shell.functions.set(name, known);
  // The shell calls these by itself, for any program that does not exist.
  if (name.startsWith('command_not_found_handle')) {
    within(shell, { road: [...shell.road, name] }, () => callFunction(known, name, [plainWord(UNKNOWN)], shell));
  }
}

/** Reads a function's body with the arguments of a call. */
export function callFunction(known: KnownFunction, name: string, args: readonly ShellWord[], shell: Shell): string {
  const { body } = known.node;
  const calls = shell.calls.indexOf(name);
  if (calls >= 0) {
    shell.all.recursions.push(calls);
    return UNKNOWN;
  }
  const locals: Shell['locals'] = new Map();
  const changes: Partial<Shell> = { source: known.source, args, calls: [...shell.calls, name], locals };
  return within(shell, changes, () => {
    const { reader } = shell.all;
    const printed = body.type === 'CompoundList' ? reader.statements(body.commands, shell) : reader.node(body, shell);
    for (const [variable, value] of locals) {
      if (value) shell.variables.set(variable, value);
      else shell.variables.delete(variable);
    }
    return printed;
  });
}
