import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { UNKNOWN } from '../shell/command.ts';
import type { OptionSpec, Options } from '../shell/options.ts';
import { readOptions } from '../shell/options.ts';
import { baseName, hostOf, nameInUrl } from './hosts.ts';
import type { ReadTransfer, Transfer } from './transfers.ts';

const CURL: OptionSpec = {
  values: [
    ...['-A', '-b', '-c', '-C', '-d', '-D', '-e', '-E', '-F', '-H', '-K', '-m', '-o', '-P', '-Q', '-r', '-t', '-T'],
    ...['-u', '-U', '-w', '-x', '-X', '-y', '-Y', '-z', '--abstract-unix-socket', '--alt-svc', '--aws-sigv4'],
    ...['--cacert', '--capath', '--cert', '--cert-type', '--ciphers', '--config', '--connect-timeout', '--connect-to'],
    ...['--continue-at', '--cookie', '--cookie-jar', '--create-file-mode', '--crlfile', '--curves', '--data'],
    ...['--data-ascii', '--data-binary', '--data-raw', '--data-urlencode', '--delegation', '--dns-interface'],
    ...['--dns-ipv4-addr', '--dns-ipv6-addr', '--dns-servers', '--doh-url', '--dump-header', '--ech', '--egd-file'],
    ...['--engine', '--etag-compare', '--etag-save', '--expect100-timeout', '--form', '--form-string'],
    ...['--ftp-account', '--ftp-alternative-to-user', '--ftp-method', '--ftp-port', '--ftp-ssl-ccc-mode'],
    ...['--happy-eyeballs-timeout-ms', '--header', '--hostpubmd5', '--hostpubsha256', '--hsts', '--interface'],
    ...['--ip-tos', '--ipfs-gateway', '--json', '--keepalive-time', '--key', '--key-type', '--krb', '--libcurl'],
    ...['--limit-rate', '--local-port', '--login-options', '--mail-auth', '--mail-from', '--mail-rcpt'],
    ...['--max-filesize', '--max-redirs', '--max-time', '--netrc-file', '--noproxy', '--oauth2-bearer', '--output'],
    ...['--output-dir', '--parallel-max', '--pass', '--pinnedpubkey', '--preproxy', '--proto', '--proto-default'],
    ...['--proto-redir', '--proxy', '--proxy-cacert', '--proxy-cert', '--proxy-header', '--proxy-key', '--proxy-pass'],
    ...['--proxy-user', '--proxy1.0', '--pubkey', '--quote', '--random-file', '--range', '--rate', '--referer'],
    ...['--request', '--request-target', '--resolve', '--retry', '--retry-delay', '--retry-max-time', '--sasl-authzid'],
    ...['--service-name', '--socks4', '--socks4a', '--socks5', '--socks5-hostname', '--speed-limit', '--speed-time'],
    ...['--stderr', '--telnet-option', '--tftp-blksize', '--time-cond', '--tls-max', '--tls13-ciphers', '--tlsuser'],
    ...['--tlspassword', '--trace', '--trace-ascii', '--trace-config', '--unix-socket', '--upload-file', '--url'],
    ...['--url-query', '--user', '--user-agent', '--variable', '--vlan-priority', '--write-out'],
  ],
  flags: [
    '--remote-name',
    '--remote-name-all',
    '--remote-header-name',
    '--head',
    '--help',
    '--version',
    '--manual',
    '--get',
  ],
};

const readCurl: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), CURL);
  if (options.has('--help', '-h', '--version', '-V', '--manual', '-M')) return undefined;
  const urls = [...options.operands, ...options.values('--url')];
  const { files, texts, seen, input } = curlSends(options);
  const saves = curlSaves(options, urls);
  const unixSocket = options.has('--unix-socket', '--abstract-unix-socket');
  return {
    host: unixSocket ? 'localhost' : hostOf(urls[0]?.value ?? ''),
    brings: saves === undefined && !options.has('-I', '--head') && !urls.every(isLocalUrl),
    saves: urls.every(isLocalUrl) ? [] : (saves ?? []),
    files,
    texts,
    seen: [...seen, ...urls],
    takesInput: input || urls.some(({ value }) => value.startsWith('telnet:')),
  };
};

