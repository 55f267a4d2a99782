import type {
  AndOr,
  Case,
  CommandNode,
  CompoundList,
  Coproc,
  For,
  If,
  Pipeline,
  PipelineNode,
  Statement,
  While,
} from 'unbash';
import { evaluate } from './arithmetic.ts';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { takeDescriptor } from './descriptors.ts';
import { runFunctionDefinition } from './functions.ts';
import { inputFrom, textInput } from './inputs.ts';
import { constantOf, noteExhaustion, readLoopExhaustion } from './exhaust.ts';
import { readRedirects } from './redirects.ts';
import { runSimple } from './simple.ts';
import { endShell } from './run-code.ts';
import {
  isMentioned,
  isSame,
  isSamePlace,
  joinMoments,
  momentOf,
  placeOf,
  runAny,
  runEach,
  runRound,
  runRounds,
} from './may.ts';
import type { Moment, Shell, Unsure } from './state.ts';
import { forkShell, knownText, plainWord, spend, within, writeStore } from './state.ts';
import { readTest } from './tests.ts';
import { setVariable, valueOf } from './variables.ts';
import { expandOne, expandWord } from './words.ts';

/**
 * Reads statements in order; returns what they print, with `UNKNOWN` where that cannot be told. What hangs on a test is read where its
 * `cd` leads, even if that fails.
 */
export function runStatements(statements: readonly Statement[], shell: Shell, isTest = false): string {
  let printed = '';
  for (const statement of statements) {
    const { all } = shell;
    if (!spend(all, 8, shell.source.slice(statement.pos, statement.end))) return printed + UNKNOWN;
    const { command } = statement;
    if (statement.background !== true) {
      printed += command.type === 'AndOr' ? runAndOr(command, shell) : runPart(command, shell, !isTest);
      continue;
    }
    const before = all.recursions.length;
    const apart = forkShell(shell, { background: true });
    printed += runApart(command, forkShell(apart));
    for (const path of all.pipes) {
      // Whoever writes to the pipe may come later.
      if (all.files.has(path) || !isMentioned(path, shell.source.slice(statement.pos, statement.end))) continue;
      all.waiting.set(path, () => void runApart(command, forkShell(apart)));
    }
    if (recursed(before, shell)) noteExhaustion(shell, statement.pos, statement.end);
  }
  return printed;
}

/** Where a change of directory that does fail leaves the shell. */
function turnBack(shell: Shell, open: Unsure | undefined): void {
  if (open?.surely === true) Object.assign(shell, open.failed, { unsure: undefined, places: undefined });
}

/** Reads a part of a list, or all of it, for each of the values that it may meet. */
function runPart(node: PipelineNode, shell: Shell, isAll = false): string {
  const run = () => {
    const printed = runNode(node, shell);
    if (isAll) turnBack(shell, shell.unsure);
    return printed;
  };
  return shell.all.several ? runEach(shell.source.slice(node.pos, node.end), shell, run) : run();
}

/** Reads what has a shell of its own. */
function runApart(node: PipelineNode | AndOr, shell: Shell): string {
  const printed = node.type === 'AndOr' ? runAndOr(node, shell) : runPart(node, shell);
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
      return runBody(node.body, shell);
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
    case 'Coproc':
      runCoprocess(node, shell);
      return '';
    case 'TestCommand':
      readTest(node.expression, shell);
      return '';
    case 'ArithmeticCommand':
      if (node.expression) evaluate(node.expression, shell);
      return '';
  }
}

/** A process whose input and output are descriptors of the shell, which `COPROC` or another name holds. */
function runCoprocess({ body, name }: Coproc, shell: Shell): void {
  const { all } = shell;
  const outs: number[] = [];
  const redirects = shell.redirects.filter(({ descriptor }) => descriptor !== 1);
  const fork = forkShell(shell, { background: true, outs, input: undefined, redirects });
  const run = (inner: Shell) =>
    body.type === 'CompoundList' ? runStatements(body.commands, inner) : runNode(body, inner);
  const first = all.commands.length;
  const printed = run(forkShell(fork));
  const [from, to] = [takeDescriptor(shell), takeDescriptor(shell)].map(String) as [string, string];
  const target = plainWord(`/dev/fd/${to}`);
  const descriptors = writeStore(shell, 'descriptors');
  descriptors.set(from, { input: inputFrom(printed, outs, shell) });
  descriptors.set(to, {
    output: { operator: '>', descriptor: Number(to), target },
    ...(all.commands.length > first && { reader: first }),
  });
  all.waiting.set(target.value, (text) => void run(forkShell(fork, { input: textInput(text) })));
  const items = new Map([
    ['0', from],
    ['1', to],
  ]);
  setVariable(shell, name?.value ?? 'COPROC', { ...valueOf(from), items });
}

