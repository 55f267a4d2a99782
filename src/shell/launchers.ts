import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { runAll, runCode, runWords } from './run-code.ts';
import { joined } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { knownText, plainWord } from './state.ts';
import { launchMake } from './make.ts';
import { runSecureShell } from './remote.ts';
import { TASK_RUNNERS } from './tasks.ts';
import { launchContainer } from './containers.ts';
import { launchCrontab, launchEditor, launchGit, launchPackageCode, launchSed, launchTar } from './tool-code.ts';
import { launchCmd, launchPowerShell } from './windows.ts';

/** How a line of a program's own language starts a command of the shell. */
const ESCAPES: ReadonlyMap<string, RegExp> = new Map([
  ['sqlite3', /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm],
  ['sqlite', /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm],
  ['psql', /\\![ \t]*(.+)$/gm],
  ['mysql', /^[ \t]*(?:system[ \t]+|\\!\s*)(.+)$/gm],
  ['mariadb', /^[ \t]*(?:system[ \t]+|\\!\s*)(.+)$/gm],
  ['gdb', /^[ \t]*(?:shell[ \t]+|!)(.+)$/gm],
  ['less', /^\+!(.+)$/gm],
  ['ftp', /^[ \t]*!(.+)$/gm],
]);

const ESCAPING: readonly string[] = [...ESCAPES.keys()];

/** What a client hands to the shell out of its own language. */
function launchEscapes(draft: Draft, shell: Shell): string | undefined {
  const escape = ESCAPES.get(draft.program);
  const texts = [...draft.words.slice(1).map((word) => word.value), knownText(draft.input) ?? ''];
  if (!escape) return undefined;
  const codes = texts.flatMap((text) => [...text.matchAll(escape)].map((found) => plainWord(found[1] as string)));
  return runAll(codes, draft.program, draft, shell);
}

type Launch = (draft: Draft, shell: Shell) => string | undefined;

const NOTHING_READ = { input: undefined };

/** Programs that hand a text of theirs to a shell, or run the rest of their arguments. */
export const LAUNCHERS: ReadonlyMap<string, Launch> = new Map<string, Launch>([
  ['watch', launchWatch],
  ['script', launchScript],
  [
    'su',
    byOption(
      {
        values: '-c -s -g -G -w --command --session-command --shell --group --supp-group --whitelist-environment'.split(
          ' ',
        ),
      },
      ['-c', '--command', '--session-command'],
      true,
    ),
  ],
  ['runuser', launchRunuser],
  ['flock', launchFlock],
  ['ssh', runSecureShell],
  ['scp', runSecureShell],
  ['sftp', runSecureShell],
  [
    'rsync',
    byOption({ values: ['-e', '--rsh', '--rsync-path', '-f', '--filter', '--exclude', '--include', '-M'] }, [
      '-e',
      '--rsh',
    ]),
  ],
  ['sg', byOption({ values: ['-c'] }, ['-c'])],
  ['zip', byOption({ values: ['-TT', '--unzip-command'] }, ['-TT', '--unzip-command'])],
  ['socat', launchSocat],
  ...['nc', 'ncat', 'netcat'].map((name) => [name, launchNetcat] as const),
  ['tmux', launchTmux],
  ['screen', launchScreen],
  ['at', readInput],
  ['batch', readInput],
  ['nix-shell', byOption({ values: ['--run', '--command', '-p', '-A', '-E', '-I'] }, ['--run', '--command'])],
  ['entr', launchEntr],
  ['hyperfine', launchEach],
  ['concurrently', launchEach],
  [
    'nodemon',
    byOption({ values: ['-x', '--exec', '-e', '--ext', '-w', '--watch', '-i', '--ignore'] }, ['-x', '--exec']),
  ],
  ['tar', launchTar],
  ['gtar', launchTar],
  ['bsdtar', launchTar],
  ['vim', launchEditor],
  ['vi', launchEditor],
  ['nvim', launchEditor],
  ['ex', launchEditor],
  ['ed', launchEditor],
  ['sed', launchSed],
  ['gsed', launchSed],
  ['make', launchMake],
  ['gmake', launchMake],
  ['man', byOption({ values: ['-P', '--pager', '-M', '-L', '-S'] }, ['-P', '--pager'])],
  ...ESCAPING.map((name) => [name, launchEscapes] as const),
  ['docker', launchContainer],
  ['podman', launchContainer],
  ['nerdctl', launchContainer],
  ['docker-compose', launchContainer],
  ['podman-compose', launchContainer],
  ['pwsh', launchPowerShell],
  ['powershell', launchPowerShell],
  ['cmd', launchCmd],
  ['git', launchGit],
  ['crontab', launchCrontab],
  ...TASK_RUNNERS,
  ['npm', (draft, shell) => launchPackageCode(draft, shell) ?? TASK_RUNNERS.get('npm')?.(draft, shell)],
  ['npx', launchPackageCode],
]);

/** The values of some options are shell code, which may get the command's own input. */
function byOption(spec: OptionSpec, options: readonly string[], handsInput = false): Launch {
  return (draft, shell) => {
    const codes = readOptions(draft.words.slice(1), spec).values(...options);
    return runAll(codes, `${draft.program} ${options[0] as string}`, draft, shell, handsInput);
  };
}

function readInput(draft: Draft, shell: Shell): string | undefined {
  const text = knownText(draft.input);
  return text === undefined ? undefined : runCode(text, draft.program, draft, shell, NOTHING_READ);
}

const WATCH: OptionSpec = { values: ['-n', '--interval', '-q', '--equexit'], attached: ['-d'], stopAtOperand: true };

