import type { ShellWord } from './command.ts';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { runAll, runCode, runWords } from './run-code.ts';
import { quote } from './quote.ts';
import { runScript, scriptAt } from './scripts.ts';
import { readSed } from './sed.ts';
import { isStdin, joined } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { knownText, plainWord } from './state.ts';

const NOTHING_READ = { input: undefined };

const TAR_PROGRAMS = [
  '--to-command',
  '--use-compress-program',
  '-I',
  '--rsh-command',
  '--info-script',
  '--new-volume-script',
];
const TAR: OptionSpec = { values: [...TAR_PROGRAMS, '-F', '--checkpoint-action', '-f', '-C'] };

/** Programs that `tar` is told to run. */
export function launchTar(draft: Draft, shell: Shell): string | undefined {
  if (!draft.words.some((word) => /^-(?:I|F|-(?:to-c|use-c|rsh|info-s|new-v|checkpoint-a))/.test(word.value)))
    return undefined;
  const options = readOptions(draft.words.slice(1), TAR);
  const actions = options.values('--checkpoint-action').filter((word) => word.value.startsWith('exec='));
  const codes = options.values(...TAR_PROGRAMS);
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
  for (const line of knownText(draft.input)?.split('\n') ?? []) {
    const code = /^[\d$,%.:rw \t]*!([^]*)$/.exec(line)?.[1];
    if (code !== undefined) codes.push(plainWord(code));
  }
  return runAll(codes, draft.program, draft, shell);
}

/** Settings whose value git runs sooner or later. */
const GIT_PROGRAMS =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|gitproxy|askpass)|sequence\.editor|pager\.\w+|diff\.external|gpg\.program|filter\.[^=]+\.(?:clean|smudge|process)|merge\.[^=]+\.driver|diff\.[^=]+\.textconv|(?:diff|merge)tool\.[^=]+\.cmd|credential(?:\.[^=]+)?\.helper)$/i;

/** Git runs other programs for `bisect run`, `submodule foreach`, `rebase --exec` and settings such as aliases with `!`. */
export function launchGit(draft: Draft, shell: Shell): string | undefined {
  const { words } = draft;
  const codes: ShellWord[] = settingOf(words);
  let verb = '';
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    const before = words[at - 1]?.value ?? '';
    if (verb === '') {
      const code = before === '-c' ? codeOf(value) : undefined;
      if (code !== undefined && !/^(?:true|false|cat|)$/.test(code)) codes.push({ ...word, value: code });
      if (/^(?:bisect|submodule|rebase|filter-branch)$/.test(value)) verb = value;
      else if (GIT_CODE.has(value)) {
        const rest = words.slice(at + 1);
        codes.push(...optionsOf(rest, GIT_CODE.get(value) as RegExp));
        for (const setting of optionsOf(rest, /^(?:-c|--config)(?:=([^]*))?$/)) {
          const run = codeOf(setting.value);
          if (run !== undefined) codes.push({ ...setting, value: run });
        }
        break;
      } else if (!value.startsWith('-') && !/^-[cC]$/.test(before)) {
        const alias = aliasOf(value, words.slice(at + 1), shell);
        if (alias) codes.push(alias);
        else if (codes.length === 0 && !GIT_VERBS.has(value))
          return runStoredAlias(word, words.slice(at + 1), draft, shell);
        break;
      }
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

/** Options of subcommands whose value git runs. */
const GIT_CODE: ReadonlyMap<string, RegExp> = new Map([
  ['difftool', /^(?:-x|--extcmd)(?:=([^]*))?$/],
  ['grep', /^(?:-O|--open-files-in-pager=)([^]+)$/],
  ...['clone', 'fetch', 'fetch-pack', 'pull', 'ls-remote'].map(
    (name) => [name, /^--upload-pack(?:=([^]*))?$/] as const,
  ),
  ...['push', 'send-pack'].map((name) => [name, /^--(?:receive-pack|exec)(?:=([^]*))?$/] as const),
]);

function optionsOf(words: readonly ShellWord[], option: RegExp): ShellWord[] {
  return words.flatMap((word, at) => {
    const found = option.exec(word.value);
    if (!found) return [];
    const next = words[at + 1];
    return found[1] === undefined ? (next ? [next] : []) : [{ ...word, value: found[1] }];
  });
}

/** The code in `alias.x=!code` or `core.pager=code`. */
function codeOf(setting: string): string | undefined {
  const equals = setting.indexOf('=');
  const key = setting.slice(0, equals);
  const value = setting.slice(equals + 1);
  if (equals > 0 && /^alias\./i.test(key)) return value.startsWith('!') ? value.slice(1) : undefined;
  return equals > 0 && GIT_PROGRAMS.test(key) ? value.replace(/^!/, '') : undefined;
}

/** `git config core.pager 'command'`. */
function settingOf(words: readonly ShellWord[]): ShellWord[] {
  if (words[1]?.value !== 'config') return [];
  const [key, value] = words.slice(2).filter((word) => !/^(?:-|set$)/.test(word.value));
  if (!key || !value) return [];
  const runs = /^alias\./i.test(key.value) ? value.value.startsWith('!') : GIT_PROGRAMS.test(key.value);
  return runs ? [{ ...value, value: value.value.replace(/^!/, '') }] : [];
}

/** The code of an alias that this very text sets, with the arguments of its call. */
function aliasOf(name: string, rest: readonly ShellWord[], shell: Shell): ShellWord | undefined {
  const key = `alias.${name.toLowerCase()}`;
  for (const { program, words } of shell.all.commands) {
    if (program !== 'git' || words[1]?.value !== 'config') continue;
    const value = words[words.findIndex((word) => word.value.toLowerCase() === key) + 1];
    if (value?.value.startsWith('!') === true)
      return { ...value, value: joined([{ ...value, value: value.value.slice(1) }, ...rest]) };
  }
  return undefined;
}

/** Most of what git does by itself; any other word may be an alias. */
const GIT_VERBS: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bundle cat-file check-ignore checkout cherry-pick clean clone commit config describe ' +
    'diff fetch for-each-ref format-patch fsck gc grep help init lfs log ls-files ls-remote ls-tree maintenance merge mergetool merge-base mv notes ' +
    'pull push range-diff rebase reflog remote repack replace reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout ' +
    'stash status submodule switch symbolic-ref tag update-index update-ref version whatchanged worktree'
  ).split(' '),
);

