import type { Effect } from '../../event/effect.ts';
import type { ToolCall } from '../../event/event.ts';
import { quote } from '../../shell/quote.ts';
import { hostOf, isMetadata, isOwnHost } from '../network/hosts.ts';
import { METADATA } from '../network/programs.ts';
import { carriesKey } from '../words/secret-shapes.ts';
import { textsIn } from './names.ts';

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
