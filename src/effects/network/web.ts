import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { baseName, hostOf, nameInUrl } from './hosts.ts';
import { CREDENTIAL_HEADER, readCurl, within } from './curl.ts';
import type { ReadTransfer, Transfer } from './transfer.ts';

const WGET: OptionSpec = {
  values: [
    ...['-a', '-A', '-B', '-D', '-e', '-i', '-I', '-l', '-o', '-O', '-P', '-Q', '-R', '-t', '-T', '-U', '-w', '-X'],
    ...['--accept', '--accept-regex', '--append-output', '--base', '--bind-address', '--body-data', '--body-file'],
    ...['--ca-certificate', '--ca-directory', '--certificate', '--certificate-type', '--ciphers', '--config'],
    ...['--connect-timeout', '--crl-file', '--cut-dirs', '--default-page', '--directory-prefix', '--dns-timeout'],
    ...['--domains', '--exclude-directories', '--exclude-domains', '--execute', '--follow-tags', '--ftp-password'],
    ...['--ftp-user', '--header', '--http-password', '--http-user', '--ignore-tags', '--include-directories'],
    ...['--input-file', '--level', '--limit-rate', '--load-cookies', '--local-encoding', '--max-redirect', '--method'],
    ...['--output-document', '--output-file', '--password', '--pinnedpubkey', '--post-data', '--post-file'],
    ...['--prefer-family', '--private-key', '--progress', '--proxy-password', '--proxy-user', '--quota'],
    ...['--random-file', '--read-timeout', '--referer', '--regex-type', '--reject', '--reject-regex'],
    ...['--rejected-log', '--remote-encoding', '--report-speed', '--restrict-file-names', '--save-cookies'],
    ...['--secure-protocol', '--start-pos', '--timeout', '--tries', '--use-askpass', '--user', '--user-agent'],
    ...['--wait', '--waitretry', '--warc-file'],
  ],
  flags: ['--spider', '--help', '--version', '--recursive', '--mirror', '--output-format', '--password-prompt'],
};

const readWget: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), WGET);
  if (options.has('--help', '-h', '--version', '-V')) return undefined;
  const urls = options.operands;
  const files = options.values('--post-file', '--body-file');
  const transfer: Transfer = {
    host: hostOf(urls[0]?.value ?? ''),
    files: files.filter((word) => !isInput(word)),
    texts: options.values('--post-data', '--body-data'),
    seen: [...options.values('-U', '--user-agent', '--referer'), ...urls].concat(
      options.values('--header').filter((word) => !CREDENTIAL_HEADER.test(word.value)),
    ),
    takesInput: files.some(isInput),
  };
  if (options.has('--spider')) return transfer;
  const output = options.values('-O', '--output-document').at(-1);
  if (output) return isOutput(output) ? { ...transfer, brings: true } : { ...transfer, saves: [output] };
  if (options.has('-r', '--recursive', '-m', '--mirror')) return transfer;
  const dir = options.values('-P', '--directory-prefix').at(-1);
  const saves = urls.flatMap((url) => nameInUrl(url.value, 'index.html') ?? []).map((name) => within(dir, name));
  return { ...transfer, saves };
};

function isInput({ value }: ShellWord): boolean {
  return value === '-' || value === '/dev/stdin' || value === '/dev/fd/0';
}

function isOutput({ value }: ShellWord): boolean {
  return value === '-' || value === '/dev/stdout' || value === '/dev/fd/1';
}

const HTTPIE: OptionSpec = {
  values: [
    ...['-a', '-A', '-o', '-p', '-P', '-s', '--auth', '--auth-type', '--bearer', '--boundary', '--cert', '--cert-key'],
    ...['--ciphers', '--default-scheme', '--format-options', '--history-print', '--max-headers', '--max-redirects'],
    ...['--output', '--pretty', '--print', '--proxy', '--raw', '--response-charset', '--response-mime', '--session'],
    ...['--session-read-only', '--ssl', '--style', '--timeout', '--verify'],
  ],
  flags: ['--download', '--help', '--version', '--ignore-stdin', '--offline', '--headers'],
};

