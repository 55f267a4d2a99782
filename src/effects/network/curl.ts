import type { ShellWord } from '../../shell/command.ts';
import type { OptionSpec, Options } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { hostOf, nameInUrl } from './hosts.ts';
import type { ReadTransfer } from './transfer.ts';

export const CURL: OptionSpec = {
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
  flags: '--remote-name --remote-name-all --remote-header-name --head --help --version --manual --get'.split(' '),
};

export const readCurl: ReadTransfer = ({ words }) => {
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

export function within(dir: ShellWord | undefined, name: ShellWord | string): ShellWord | string {
  if (dir === undefined) return name;
  return `${dir.value}/${typeof name === 'string' ? name : name.value}`;
}

/** Headers whose purpose is to carry a credential to the service it belongs to. */
export const CREDENTIAL_HEADER = /^(?:proxy-)?authorization:|^cookie:|^[\w-]*(?:token|key|secret|auth)[\w-]*:/i;

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