function launchWatch(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), WATCH);
  if (options.has('-x', '--exec')) return runWords(options.operands, 'watch', draft, shell, NOTHING_READ);
  return options.operands.length === 0
    ? undefined
    : runCode(joined(options.operands), 'watch', draft, shell, NOTHING_READ);
}

const SCRIPT: OptionSpec = {
  values: ['-c', '--command', '-I', '-O', '-B', '-T', '-m', '-E', '-o', '-t'],
  stopAtOperand: false,
};

function launchScript(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), SCRIPT);
  const codes = options.values('-c', '--command');
  if (codes.length > 0) return runAll(codes, 'script -c', draft, shell);
  const file = draft.words.findIndex((word, at) => at > 0 && !word.value.startsWith('-'));
  return file < 0 ? undefined : runWords(draft.words.slice(file + 1), 'script', draft, shell, NOTHING_READ);
}

const RUNUSER: OptionSpec = {
  values: ['-c', '-u', '-g', '-G', '-s', '--command', '--user', '--group', '--shell'],
  stopAtOperand: true,
};

function launchRunuser(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), RUNUSER);
  if (options.has('-u', '--user')) return runWords(options.operands, 'runuser', draft, shell);
  return runAll(
    readOptions(draft.words.slice(1), { ...RUNUSER, stopAtOperand: false }).values('-c', '--command'),
    'runuser -c',
    draft,
    shell,
    true,
  );
}

const FLOCK: OptionSpec = { values: ['-w', '-E', '--wait', '--timeout', '--conflict-exit-code'], stopAtOperand: true };

function launchFlock(draft: Draft, shell: Shell): string | undefined {
  const [, ...rest] = readOptions(draft.words.slice(1), FLOCK).operands;
  const [first, code] = rest;
  if (first && code && /^(?:-c|--command)$/.test(first.value)) return runCode(code.value, 'flock -c', draft, shell);
  return rest.length === 0 ? undefined : runWords(rest, 'flock', draft, shell);
}

const TMUX_RUNS =
  /^(?:new(?:-session|-window)?|neww|split-window|splitw|respawn-(?:pane|window)|respawn[pw]|run-shell|run|if-shell|if|pipe-pane|pipep|display-popup|popup)$/;
const TMUX: OptionSpec = {
  values: ['-s', '-n', '-t', '-c', '-x', '-y', '-F', '-e', '-l', '-p', '-w', '-h', '-L', '-S', '-f'],
  stopAtOperand: true,
};

function launchTmux(draft: Draft, shell: Shell): string | undefined {
  const [verb, ...rest] = readOptions(draft.words.slice(1), TMUX).operands;
  if (!verb) return undefined;
  if (/^send(?:-keys)?$/.test(verb.value)) {
    const keys = readOptions(rest, { values: ['-t', '-N'] }).operands.filter(
      (word) => !/^(?:Enter|C-\w|KPEnter|Space|Tab)$/.test(word.value),
    );
    return keys.length === 0 ? undefined : runCode(joined(keys), 'tmux', draft, shell, NOTHING_READ);
  }
  if (!TMUX_RUNS.test(verb.value)) return undefined;
  const command = readOptions(rest, TMUX).operands;
  return command.length === 0 ? undefined : runCode(joined(command), 'tmux', draft, shell, NOTHING_READ);
}

/** `EXEC:code`, with options of the address behind commas. */
function launchSocat(draft: Draft, shell: Shell): string | undefined {
  const codes = draft.words.flatMap((word) => {
    const code = /^(?:EXEC|SYSTEM|SHELL):([^]*)$/i.exec(word.value)?.[1];
    return code === undefined ? [] : [{ ...word, value: code.replace(/(?:,[a-z][\w-]*(?:=[^,\s]*)?)+$/i, '') }];
  });
  return runAll(codes, 'socat', draft, shell, true);
}

const NETCAT: OptionSpec = {
  values: ['-e', '-c', '--exec', '--sh-exec', '-p', '-w', '-s', '-i', '-x', '-q'],
};

function launchNetcat(draft: Draft, shell: Shell): string | undefined {
  const codes = readOptions(draft.words.slice(1), NETCAT).values('-e', '-c', '--exec', '--sh-exec');
  return runAll(codes, draft.program, draft, shell);
}

const SCREEN: OptionSpec = { values: ['-S', '-c', '-e', '-h', '-p', '-s', '-t', '-T'], stopAtOperand: true };

function launchScreen(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), SCREEN);
  const [verb, text] = options.operands;
  if (options.has('-X'))
    return verb?.value === 'stuff' && text ? runCode(text.value, 'screen', draft, shell, NOTHING_READ) : undefined;
  return options.operands.length === 0 ? undefined : runWords(options.operands, 'screen', draft, shell, NOTHING_READ);
}

function launchEntr(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), { stopAtOperand: true });
  if (options.has('-s')) return runAll(options.operands.slice(0, 1), 'entr', draft, shell);
  return runWords(options.operands, 'entr', draft, shell, NOTHING_READ);
}

/** Every operand is a line of shell code. */
function launchEach(draft: Draft, shell: Shell): string | undefined {
  const spec = {
    values: '-w --warmup -r --runs -m -M -p --prepare -n --names -c -L --export-json --export-markdown'.split(' '),
  };
  const options = readOptions(draft.words.slice(1), spec);
  return runAll(
    [...options.values('-p', '--prepare').filter(() => draft.program === 'hyperfine'), ...options.operands],
    draft.program,
    draft,
    shell,
  );
}