/** Goes round any number of times, or once for each line that `read` takes from known text. */
function runWhile(node: While, shell: Shell): string {
  readLoopExhaustion(node, shell);
  return within(shell, { input: shell.input }, () => {
    const before = shell.input;
    const test = () => runStatements(node.clause.commands, shell);
    const start = placeOf(shell);
    const tests = test();
    const leads = !isSamePlace(start, placeOf(shell));
    const round = () => runStatements(node.body.commands, shell);
    if (shell.input === before) {
      const text = shell.source.slice(node.pos, node.end);
      // `while cd ..` is somewhere else at each test.
      const printed = runRounds(text, shell, () => round() + (leads ? test() : ''));
      return tests + printed === '' ? '' : UNKNOWN;
    }
    let printed = tests + runRound(shell, round);
    for (let taken = before; shell.input !== taken && (knownText(shell.input) ?? '') !== '';) {
      taken = shell.input;
      printed += test() + runRound(shell, round);
    }
    return printed;
  });
}

function runBody(body: CompoundList, shell: Shell): string {
  const text = shell.source.slice(body.pos, body.end);
  return runRounds(text, shell, () => runStatements(body.commands, shell));
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
  // What the whole of it is written to gets the output of its last part alone.
  const inner = shell.redirects.filter(({ descriptor }) => descriptor !== 1);
  for (const [at, command] of commands.entries()) {
    if (!spend(all, 8, shell.source.slice(node.pos, node.end))) return UNKNOWN;
    const last = at === commands.length - 1;
    const outs = last ? shell.outs : [];
    const first = all.commands.length;
    const calls = all.recursions.length;
    printed =
      last && shell.lastPipe
        ? runAny([() => within(shell, { wrappers, input, outs }, () => runNode(command, shell))], true, shell)
        : runApart(command, forkShell(shell, { wrappers, input, outs, redirects: last ? shell.redirects : inner }));
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

/** The shell after a command of a list, by whether the command failed. */
interface Outcome {
  readonly moment: Moment;
  /** What a change of directory left open, where that is what failed. */
  readonly open?: Unsure | undefined;
}

function runAndOr(node: AndOr, shell: Shell): string {
  let printed = '';
  let passed: readonly Outcome[] = [{ moment: momentOf(shell) }];
  let failed: readonly Outcome[] = [];
  const leftBefore = shell.left;
  let left: string | undefined;
  node.commands.forEach((command, at) => {
    const or = node.operators[at - 1] === '||';
    const from = or ? failed : passed;
    // What can never be reached is read as if it could.
    if (from.length > 0)
      joinMoments(
        shell,
        from.map(({ moment }) => moment),
      );
    const since = from.length > 0 && from.every((one) => one.open) ? from[0]?.open : undefined;
    const place = placeOf(shell);
    const { dir, unsure } = place;
    shell.left = undefined;
    const text = runPart(command, shell);
    if (!or || printed === '') printed += text;
    else if (text !== '') printed = UNKNOWN;
    const open = shell.unsure !== unsure ? shell.unsure : undefined;
    const still = shell.dir === dir ? since : undefined;
    const sure = surely(command, open !== undefined, shell);
    const gone = shell.left !== undefined;
    if (gone) left = shell.left;
    const before = or ? [] : failed;
    failed = before;
    if (!gone && sure !== true) {
      const moment = momentOf(shell);
      const stayed = { ...moment, place };
      const outcome = open
        ? { moment: stayed, open: open.surely === true ? undefined : open }
        : { moment, open: still };
      if (!before.some((one) => one.open === outcome.open && isSame(one.moment, outcome.moment)))
        failed = [...before, outcome];
    }
    if (open) succeed(shell);
    const passes = gone || sure === false || open?.surely === true ? [] : [{ moment: momentOf(shell), open: still }];
    passed = or ? [...passed, ...passes] : passes;
  });
  endList(passed, failed, shell);
  shell.left = passed.length + failed.length > 0 ? leftBefore : left;
  return printed;
}

/** `cd a && b; c` comes to `c` even if `cd` failed; that is less likely than the rest, and told apart from it. */
function endList(passed: readonly Outcome[], failed: readonly Outcome[], shell: Shell): void {
  const all = [...passed, ...failed];
  const reached = passed.find(({ open }) => open === undefined)?.moment;
  joinMoments(
    shell,
    all.map(({ moment, open }) => (open && reached ? { ...moment, place: reached.place } : moment)),
  );
  const open = all.findLast((one) => one.open !== undefined)?.open;
  if (open && reached) shell.unsure = open;
}

const SUCCEED: ReadonlySet<string> = new Set(
  'echo printf export declare typeset local readonly set alias pwd trap cd'.split(' '),
);

/** Whether the command succeeds or fails whatever happens. */
function surely(node: PipelineNode | AndOr, open: boolean, shell: Shell): boolean | undefined {
  const constant = constantOf(node, shell);
  if (constant !== undefined || node.type !== 'Command') return constant;
  const plain = !/\$\(|`/.test(shell.source.slice(node.pos, node.end));
  return plain && !open && (node.name === undefined || SUCCEED.has(node.name.value)) ? true : undefined;
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
  const tests = runStatements(node.clause.commands, shell, true);
  const open = shell.unsure !== unsure ? shell.unsure : undefined;
  if (open) succeed(shell);
  const printed = runTested(node, shell);
  const last = node.clause.commands.at(-1)?.command;
  const negated = last?.type === 'Pipeline' && last.prefixes.some((prefix) => prefix.type === 'Negation');
  if (open && shell.unsure === undefined && !(negated && hasEnded(shell))) shell.unsure = open;
  turnBack(shell, open);
  return tests + printed;
}

/** Any of the branches after the test. */
function runTested(node: If, shell: Shell): string {
  const run = (list: CompoundList) => runStatements(list.commands, shell);
  const branches = [() => run(node.then)];
  for (const { clause, then } of node.elif) branches.push(() => run(clause) + run(then));
  const { else: other } = node;
  if (other) branches.push(() => run(other));
  return runAny(branches, other === undefined, shell);
}

function runCase(node: Case, shell: Shell): string {
  const items = itemsFor(expandOne(node.word, shell), node, shell);
  const branches = items.map((item) => () => runStatements(item.body.commands, shell));
  return runAny(branches, !items.some(({ pattern }) => pattern.some(({ text }) => text === '*')), shell);
}

/** A value that a loop changes is known in its first round only. */
const GOES_ROUND = /\b(?:while|until|select|shift|getopts)\b|\bfor\s*\(\(/;

/** In a script that is told what to do, the branches that it may take: `./dev.sh build` does nothing of `clean)`. */
function itemsFor({ value, known }: ShellWord, { items }: Case, shell: Shell): Case['items'] {
  if (!known || shell.all.scripts.length === 0 || GOES_ROUND.test(shell.source)) return items;
  const isOpen = (text: string) => /[*?[$`\\(]/.test(text);
  const at = items.findIndex(({ pattern }) => pattern.some((word) => word.text === '*' || word.value === value));
  if (at < 0 || items.some(({ terminator }) => terminator !== undefined && terminator !== ';;')) return items;
  return items.filter(({ pattern }, place) => place === at || (place < at && pattern.some(({ text }) => isOpen(text))));
}

function runFor(node: For, shell: Shell): string {
  const items = node.wordlist ? node.wordlist.flatMap((word) => expandWord(word, shell)) : (shell.args ?? []);
  const name = node.name.value;
  const round = () => runStatements(node.body.commands, shell);
  if (items.length === 0 && node.wordlist === undefined) {
    setVariable(shell, name, valueOf(UNKNOWN));
    return runRounds(shell.source.slice(node.pos, node.end), shell, round);
  }
  let printed = '';
  const text = shell.source.slice(node.pos, node.end);
  const ends: Moment[] | undefined = /\b(?:break|continue)\b/.test(text) ? [] : undefined;
  for (const item of items) {
    if (!spend(shell.all, 1, text)) return printed + UNKNOWN;
    setVariable(shell, name, valueOf(item.value, item.from, item.glob));
    // What only running tells may be no word at all, or many.
    printed += item.glob || !item.known ? runRounds(text, shell, round) : runRound(shell, round);
    if (ends && ends.length < MOST_ENDS) ends.push(momentOf(shell));
  }
  if (ends) joinMoments(shell, ends);
  return printed;
}

/** A loop may be left after any of its rounds; so many are told apart. */
const MOST_ENDS = 16;
