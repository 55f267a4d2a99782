import type { ShellInput, ShellWord } from './command.ts';
import { UNKNOWN, ZERO } from './command.ts';
import { sourceOf } from './inputs.ts';
import { readOptions } from './options.ts';
import { runCode, runWords } from './run-code.ts';
import { fileText } from './scripts.ts';
import { isStdin, joined } from './shells.ts';
import { wordsFromText } from './split.ts';
import type { Draft, Shell } from './state.ts';
import { knownText, plainWord, spend, union } from './state.ts';

const XARGS = {
  values:
    '-a -d -E -I -J -L -n -P -R -S -s --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var'.split(
      ' ',
    ),
  flags: '--null --replace --eof --max-lines --no-run-if-empty --verbose --interactive --exit --open-tty'.split(' '),
  attached: ['-i', '-e', '-l'],
  stopAtOperand: true,
} as const;

/** `xargs program`: what comes through its input becomes arguments. */
export function runXargs(draft: Draft, shell: Shell): string {
  const options = readOptions(draft.words.slice(1), XARGS);
  const command = options.operands.length > 0 ? options.operands : [plainWord('echo')];
  const mark = markOf(options);
  const given = options.values('-a', '--arg-file').at(-1);
  const delimiter = options.has('-0', '--null') ? ZERO : options.values('-d', '--delimiter').at(-1)?.value;
  const input: ShellInput | undefined =
    given === undefined || isStdin(given.value) ? draft.input : { kind: 'file', target: given };
  const text = input?.kind === 'file' ? fileText(input.target.value, draft, shell) : knownText(input);
  const changes: Partial<Shell> = { input: undefined };
  if (text === undefined || (delimiter === ZERO && text.includes(UNKNOWN))) {
    const from = sourceOf(input, draft.dir, shell);
    return runWords(withItems(command, [{ ...plainWord(UNKNOWN), from }], mark), 'xargs', draft, shell, changes);
  }
  const items = itemsOf(text, delimiter, mark?.each === true);
  if (items.length === 0 && options.has('-r', '--no-run-if-empty')) return '';
  if (mark?.each !== true) return runWords(withItems(command, items, mark), 'xargs', draft, shell, changes);
  let printed = '';
  for (const item of items) {
    if (!spend(shell.all, fillingWork(command, item), draft.text)) break;
    printed += runWords(withItems(command, [item], mark), 'xargs', draft, shell, changes);
  }
  return printed;
}

interface Mark {
  readonly text: string;
  /** One command for each line; otherwise the mark becomes all of them. */
  readonly each: boolean;
}

function markOf(options: ReturnType<typeof readOptions>): Mark | undefined {
  const all = options.values('-J').at(-1);
  if (all) return { text: all.value, each: false };
  const given = options.values('-I', '-i', '--replace').at(-1);
  if (given) return { text: given.value || '{}', each: true };
  return options.has('-i', '--replace') ? { text: '{}', each: true } : undefined;
}

function itemsOf(text: string, delimiter: string | undefined, lines: boolean): readonly ShellWord[] {
  if (delimiter !== undefined)
    return split(text.replace(/\n$/, ''), delimiter === '\\n' ? '\n' : delimiter === '\\0' ? ZERO : delimiter);
  return lines ? split(text, '\n').map((one) => plainWord(one.value.trim())) : wordsFromText(text);
}

function split(text: string, by: string): readonly ShellWord[] {
  return text
    .split(by)
    .filter((one) => one !== '')
    .map((one) => plainWord(one));
}

function withItems(
  command: readonly ShellWord[],
  items: readonly ShellWord[],
  mark: Mark | undefined,
): readonly ShellWord[] {
  if (!mark) return [...command, ...items];
  if (!mark.each) return command.flatMap((word) => (word.value === mark.text ? items : [word]));
  return command.map((word) => fill(word, mark.text, items[0] as ShellWord));
}

/** What it takes to put an item into a command, in the units of `spend`. */
export function fillingWork(command: readonly ShellWord[], item: ShellWord): number {
  return 1 + (command.length >> 2) + ((command.length * item.value.length) >> 10);
}

/** The word with `mark` replaced by what the item stands for. */
export function fill(word: ShellWord, mark: string, item: ShellWord): ShellWord {
  if (!word.value.includes(mark)) return word;
  const value = word.value.replaceAll(mark, () => item.value);
  return {
    text: word.text,
    value,
    known: !value.includes(UNKNOWN),
    glob: word.glob || item.glob,
    from: union(word.from, item.from),
  };
}

const PARALLEL = {
  values:
    '-j -P -N -n -a -I -S -C -s -d --jobs --max-procs --max-args --arg-file --sshlogin --delay --timeout --retries --colsep --joblog --results --workdir --wd --tmpdir --tagstring --halt --load --memfree --delimiter --recstart --recend --block'.split(
      ' ',
    ),
  stopAtOperand: true,
} as const;

/** `parallel program ::: arguments`: each becomes a line of shell code. */
export function runParallel(draft: Draft, shell: Shell): string {
  const words = draft.words.slice(1);
  const marks = words.findIndex((word) => /^:::?:?\+?$/.test(word.value));
  const options = readOptions(marks < 0 ? words : words.slice(0, marks), PARALLEL);
  if (options.has('-S', '--sshlogin')) return UNKNOWN;
  const mark = options.values('-I').at(-1)?.value ?? '{}';
  const command = options.operands;
  let items: readonly ShellWord[];
  const file =
    marks < 0
      ? options.values('-a', '--arg-file').at(-1)
      : words[marks]?.value.startsWith('::::') === true
        ? words[marks + 1]
        : undefined;
  const text = file && !isStdin(file.value) ? fileText(file.value, draft, shell) : knownText(draft.input);
  if (marks >= 0 && !file) {
    items = words.slice(marks + 1).filter((word) => !word.value.startsWith(':::'));
  } else if (text === undefined) {
    items = [{ ...plainWord(UNKNOWN), from: sourceOf(draft.input, draft.dir, shell) }];
  } else items = split(text, '\n');
  const used = command.some((word) => word.value.includes(mark));
  let printed = '';
  for (const item of items) {
    if (!spend(shell.all, fillingWork(command, item), draft.text)) break;
    const filled = used ? command.map((word) => fill(word, mark, item)) : [...command, item];
    // Words with spaces were quoted to stay whole, as the code of `bash -c` is; without any, code and words are one.
    const whole =
      filled.slice(1).some((word) => word.value.includes(' ')) || !/[\s;&|<>$`(]/.test(filled[0]?.value ?? '');
    printed += whole
      ? runWords(filled, 'parallel', draft, shell, { input: undefined })
      : runCode(joined(filled), 'parallel', draft, shell, { input: undefined });
  }
  return printed === '' ? '' : UNKNOWN;
}
