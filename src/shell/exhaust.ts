import type { AndOr, ArithmeticFor, CompoundList, PipelineNode, Statement, While } from 'unbash';
import { evaluate } from './arithmetic.ts';
import type { Shell } from './state.ts';
import { forkShell, onlyOf } from './state.ts';

/** What one round of an endless loop leaves behind. */
interface Round {
  /** Background jobs that nothing waits for. */
  jobs: boolean;
  /** They were taken out of the shell's hands, so that `wait` does not see them. */
  disowned: boolean;
  /** The loop may end, or takes its time. */
  ends: boolean;
  /** Functions that it was followed into. */
  readonly followed: Set<string>;
}

/** Notes an endless loop whose every round leaves background jobs behind. */
export function readLoopExhaustion(loop: While | ArithmeticFor, shell: Shell): void {
  if (!isEndless(loop, shell)) return;
  const round: Round = { jobs: false, disowned: false, ends: false, followed: new Set() };
  const [first] = loop.body.commands;
  const waitsFirst = first?.command.type === 'Command' && first.command.name?.value === 'wait';
  follow(loop.body.commands, round, shell);
  if (round.jobs && !round.ends && (round.disowned || !waitsFirst)) noteExhaustion(shell, loop.pos, loop.end);
}

export function noteExhaustion(shell: Shell, pos: number, end: number): void {
  const text = shell.source.slice(pos, end).trim() || shell.source;
  if (!shell.all.exhausts.includes(text)) shell.all.exhausts.push(text);
}

function isEndless(loop: While | ArithmeticFor, shell: Shell): boolean {
  if (loop.type === 'While') return isAlways(loop.clause.commands, shell) === (loop.kind === 'while');
  if (!loop.test) return true;
  return loop.test.type === 'ArithmeticWord' && /^[1-9]/.test(loop.test.value);
}

/** True or false when the condition is the same whenever it is asked. */
export function isAlways(statements: readonly Statement[], shell: Shell): boolean | undefined {
  const last = statements.at(-1);
  return last && constantOf(last.command, shell);
}

export function constantOf(node: PipelineNode | AndOr, shell: Shell): boolean | undefined {
  switch (node.type) {
    case 'Command': {
      const words = [node.name, ...node.args].map((word) => (word?.type === 'Word' ? word.value : ''));
      const name = words[0]?.replace(/^\/(?:usr\/)?bin\//, '');
      if (name === 'true' || name === ':') return true;
      if (name === 'false') return false;
      const tested = name === '[' || name === 'test' ? words[1] : undefined;
      const plain = tested !== undefined && words.length === (name === '[' ? 3 : 2);
      return plain && /^\w+$/.test(tested) ? true : undefined;
    }
    case 'TestCommand': {
      const { expression } = node;
      const plain =
        expression.type === 'TestUnary' && expression.operator === '-n' && expression.operand.parts === undefined;
      return plain ? expression.operand.value !== '' : undefined;
    }
    case 'ArithmeticCommand': {
      if (!/^[\s\d]+$/.test(node.body) || !node.expression) return undefined;
      const value = evaluate(node.expression, forkShell(shell));
      return value === undefined ? undefined : value !== 0;
    }
    case 'Pipeline': {
      const [only] = node.commands;
      const value = only && node.commands.length === 1 ? constantOf(only, shell) : undefined;
      return value === undefined ? undefined : value !== node.prefixes.some((prefix) => prefix.type === 'Negation');
    }
    default:
      return undefined;
  }
}

function follow(statements: readonly Statement[], round: Round, shell: Shell): void {
  for (const { background, command } of statements) {
    if (round.ends) return;
    if (background === true) round.jobs = true;
    else followNode(command, round, shell);
  }
}

/** A shell of its own: its jobs stay, but its `wait` and `exit` do not reach the loop. */
function followApart(statements: readonly Statement[], round: Round, shell: Shell): void {
  const inner: Round = { jobs: false, disowned: false, ends: false, followed: round.followed };
  follow(statements, inner, shell);
  if (inner.jobs) round.jobs = true;
}

function followNode(node: PipelineNode | AndOr, round: Round, shell: Shell): void {
  switch (node.type) {
    case 'Command':
      followCommand(node.name?.value ?? '', round, shell);
      break;
    case 'AndOr':
      followAndOr(node, round, shell);
      break;
    case 'Pipeline':
      for (const one of node.commands) {
        if (node.commands.length === 1) followNode(one, round, shell);
        else if (one.type !== 'Command')
          followApart([{ type: 'Statement', pos: 0, end: 0, command: one, background: undefined }], round, shell);
      }
      break;
    case 'Subshell':
      followApart(node.body.commands, round, shell);
      break;
    case 'BraceGroup':
    case 'For':
    case 'While':
    case 'ArithmeticFor':
    case 'Select':
      follow(node.body.commands, round, shell);
      break;
    case 'Redirected':
      followNode(node.command, round, shell);
      break;
    case 'If': {
      const sure = isAlways(node.clause.commands, shell);
      const branches: (CompoundList | undefined)[] = sure === true ? [node.then] : [node.else];
      if (sure === undefined) branches.push(node.then, ...node.elif.map((one) => one.then));
      for (const branch of branches) if (branch) follow(branch.commands, round, shell);
      break;
    }
    case 'Case':
      for (const item of node.items) follow(item.body.commands, round, shell);
      break;
    default:
  }
}

function followAndOr(node: AndOr, round: Round, shell: Shell): void {
  let result: boolean | undefined;
  node.commands.forEach((command, at) => {
    const operator = node.operators[at - 1];
    if ((operator === '&&' && result === false) || (operator === '||' && result === true)) return;
    followNode(command, round, shell);
    result = constantOf(command, shell);
  });
}

function followCommand(name: string, round: Round, shell: Shell): void {
  switch (name) {
    case 'wait':
      if (!round.disowned) round.jobs = false;
      break;
    case 'disown':
      round.disowned = true;
      break;
    case 'break':
    case 'exit':
    case 'return':
    case 'exec':
    case 'sleep':
      round.ends = true;
      break;
    default: {
      const known = onlyOf(shell.functions.get(name));
      if (!known || round.followed.has(name)) break;
      const { body } = known.node;
      round.followed.add(name);
      if (body.type === 'CompoundList') follow(body.commands, round, shell);
      else followNode(body, round, shell);
    }
  }
}
