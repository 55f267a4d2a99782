import type { AndOr, Case, CommandNode, CompoundList, For, If, Pipeline, PipelineNode, Statement, While } from 'unbash';
import { evaluate } from './arithmetic.ts';
import { UNKNOWN } from './command.ts';
import { runFunctionDefinition } from './functions.ts';
import { inputFrom } from './inputs.ts';
import { noteExhaustion, readLoopExhaustion } from './exhaust.ts';
import { readRedirects } from './redirects.ts';
import { runSimple } from './simple.ts';
import { endShell } from './run-code.ts';
import type { Shell, Unsure } from './state.ts';
import { forkShell, knownText, spend, within } from './state.ts';
import { readTest } from './tests.ts';
import { setVariable, valueOf } from './variables.ts';
import { expandOne, expandWord } from './words.ts';

/** Reads statements in order; returns what they print, with `UNKNOWN` where that cannot be told. */
export function runStatements(statements: readonly Statement[], shell: Shell): string {
  let printed = '';
  for (const statement of statements) {
    const { all } = shell;
    if (!spend(all, 8, shell.source.slice(statement.pos, statement.end))) return printed + UNKNOWN;
    if (statement.background !== true) {
      printed += runNode(statement.command, shell);
      continue;
    }
    const before = all.recursions.length;
    printed += runApart(statement.command, forkShell(shell, { background: true }));
    if (recursed(before, shell)) noteExhaustion(shell, statement.pos, statement.end);
  }
  return printed;
}

/** Reads what has a shell of its own. */
function runApart(node: PipelineNode | AndOr, shell: Shell): string {
  const printed = runNode(node, shell);
  endShell(shell);
  return printed;
}

/** Since `before`, a function that we are inside of was called again. */
function recursed(before: number, shell: Shell): boolean {
  return shell.all.recursions.slice(before).some((call) => call < shell.calls.length);
}

export function runNode(node: PipelineNode | AndOr, shell: Shell): string {
  switch (node.type) {
    case 'Command':
      return runSimple(node, shell);
    case 'Pipeline':
      return runPipeline(node, shell);
    case 'AndOr':
      return runAndOr(node, shell);
    case 'Subshell': {
      const inner = forkShell(shell);
      const printed = runStatements(node.body.commands, inner);
      endShell(inner);
      return printed;
    }
    case 'BraceGroup':
      return runStatements(node.body.commands, shell);
    case 'If':
      return runIf(node, shell);
    case 'For':
      return runFor(node, shell);
    case 'Select':
      setVariable(shell, node.name.value, valueOf(UNKNOWN));
      return runStatements(node.body.commands, shell);
    case 'ArithmeticFor':
      readLoopExhaustion(node, shell);
      if (node.initialize) evaluate(node.initialize, shell);
      return runBody(node.body, shell);
    case 'While':
      return runWhile(node, shell);
    case 'Case':
      return runCase(node, shell);
    case 'Redirected': {
      const { redirects, input } = readRedirects(node.redirects, shell);
      const changes = { redirects: [...shell.redirects, ...redirects], input: input ?? shell.input };
      return within(shell, changes, () => runNode(node.command, shell));
    }
    case 'Function':
      runFunctionDefinition(node, shell);
      return '';
    case 'Coproc': {
      const { body } = node;
      const inner = forkShell(shell, { background: true, outs: undefined });
      return body.type === 'CompoundList' ? runStatements(body.commands, inner) : runNode(body, inner);
    }
    case 'TestCommand':
      readTest(node.expression, shell);
      return '';
    case 'ArithmeticCommand':
      if (node.expression) evaluate(node.expression, shell);
      return '';
  }
}

/** Goes round once, or once for each line that `read` takes from known text. */
function runWhile(node: While, shell: Shell): string {
  readLoopExhaustion(node, shell);
  let printed = '';
  return within(shell, { input: shell.input }, () => {
    for (;;) {
      const before = shell.input;
      printed += runStatements(node.clause.commands, shell);
      const taken = shell.input !== before;
      printed += runStatements(node.body.commands, shell);
      if (!taken) return printed === '' ? '' : UNKNOWN;
      if (knownText(shell.input) === undefined || knownText(shell.input) === '') break;
    }
    return printed;
  });
}

function runBody(body: CompoundList, shell: Shell): string {
  const printed = runStatements(body.commands, shell);
  return printed === '' ? '' : UNKNOWN;
}

function runPipeline(node: Pipeline, shell: Shell): string {
  const { commands } = node;
  const timed = node.prefixes.some((prefix) => prefix.type === 'Time');
  const wrappers = timed ? [...shell.wrappers, 'time'] : shell.wrappers;
  if (commands.length === 1) {
    return within(shell, { wrappers }, () => runNode(commands[0] as CommandNode, shell));
  }
  const { all } = shell;
  let { input } = shell;
  let producers: readonly number[] = [];
  let printed = '';
  let selves = 0;
  for (const [at, command] of commands.entries()) {
    if (!spend(all, 8, shell.source.slice(node.pos, node.end))) return UNKNOWN;
    const last = at === commands.length - 1;
    const outs = last ? shell.outs : [];
    const first = all.commands.length;
    const calls = all.recursions.length;
    printed = runApart(command, forkShell(shell, { wrappers, input, outs }));
    if (recursed(calls, shell)) selves += 1;
    const reader = all.commands.find((one, number) => number >= first && one.input === input) ?? all.commands[first];
    if (at > 0 && reader) for (const number of producers) point(shell, number, reader.number);
    if (!last) {
      producers = outs ?? [];
      input = inputFrom(printed, producers, shell);
    }
  }
  if (selves > 1) noteExhaustion(shell, node.pos, node.end);
  return printed;
}

