import type { ShellWord } from './command.ts';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { runAll, runCode, runWords } from './run-code.ts';
import { joined } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { knownText } from './state.ts';

const NOTHING_READ = { input: undefined };

const TAR: OptionSpec = {
  values: [
    '--to-command',
    '--use-compress-program',
    '-I',
    '--rsh-command',
    '--info-script',
    '--new-volume-script',
    '-F',
    '--checkpoint-action',
    '-f',
    '-C',
  ],
};

/** Programs that `tar` is told to run. */
export function launchTar(draft: Draft, shell: Shell): string | undefined {
  if (!draft.words.some((word) => /^-(?:I|F|-(?:to-c|use-c|rsh|info-s|new-v|checkpoint-a))/.test(word.value)))
    return undefined;
  const options = readOptions(draft.words.slice(1), TAR);
  const actions = options.values('--checkpoint-action').filter((word) => word.value.startsWith('exec='));
  const codes = options.values(
    '--to-command',
    '--use-compress-program',
    '-I',
    '--rsh-command',
    '--info-script',
    '--new-volume-script',
  );
  return runAll([...codes, ...actions.map((word) => ({ ...word, value: word.value.slice(5) }))], 'tar', draft, shell);
}

/** `vim -c '!command'`. */
export function launchEditor(draft: Draft, shell: Shell): string | undefined {
  const codes: ShellWord[] = [];
  draft.words.forEach((word, at) => {
    const line = /^(?:-c|--cmd)$/.test(draft.words[at - 1]?.value ?? '')
      ? word.value
      : word.value.startsWith('+')
        ? word.value.slice(1)
        : '';
    const code = /^:?\s*(?:silent!?\s+)?(?:!|(?:call\s+)?system\(['"])([^]*)$/.exec(line)?.[1];
    if (code !== undefined) codes.push({ ...word, value: code.replace(/['"]\)$/, '') });
  });
  return runAll(codes, draft.program, draft, shell);
}

/** Git runs other programs for `bisect run`, `submodule foreach`, `rebase --exec` and aliases with `!`. */
export function launchGit(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  const codes: ShellWord[] = [];
  let run: readonly ShellWord[] = [];
  words.forEach((word, at) => {
    const before = words[at - 1]?.value;
    const alias = before === '-c' ? /^alias\.[^=]+=!([^]*)$/.exec(word.value) : undefined;
    const setting =
      before === '-c'
        ? /^core\.(?:sshcommand|pager|editor|fsmonitor|gitproxy|askpass)=([^]*)$/i.exec(word.value)
        : undefined;
    const code = alias?.[1] ?? setting?.[1];
    if (code !== undefined && code !== 'true' && code !== 'false' && code !== '') codes.push({ ...word, value: code });
    if (before === 'run' && words[at - 2]?.value === 'bisect') run = words.slice(at);
    else if (before === 'foreach' && words[at - 2]?.value === 'submodule') {
      const rest = words.slice(at).filter((one) => !/^(?:--recursive|--quiet|-q)$/.test(one.value));
      if (at === words.findIndex((one) => one.value === 'foreach') + 1) codes.push({ ...word, value: joined(rest) });
    } else if (words.some((one) => one.value === 'rebase') && (before === '-x' || before === '--exec'))
      codes.push(word);
    else if (word.value.startsWith('--exec=') && words.some((one) => one.value === 'rebase'))
      codes.push({ ...word, value: word.value.slice(7) });
    else if (/^--(?:tree|index|msg|env|commit|parent|tag-name)-filter$/.test(before ?? '')) codes.push(word);
  });
  const ran = run.length > 0 ? runWords(run, 'git bisect run', draft, shell, NOTHING_READ) : undefined;
  return runAll(codes, 'git', draft, shell) ?? ran;
}

/** The lines of a table of jobs are run later. */
export function launchCrontab(draft: Draft, shell: Shell): string | undefined {
  const text = knownText(draft.input);
  if (text === undefined || !draft.words.slice(1).some((word) => word.value === '-')) return undefined;
  const lines = text
    .split('\n')
    .map((line) => /^\s*(?:@\w+|(?:[\d*][^\s]*\s+){4}[\d*][^\s]*)\s+([^]*)$/.exec(line)?.[1] ?? '');
  return runCode(lines.join('\n'), 'crontab', draft, shell, NOTHING_READ);
}

/** `npx -c code`. */
export function launchPackageCode(draft: Draft, shell: Shell): string | undefined {
  const { words, program } = draft;
  if (program === 'npm' && !/^(?:exec|x)$/.test(words[1]?.value ?? '')) return undefined;
  return runAll(
    readOptions(words.slice(1), { values: ['-c', '--call', '-p', '--package'] }).values('-c', '--call'),
    'npx -c',
    draft,
    shell,
  );
}
