import type { Function as FunctionNode } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { runUntilReturn } from './may.ts';
import type { KnownFunction, Shell } from './state.ts';
import { plainWord, within, writeStore } from './state.ts';

export function runFunctionDefinition(node: FunctionNode, shell: Shell): void {
  const name = node.name.value;
  const { functions } = shell.all;
  const known = functions.get(node) ?? { node, source: shell.source, id: `${name} ${functions.size}` };
  functions.set(node, known);
  writeStore(shell, 'functions').set(name, known);
  // The shell calls these by itself, for any program that does not exist.
  if (name.startsWith('command_not_found_handle')) {
    within(shell, { road: [...shell.road, name] }, () => callFunction(known, [plainWord(UNKNOWN)], shell));
  }
}

/** Reads a function's body with the arguments of a call. */
export function callFunction(known: KnownFunction, args: readonly ShellWord[], shell: Shell): string {
  const { body } = known.node;
  const calls = shell.calls.indexOf(known.id);
  if (calls >= 0) {
    shell.all.recursions.push(calls);
    return UNKNOWN;
  }
  const locals: Shell['locals'] = new Map();
  const changes: Partial<Shell> = {
    source: known.source,
    args,
    argSets: undefined,
    calls: [...shell.calls, known.id],
    locals,
  };
  const { reader } = shell.all;
  return within(shell, changes, () => {
    const printed = runUntilReturn(shell, () =>
      body.type === 'CompoundList' ? reader.statements(body.commands, shell) : reader.node(body, shell),
    );
    for (const [variable, value] of locals) {
      const variables = writeStore(shell, 'variables');
      if (value) variables.set(variable, value);
      else variables.delete(variable);
    }
    return printed;
  });
}