const METHOD = /^[A-Z]+$/;
/** An item of a request: a name, one of the marks, and a value. */
const ITEM = /^[^:=@\s]*(==|:=@|:=|=@|=|@|:)/;

const readHttpie: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), HTTPIE);
  if (options.has('--help', '--version', '--offline')) return undefined;
  const [first, ...rest] = options.operands;
  const items = first && METHOD.test(first.value) ? rest : options.operands;
  const [url, ...parts] = items;
  const files: ShellWord[] = [];
  const texts: ShellWord[] = [...options.values('--raw')];
  for (const part of parts) {
    const mark = ITEM.exec(part.value);
    if (mark?.[1]?.endsWith('@') === true) files.push({ ...part, value: part.value.slice(mark[0].length) });
    else if (mark?.[1] !== ':' || !CREDENTIAL_HEADER.test(part.value)) texts.push(part);
  }
  const output = options.values('-o', '--output').at(-1);
  const downloads = options.has('-d', '--download');
  const name = output ?? (downloads ? nameInUrl(url?.value ?? '', 'index.html') : undefined);
  return {
    host: hostOf(url?.value ?? ''),
    brings: name === undefined && !downloads && !options.has('-h', '--headers'),
    saves: name === undefined ? [] : [name],
    files,
    texts,
    seen: url ? [url] : [],
    takesInput: !options.has('-I', '--ignore-stdin'),
  };
};

const ARIA: OptionSpec = {
  values: '-o -d -i -j -s -x -k -l -t -m -T --out --dir --input-file --header --user-agent --referer'.split(' '),
};

const readAria: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), ARIA);
  const dir = options.values('-d', '--dir').at(-1);
  const out = options.values('-o', '--out').at(-1);
  const url = options.operands[0];
  if (!url || options.has('--help', '-h', '--version', '-v')) return undefined;
  const name = out ?? nameInUrl(url.value);
  return { host: hostOf(url.value), saves: name === undefined ? [] : [within(dir, name)], seen: options.operands };
};

/** Browsers and fetchers of text terminals that print the page. */
const readPrinter: ReadTransfer = ({ words }) => {
  const url = words
    .slice(1)
    .find(({ value }) => value.includes('://') || (!value.startsWith('-') && value.includes('.')));
  return url && { host: hostOf(url.value), brings: true, seen: [url] };
};

/** What opens an address in a browser shows it to whoever is there. */
const readOpener: ReadTransfer = ({ words }) => {
  const url = words.slice(1).find(({ value }) => value.includes('://'));
  return url && { host: hostOf(url.value), seen: [url] };
};

const readWebSocket: ReadTransfer = ({ words }) => {
  const url = words.slice(1).find(({ value }) => value.startsWith('ws'));
  return url && { host: hostOf(url.value), brings: true, takesInput: true };
};

/** BSD's `fetch`, `axel`, and the like: to standard output or to a file named by the URL. */
const readFetch: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), { values: ['-o', '-n', '-T', '-w', '-S', '--output'] });
  const url = options.operands[0];
  if (!url) return undefined;
  const output = options.values('-o', '--output').at(-1);
  if (output && isOutput(output)) return { host: hostOf(url.value), brings: true };
  const name = output ?? baseName(url.value);
  return { host: hostOf(url.value), saves: typeof name === 'string' && name.includes(UNKNOWN) ? [] : [name] };
};

export const WEB_TRANSFERS: Readonly<Record<string, (command: ShellCommand) => Transfer | undefined>> = {
  curl: readCurl,
  'curl.exe': readCurl,
  curlie: readCurl,
  wget: readWget,
  wget2: readWget,
  http: readHttpie,
  https: readHttpie,
  xh: readHttpie,
  xhs: readHttpie,
  aria2c: readAria,
  fetch: readFetch,
  axel: readFetch,
  lynx: readPrinter,
  w3m: readPrinter,
  links: readPrinter,
  elinks: readPrinter,
  'lwp-request': readPrinter,
  open: readOpener,
  'xdg-open': readOpener,
  websocat: readWebSocket,
  wscat: readWebSocket,
};