function isLocalUrl({ value }: ShellWord): boolean {
  return value.startsWith('file:');
}

/** Undefined when what comes goes to standard output. */
function curlSaves(options: Options, urls: readonly ShellWord[]): (ShellWord | string)[] | undefined {
  const outputs = options.values('-o', '--output');
  const dir = options.values('--output-dir').at(-1);
  const named = options.has('-O', '--remote-name', '--remote-name-all');
  if (outputs.length === 0 && !named) return undefined;
  const saves: (ShellWord | string)[] = [];
  for (const output of outputs) {
    if (output.value === '-' || output.value === '/dev/stdout') return undefined;
    saves.push(within(dir, output));
  }
  // With -J the server chooses the name.
  if (named && !options.has('-J', '--remote-header-name')) {
    for (const url of urls) {
      const name = nameInUrl(url.value);
      if (name !== undefined) saves.push(within(dir, name));
    }
  }
  return saves;
}

function within(dir: ShellWord | undefined, name: ShellWord | string): ShellWord | string {
  if (dir === undefined) return name;
  return `${dir.value}/${typeof name === 'string' ? name : name.value}`;
}

/** Headers whose purpose is to carry a credential to the service it belongs to. */
const CREDENTIAL_HEADER = /^(?:proxy-)?authorization:|^cookie:|^[\w-]*(?:token|key|secret|auth)[\w-]*:/i;

function curlSends(options: Options): { files: ShellWord[]; texts: ShellWord[]; seen: ShellWord[]; input: boolean } {
  const files: ShellWord[] = [];
  const texts = [...options.values('--data-raw', '--form-string')];
  const seen = [...options.values('-A', '--user-agent', '-b', '--cookie', '-e', '--referer', '--variable')];
  let input = false;
  const sendFile = (word: ShellWord, value: string) => {
    if (value === '-' || value === '.' || value === '/dev/stdin') input = true;
    else files.push({ ...word, value, text: word.text.includes('{}') ? '{}' : word.text });
  };
  for (const word of options.values('-d', '--data', '--data-ascii', '--data-binary', '--json', '--url-query')) {
    if (word.value.startsWith('@')) sendFile(word, word.value.slice(1));
    else texts.push(word);
  }
  for (const word of options.values('--data-urlencode')) {
    const at = word.value.indexOf('@');
    if (at >= 0 && !word.value.slice(0, at).includes('=')) sendFile(word, word.value.slice(at + 1));
    else texts.push(word);
  }
  for (const word of options.values('-F', '--form')) {
    const part = word.value.slice(word.value.indexOf('=') + 1);
    if (!/^[@<]/.test(part)) texts.push(word);
    else for (const name of (part.slice(1).split(';', 1)[0] as string).split(',')) sendFile(word, unquote(name));
  }
  for (const word of options.values('-T', '--upload-file')) {
    const several = /^\{(.*)\}$/.exec(word.value)?.[1];
    for (const name of several?.split(',') ?? [word.value]) sendFile(word, name);
  }
  for (const word of options.values('-H', '--header')) {
    if (word.value.startsWith('@')) sendFile(word, word.value.slice(1));
    else if (!CREDENTIAL_HEADER.test(word.value)) seen.push(word);
  }
  return { files, texts, seen, input };
}

function unquote(name: string): string {
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}

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
  values: [
    '-o',
    '-d',
    '-i',
    '-j',
    '-s',
    '-x',
    '-k',
    '-l',
    '-t',
    '-m',
    '-T',
    '--out',
    '--dir',
    '--input-file',
    '--header',
    '--user-agent',
    '--referer',
  ],
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
