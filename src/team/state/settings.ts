import { isLoopback } from '../../platform/loopback.ts';
import type { RedisAddress } from '../../platform/redis.ts';

/** Where a team keeps the state that it shares. A person's own settings and the policy say so, never a project's. */
export interface TeamStateSettings {
  /** `redis://` or `rediss://`, one address or several of the same server or cluster. */
  readonly url: string;
  /** Teams with different names share nothing, also on one server. */
  readonly name?: string;
  /** Who works here, by the same name on all their machines; the account's name by default. */
  readonly person?: string;
  readonly user?: string;
  /** One line, in a file that is closed to others. */
  readonly passwordFile?: string;
  /** Certificates to trust, in place of the machine's. */
  readonly ca?: string;
  /** Says yes to plain text beyond this machine. */
  readonly insecure?: boolean;
}

export interface TeamPlace {
  readonly addresses: readonly RedisAddress[];
  readonly isTls: boolean;
  readonly database?: number;
}

const URL_FORM = /^(rediss?):\/\/([^/?#@\s]+)(?:\/(\d{0,5}))?$/;
const PORT = 6_379;
export const NAME_FORM = /^[A-Za-z0-9][\w.-]{0,63}$/;

export const teamName = ({ name = 'team' }: TeamStateSettings): string => name;

/** What an address says, or what is wrong with it. Its parts that may be secret are not repeated. */
export function readPlace({ url, insecure = false }: TeamStateSettings): TeamPlace | { readonly problem: string } {
  const [, scheme = '', hosts = '', database = ''] = URL_FORM.exec(url) ?? [];
  if (url.includes('@')) return { problem: 'the address has a user or a password; use user and passwordFile' };
  if (scheme === '') return { problem: 'expected redis://HOST:PORT or rediss://HOST:PORT, several with commas' };
  const addresses = hosts.split(',').map(readAddress);
  if (addresses.some((address) => address === undefined)) return { problem: 'expected HOST:PORT after redis://' };
  const found = addresses as RedisAddress[];
  const isTls = scheme === 'rediss';
  const isNear = found.every(({ host }) => isLoopback(host) || host === '::1');
  if (!isTls && !insecure && !isNear)
    return { problem: 'redis:// beyond this machine is plain text; use rediss://, or say insecure: true' };
  return { addresses: found, isTls, ...(Number(database) > 0 ? { database: Number(database) } : {}) };
}

function readAddress(text: string): RedisAddress | undefined {
  const [, long, short, port = String(PORT)] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = long ?? short;
  return host !== undefined && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : undefined;
}

/** As much of an address as anybody may see. */
export const placeText = (url: string): string => (url.includes('@') ? 'an address with a password' : url);
