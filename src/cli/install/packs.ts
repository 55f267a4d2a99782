import { BUILT_IN } from '../../packs/index.generated.ts';
import { UsageError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { editConfig, readConfigAt, userConfigPath } from '../user-config.ts';
import { readWhole, requireWritable } from './file-change.ts';
import type { FileChange } from './file-change.ts';

export const PACKS: readonly string[] = [...new Set(BUILT_IN.map(({ meta }) => meta.pack))];

/** The change of the user's settings that switches packs on; undefined when all of them are. */
export function planPacks(names: readonly string[], world: CliWorld): FileChange | undefined {
  const unknown = names.find((name) => !PACKS.includes(name));
  if (unknown !== undefined) throw new UsageError(`there is no pack "${unknown}"; there is ${PACKS.join(', ')}`);
  const path = userConfigPath(world.paths.config);
  const before = readWhole(path);
  const after = names.reduce((text, name) => enablePack(text, name, path), before ?? '');
  if (after === (before ?? '')) return undefined;
  requireWritable(path);
  return { path, ...(before === undefined ? {} : { before }), after, dirMode: 0o700 };
}

/** A pack may be set by a word (`off`, `advise`) or by a map; a word other than off already has it on. */
function enablePack(text: string, name: string, file: string): string {
  const set = readConfigAt(text, ['packs', name], file);
  if (typeof set === 'string' || typeof set === 'boolean') {
    return set === false || set === 'off' ? editConfig(text, { path: ['packs', name], value: true }, file) : text;
  }
  return editConfig(text, { path: ['packs', name, 'enabled'], value: true }, file);
}