function point(shell: Shell, number: number, reader: number): void {
  const command = shell.all.commands[number];
  if (command) command.pipedTo = reader;
}

function runAndOr(node: AndOr, shell: Shell): string {
  let printed = '';
  let { dir, unsure } = shell;
  /** What is open again once the list has ended: `cd a && b; c` comes to `c` even if `cd` failed. */
  let left: Unsure | undefined;
  node.commands.forEach((command, at) => {
    const changed = shell.unsure !== unsure ? shell.unsure : undefined;
    if (node.operators[at - 1] !== '||') {
      if (changed) {
        left = changed;
        succeed(shell);
      }
      ({ dir, unsure } = shell);
      printed += runNode(command, shell);
      return;
    }
    const reached = shell.dir;
    shell.dir = dir;
    shell.unsure = unsure;
    const alternative = runNode(command, shell);
    if (printed === '') printed = alternative;
    else if (alternative !== '') printed = UNKNOWN;
    if (reached !== dir) {
      shell.dir = reached;
      shell.unsure = changed;
    }
    if (!hasEnded(shell)) return;
    left = undefined;
    if (changed) succeed(shell);
  });
  if (left) shell.unsure = left;
  return printed;
}

/** The change of directory before this did not fail. */
function succeed(shell: Shell): void {
  const told = shell.unsure?.reached;
  shell.unsure = told === undefined ? undefined : { failed: told, reached: told };
}

const ENDS: ReadonlySet<string> = new Set(['exit', 'return', 'break', 'continue', 'exec']);

/** The last command was one after which nothing follows. */
function hasEnded({ all }: Shell): boolean {
  return ENDS.has(all.commands.at(-1)?.program ?? '');
}

function runIf(node: If, shell: Shell): string {
  const { unsure } = shell;
  const tests = runStatements(node.clause.commands, shell);
  const open = shell.unsure !== unsure ? shell.unsure : undefined;
  if (open) succeed(shell);
  const printed = runTested(node, shell);
  const last = node.clause.commands.at(-1)?.command;
  const negated = last?.type === 'Pipeline' && last.prefixes.some((prefix) => prefix.type === 'Negation');
  if (open && shell.unsure === undefined && !(negated && hasEnded(shell))) shell.unsure = open;
  return tests + printed;
}

/** Any of the branches after the test. */
function runTested(node: If, shell: Shell): string {
  const branches = [node.then];
  for (const one of node.elif) branches.push(one.clause, one.then);
  if (node.else) branches.push(node.else);
  return runBranches(branches, shell);
}

function runCase(node: Case, shell: Shell): string {
  expandOne(node.word, shell);
  return runBranches(
    node.items.map((item) => item.body),
    shell,
  );
}

/** Any of the branches may run: what they leave behind is known only where they agree. */
function runBranches(branches: readonly CompoundList[], shell: Shell): string {
  const before = new Map(shell.variables);
  const { dir } = shell;
  const dirs = new Set<string | undefined>();
  const changed = new Map<string, Set<string>>();
  let printed = '';
  for (const branch of branches) {
    shell.dir = dir;
    const text = runStatements(branch.commands, shell);
    if (text !== '') printed = printed === '' && branches.length === 1 ? text : UNKNOWN;
    if (shell.dir !== dir) dirs.add(shell.dir);
    for (const [name, value] of shell.variables) {
      if (before.get(name) === value) continue;
      const seen = changed.get(name) ?? new Set();
      changed.set(name, seen.add(value.text));
    }
  }
  for (const [name, seen] of changed) {
    if (seen.size > 1) shell.variables.set(name, valueOf(UNKNOWN));
  }
  if (dirs.size === 0) shell.dir = dir;
  else shell.dir = dirs.size === 1 ? [...dirs][0] : undefined;
  return printed;
}

function runFor(node: For, shell: Shell): string {
  const items = node.wordlist ? node.wordlist.flatMap((word) => expandWord(word, shell)) : (shell.args ?? []);
  const name = node.name.value;
  if (items.length === 0 && node.wordlist === undefined) {
    setVariable(shell, name, valueOf(UNKNOWN));
    return runStatements(node.body.commands, shell);
  }
  let printed = '';
  for (const item of items) {
    if (!spend(shell.all, 1, shell.source.slice(node.pos, node.end))) return printed + UNKNOWN;
    setVariable(shell, name, valueOf(item.value, item.from, item.glob));
    printed += runStatements(node.body.commands, shell);
    if (item.glob) printed += UNKNOWN;
  }
  return printed;
}
