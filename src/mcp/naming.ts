import { contains, relative, resolve, sep } from '../platform/paths.ts';
import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';

export function namingOf(call: Call): { symbol: string; file: string | undefined; pickBest: boolean } {
  const { given } = call;
  const symbol = (given.text('symbol') ?? given.text('query') ?? '').trim();
  if (symbol === '')
    throw new Refusal(
      `${given.action} wants the argument symbol: a key as answers show it, path:line, a qualified name or a name`,
    );
  return { symbol, file: pathBelow(given.text('file'), call), pickBest: given.text('pick') === 'best' };
}

/** Models name files as they see them, absolute or from where they are. */
export function pathBelow(given: string | undefined, { root: { path: root }, world }: Call): string | undefined {
  if (given === undefined) return undefined;
  for (const from of [root, world.cwd()]) {
    const path = world.files.realpath(resolve(from, given));
    if (path !== undefined && contains(root, path)) return relative(root, path).split(sep).join('/');
  }
  return given;
}