/** What an alias in the settings of the repository or the person stands for. */
function runStoredAlias(
  { value: name }: ShellWord,
  rest: readonly ShellWord[],
  draft: Draft,
  shell: Shell,
): string | undefined {
  const { root, home } = shell.all.place;
  for (const file of [`${root ?? shell.dir ?? ''}/.git/config`, `${home}/.gitconfig`]) {
    const script = scriptAt(file, draft, shell);
    const found = script && aliasIn(script.text, name);
    if (!found) continue;
    const more = rest.map((word) => ` ${quote(word.value)}`).join('');
    const code = (found.text.startsWith('!') ? found.text.slice(1) : `git ${found.text}`) + more;
    const run = () => runCode(code, 'git', draft, shell, NOTHING_READ);
    return runScript(script, shell, run, { code, lines: found.line, name });
  }
  return undefined;
}

function aliasIn(text: string, name: string): { readonly text: string; readonly line: number } | undefined {
  let inside = false;
  for (const [at, line] of text.split('\n').entries()) {
    const section = /^\s*\[\s*([\w-]+)/.exec(line)?.[1];
    if (section !== undefined) inside = section.toLowerCase() === 'alias';
    const found = inside ? /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) : null;
    if (found?.[1]?.toLowerCase() !== name.toLowerCase()) continue;
    const value = found[2] as string;
    return { text: /^".*"$/.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value, line: at + 1 };
  }
  return undefined;
}

const SED_VALUES = ['-e', '--expression', '-f', '--file', '-l', '--line-length'];
/** The scripts that sed is given, in words or through its input. */
export function sedScripts({ words, input }: Pick<Draft, 'words' | 'input'>): readonly ShellWord[] {
  const options = readOptions(words.slice(1), { values: SED_VALUES });
  const files = options.values('-f', '--file');
  const text = files.some(({ value }) => isStdin(value)) ? knownText(input) : undefined;
  const given = [...options.values('-e', '--expression'), ...(text === undefined ? [] : [plainWord(text)])];
  return given.length > 0 || files.length > 0 ? given : options.operands.slice(0, 1);
}

/** GNU sed's `e`. */
export function launchSed(draft: Draft, shell: Shell): string | undefined {
  if (draft.words.some(({ value }) => value === '--posix' || value === '--sandbox')) return undefined;
  const codes = sedScripts(draft).flatMap((word) =>
    readSed(word.value).flatMap(({ does, text }) => (does === 'run' ? [{ ...word, value: text }] : [])),
  );
  return runAll(codes, 'sed', draft, shell);
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
