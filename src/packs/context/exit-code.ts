import { isReadWhole } from '../../shell/command.ts';
import type { Reading, ShellCommand } from '../../shell/command.ts';

/**
 * The commands that must have succeeded if the call did, or if it came to `until`: those that nothing but `&&` joins to the
 * end. What stands before a pipe, `||` or `;` may have failed unnoticed, unless `pipefail` or `set -e` watched over it.
 * A structure that is not plain to see proves nothing.
 */
export function provenCommands(text: string, reading: Reading, until?: ShellCommand): readonly ShellCommand[] {
  const steps = readSteps(text, reading);
  if (steps === undefined || (until && !steps.some(({ command }) => command === until))) return [];
  const shell = { strict: false, pipefail: false };
  const last = steps.findLast(({ command }) => command)?.command;
  /** Of the statements before this one. */
  let before: readonly ShellCommand[] = [];
  /** The pipelines of this statement. */
  let list: (readonly ShellCommand[])[] = [];
  let isAlternative = false;
  for (const { operator, command } of steps) {
    let piped: readonly ShellCommand[] = [];
    if (operator === '|') {
      const left = list.pop() ?? [];
      if (shell.pipefail) piped = left;
    } else if (operator === '||') {
      list = [];
      isAlternative = true;
    } else if (operator !== '&&' && command) {
      before = shell.strict ? [...before, ...watched(operator, list)] : [];
      list = [];
      isAlternative = false;
    } else if (operator === '&') list = [];
    if (!command) continue;
    if (command === until) break;
    if (command !== last && mayEndWell(command)) return [];
    if (command.program === 'set') readSettings(command, shell);
    if (!isAlternative) list.push([...piped, command]);
  }
  return [...before, ...list.flat()];
}

type Operator = '&&' | '||' | '|' | ';' | '&';

/** A command and what joins it to the one before; at the end, what follows the last one. */
interface Step {
  readonly operator: Operator;
  readonly command: ShellCommand | undefined;
}

/** Undefined where more than operators and parentheses stands between the commands. */
function readSteps(text: string, reading: Reading): readonly Step[] | undefined {
  if (!isReadWhole(reading)) return undefined;
  const { commands } = reading;
  const steps: Step[] = [];
  let between = '';
  let at = 0;
  for (const command of [...commands.filter(({ road }) => road.length === 0), undefined]) {
    const start = command ? text.indexOf(command.text, at) : text.length;
    if (start < 0) return undefined;
    const joint = withoutRemarks(text.slice(at, start));
    const isEdge = at === 0 || !command;
    const operator = readOperator(joint.replaceAll(/[()]/g, ' '), isEdge);
    if (operator === undefined) return undefined;
    steps.push({ operator, command });
    between += `${joint}.`;
    at = start + (command?.text.length ?? 0);
  }
  const isPlain = !between.includes('(') || isGroupedPlainly(between, commands);
  return isPlain ? steps : undefined;
}

/** What `set -e` would have ended the shell for: a statement of one pipeline. In `a && b` the failure of `a` ends nothing. */
function watched(operator: Operator, list: readonly (readonly ShellCommand[])[]): readonly ShellCommand[] {
  return operator === ';' && list.length === 1 ? (list[0] ?? []) : [];
}

function withoutRemarks(joint: string): string {
  return joint.replaceAll(/\\\n|#[^\n]*/g, ' ').replace(/(?<=^|[\s(])time(?:\s+-p)?\s+$/, '');
}

function readOperator(joint: string, isEdge: boolean): Operator | undefined {
  const operator = joint.trim();
  if (operator === '') return isEdge || joint.includes('\n') ? ';' : undefined;
  if (operator === '|&') return '|';
  const isKnown = operator === '|' || operator === ';' || operator === '&' || operator === '&&' || operator === '||';
  return isKnown ? operator : undefined;
}

/** A group is no more than its parts where `&&` and `;` alone join it; in one that is a condition, `set -e` does not hold. */
function isGroupedPlainly(between: string, commands: readonly ShellCommand[]): boolean {
  if (between.includes('||') || /\)\s*(?:\||&(?!&))/.test(between)) return false;
  return !commands.some(({ program }) => program === 'set');
}

/** It may end the call without a failure, and what follows it never ran. */
function mayEndWell({ program, words, wrappers }: ShellCommand): boolean {
  if (program === 'trap' || wrappers.includes('exec')) return true;
  return (program === 'exit' || program === 'return') && !/^[1-9]\d*$/.test(words[1]?.value ?? '');
}

function readSettings({ words }: ShellCommand, shell: { strict: boolean; pipefail: boolean }): void {
  let isOn = true;
  for (const { value } of words.slice(1)) {
    if (/^[-+]/.test(value)) isOn = value.startsWith('-');
    if (value === 'errexit' || /^[-+][a-z]*e/.test(value)) shell.strict = isOn;
    if (value === 'pipefail') shell.pipefail = isOn;
  }
}
