import { UNKNOWN } from '../../shell/command.ts';

/** The host that a URL or an address such as `user@host:path` names; empty when it cannot be told. */
export function hostOf(address: string): string {
  const scheme = address.indexOf('://');
  let rest = scheme < 0 ? address : address.slice(scheme + 3);
  const slash = rest.search(/[/?#]/);
  if (slash >= 0) rest = rest.slice(0, slash);
  rest = rest.slice(rest.lastIndexOf('@') + 1);
  if (rest.startsWith('[')) rest = rest.slice(1, rest.indexOf(']'));
  else if (rest.includes(':')) rest = rest.slice(0, rest.indexOf(':'));
  return rest.includes(UNKNOWN) ? '' : rest.toLowerCase();
}

const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '::1', '0.0.0.0', '0', 'host.docker.internal']);

/** What is sent there stays on this machine. */
export function isOwnHost(host: string): boolean {
  return OWN_NAMES.has(host) || host.startsWith('127.') || host.endsWith('.localhost');
}

const DRIVE = /^[A-Z]:[\\/]/;

/** `host:path` as `scp` and `rsync` understand it; a colon after a slash belongs to a path. */
export function isRemotePath(value: string): boolean {
  if (value.includes('://')) return !value.startsWith('file:');
  const colon = value.indexOf(':');
  const slash = value.indexOf('/');
  return colon > 0 && (slash < 0 || colon < slash) && !DRIVE.test(value);
}

export function baseName(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** The name that a download gets when none is given; undefined when the URL does not tell. */
export function nameInUrl(url: string, otherwise?: string): string | undefined {
  const scheme = url.indexOf('://');
  const rest = (scheme < 0 ? url : url.slice(scheme + 3)).split(/[?#]/, 1)[0] as string;
  const slash = rest.indexOf('/');
  const name = slash < 0 ? '' : rest.slice(rest.lastIndexOf('/') + 1);
  if (name.includes(UNKNOWN)) return undefined;
  return name === '' ? otherwise : name;
}

/** Where a machine of a cloud gets its credentials from. */
const METADATA: ReadonlySet<string> = new Set([
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '192.0.0.192'],
  ...['fd00:ec2::254', 'fd00:ec2::23', 'metadata.google.internal', 'metadata', 'metadata.tencentyun.com'],
]);

/** However its number is written: `0xa9fea9fe` is an address too. */
export function isMetadata(host: string): boolean {
  if (METADATA.has(host)) return true;
  if (!/^(?:0x[\da-f]+|\d+)(?:\.|$)/.test(host) || !URL.canParse(`http://${host}`)) return false;
  return METADATA.has(new URL(`http://${host}`).hostname);
}
