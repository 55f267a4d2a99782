import type { Effect } from '../../event/effect.ts';
import type { ToolCall } from '../../event/event.ts';
import { quote } from '../../shell/quote.ts';
import { hostOf, isMetadata, isOwnHost } from '../network/hosts.ts';
import { METADATA } from '../network/programs.ts';
import { textsIn } from './names.ts';

/** Keys that are known by their shape. The number of an account is none, but goes with one. */
const KEY =
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\b(?:gh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20}|glpat-[\w-]{20}|xox[abeoprs]-[\w-]{10}|npm_[A-Za-z0-9]{30}|hf_[A-Za-z0-9]{30}|dop_v1_[a-f0-9]{60})|\bsk[-_](?:[a-z]{2,10}[-_])?[A-Za-z0-9_-]{20}|\bAGE-SECRET-KEY-1|-----BEGIN [A-Z ]{0,30}PRIVATE KEY|LS0tLS1CRUdJTi[\w+/%-]{0,40}FURSBLRV/;
/** Who signs an address names the key that it was signed with. */
const SIGNED = /[?&]X-(?:Amz|Goog)-Signature=/i;

/** An address that carries somebody's key. */
function carriesKey(address: string): boolean {
  return KEY.test(address.replaceAll(/%20|\+/g, ' ')) && !SIGNED.test(address);
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S/i;
const LONGEST = 65_536;

/** The addresses that a tool is given, under whatever name. */
export function addressesOf({ kind, query, input }: ToolCall): readonly string[] {
  if (kind === 'fetch') return query === undefined ? [] : [query];
  if (kind !== 'mcp' && kind !== 'other') return [];
  return textsIn(input).filter((text) => text.length <= LONGEST && ADDRESS.test(text) && !text.includes('\n'));
}

type About = Omit<Effect, 'seen' | 'road' | 'position'>;

/** What asking an address comes to: credentials of the machine that are read, or a key that leaves in it. */
export function aboutAddress(address: string): readonly About[] {
  const host = hostOf(address);
  if (isMetadata(host)) return [METADATA];
  const leaves = !isOwnHost(host) && !address.startsWith('file:') && carriesKey(address);
  return leaves ? [{ kind: 'send', how: 'address', of: 'secret', target: 'a key in the address', host }] : [];
}

/** An address with code of a shell in it, as the command that a shell would make of it. */
export function commandOfAddress(address: string): string | undefined {
  const at = address.search(/\$\(|`/);
  if (at < 0) return undefined;
  return `curl ${quote(address.slice(0, at))}"${address.slice(at).replaceAll('"', '')}"`;
}
