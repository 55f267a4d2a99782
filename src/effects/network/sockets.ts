import type { ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { hostOf } from './hosts.ts';
import { literalWord } from './copies.ts';
import type { ReadTransfer, Transfer } from './transfer.ts';

const SHELLS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh', 'rbash', 'busybox'],
  ...['python', 'python3', 'perl', 'ruby', 'node', 'php', 'pwsh', 'powershell', 'cmd.exe', 'cmd', 'powershell.exe'],
]);

/** The text of a command starts a shell or an interpreter. */
function startsShell(text: string): boolean {
  return wordsIn(text).some((word) => SHELLS.has(word.slice(word.lastIndexOf('/') + 1).toLowerCase()));
}

/** The words of a command given as one text, roughly: quotes and backslashes only keep words together. */
function wordsIn(text: string): string[] {
  return text
    .replaceAll('\\', '')
    .split(/["'\s,]+/)
    .filter((word) => word !== '');
}

const NC: OptionSpec = {
  values: [
    ...['-c', '-e', '-g', '-G', '-i', '-I', '-m', '-O', '-p', '-q', '-s', '-T', '-V', '-w', '-x', '-X', '-o'],
    ...['--exec', '--sh-exec', '--lua-exec', '--source', '--source-port', '--wait', '--delay', '--idle-timeout'],
    ...['--proxy', '--proxy-type', '--proxy-auth', '--max-conns', '--output', '--hex-dump', '--allow', '--deny'],
  ],
  flags: '--listen --ssl --udp --keep-open --send-only --recv-only --help --version --unixsock'.split(' '),
};

const readNc: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), NC);
  if (options.has('-h', '--help', '--version', '-z', '-U', '--unixsock')) return undefined;
  const host = options.has('-l', '--listen') ? '' : hostOf(options.operands[0]?.value ?? '');
  const started = options.values('-e', '-c', '--exec', '--sh-exec', '--lua-exec');
  if (started.some(({ value }) => startsShell(value))) return { host, serves: true };
  const files = started.flatMap(({ value }) => wordsIn(value).slice(1)).map(literalWord);
  if (started.length > 0 && options.operands.length > 1) return { host, files };
  return { host, brings: !options.has('--send-only'), takesInput: !options.has('--recv-only', '-d') };
};

const NET = /^(?:TCP|UDP|OPENSSL|SSL|DTLS|SCTP|DCCP|VSOCK|SOCKS|PROXY|IP)[46A-Z-]*$/;

const readSocat: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), {
    values: ['-t', '-T', '-b', '-L', '-W', '-lf', '-lp', '-r', '-R', '-S', '-ls'],
  });
  const addresses = words
    .slice(1)
    .map(({ value }) => value)
    .filter((value) => value === '-' || !value.startsWith('-'))
    .flatMap((value) => value.split('!!'));
  if (options.has('-h', '-V')) return undefined;
  let host: string | undefined;
  let transfer: Transfer = {};
  for (const address of addresses) {
    const colon = address.indexOf(':');
    const type = (colon < 0 ? address : address.slice(0, colon)).toUpperCase();
    const rest = colon < 0 ? '' : address.slice(colon + 1);
    if (NET.test(type)) host = type.includes('LISTEN') || type.includes('RECV') ? '' : hostOf(rest);
    else if (type === 'SHELL') transfer = { ...transfer, serves: true };
    else if (type === 'EXEC' || type === 'SYSTEM') {
      const files = wordsIn(rest).slice(1).map(literalWord);
      transfer = startsShell(rest) ? { ...transfer, serves: true } : { ...transfer, files, recursive: true };
    } else if (type === 'OPEN' || type === 'FILE' || type === 'GOPEN') {
      transfer = { ...transfer, files: [literalWord(rest.split(',', 1)[0] as string)] };
    } else if (type === '-' || type === 'STDIO' || type === 'STDIN' || type === 'STDOUT' || type === 'FD') {
      transfer = { ...transfer, brings: type !== 'STDIN', takesInput: type !== 'STDOUT' };
    }
  }
  return host === undefined ? undefined : { ...transfer, host };
};

const SSH: OptionSpec = {
  values: '-b -B -c -D -e -E -F -I -i -J -l -L -m -o -O -p -P -Q -R -S -w -W'.split(' '),
  stopAtOperand: true,
};

const readSsh: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), SSH);
  const [host, ...command] = options.operands;
  if (!host || options.has('-V', '-G', '-Q', '-N', '--help')) return undefined;
  return { host: hostOf(host.value), brings: true, seen: command, takesInput: !options.has('-n', '-f') };
};

const readTelnet: ReadTransfer = ({ words }) => {
  const host = words.slice(1).find(({ value }) => !value.startsWith('-'));
  return host && { host: hostOf(host.value), brings: true, takesInput: true };
};

const readOpenssl: ReadTransfer = ({ words }) => {
  if (words[1]?.value !== 's_client') return undefined;
  const at = words.findIndex(({ value }) => value === '-connect' || value === '-host');
  return { host: hostOf(words[at + 1]?.value ?? ''), brings: true, takesInput: true };
};

/** Questions to name servers carry what is in the name; answers may carry code. */
const readLookup: ReadTransfer = ({ words }) => {
  const names = words.slice(1).filter(({ value }) => !/^[-+]/.test(value));
  return { host: serverOf(names), brings: true, seen: names };
};

function serverOf(names: readonly ShellWord[]): string {
  const server = names.find(({ value }) => value.startsWith('@'));
  return hostOf(server?.value.slice(1) ?? names.find(({ value }) => value.includes('.'))?.value ?? '');
}

const readPing: ReadTransfer = ({ words }) => ({ seen: words.slice(1) });

/** Terminals in a browser. */
const readTerminal: ReadTransfer = ({ words }) =>
  words.slice(1).some(({ value }) => startsShell(value)) ? { serves: true } : undefined;

export const SOCKET_TRANSFERS: Readonly<Record<string, ReadTransfer>> = {
  nc: readNc,
  ncat: readNc,
  netcat: readNc,
  'nc.traditional': readNc,
  'nc.openbsd': readNc,
  socat: readSocat,
  ssh: readSsh,
  telnet: readTelnet,
  openssl: readOpenssl,
  dig: readLookup,
  nslookup: readLookup,
  host: readLookup,
  drill: readLookup,
  ping: readPing,
  ttyd: readTerminal,
  gotty: readTerminal,
};
