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

const GIT_SETTINGS = /^(?:alias\.[^=]+=!|core\.(?:sshcommand|pager|editor|fsmonitor|gitproxy|askpass)=)([^]*)$/i;

/** Git runs other programs for `bisect run`, `submodule foreach`, `rebase --exec` and settings such as aliases with `!`. */
export function launchGit(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  const codes: ShellWord[] = [];
  let verb = '';
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    const before = words[at - 1]?.value ?? '';
    if (verb === '') {
      const code = before === '-c' ? GIT_SETTINGS.exec(value)?.[1] : undefined;
      if (code !== undefined && !/^(?:true|false|cat|)$/.test(code)) codes.push({ ...word, value: code });
      if (/^(?:bisect|submodule|rebase|filter-branch)$/.test(value)) verb = value;
    } else if (verb === 'bisect' && before === 'run')
      return runWords(words.slice(at), 'git bisect run', draft, shell, NOTHING_READ);
    else if (verb === 'submodule' && value === 'foreach') {
      const rest = words.slice(at + 1).filter((one) => !/^(?:--recursive|--quiet|-q)$/.test(one.value));
      codes.push({ ...word, value: joined(rest) });
      break;
    } else if (verb === 'rebase' && /^(?:-x|--exec)$/.test(before)) codes.push(word);
    else if (verb === 'rebase' && value.startsWith('--exec=')) codes.push({ ...word, value: value.slice(7) });
    else if (verb === 'filter-branch' && /^--[a-z-]+-filter$/.test(before)) codes.push(word);
  }
  return runAll(codes, 'git', draft, shell);
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
