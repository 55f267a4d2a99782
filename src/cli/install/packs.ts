import { PACKS } from '../../event/packs.generated.ts';
import { UsageError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { editConfig, projectConfigPath, readConfigAt, userConfigPath } from '../user-config.ts';
import type { ConfigEdit } from '../user-config.ts';
import { readWhole, requireWritable } from './file-change.ts';
import type { FileChange } from './file-change.ts';

const NAMES = Object.keys(PACKS);

/** The change of settings that switches packs on, those of a project or the person's own; undefined when all of them are. */
export function planPacks(names: readonly string[], root: string | undefined, world: CliWorld): FileChange | undefined {
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new UsageError(`there is no pack "${unknown}"; there is ${NAMES.join(', ')}`);
  const path = root === undefined ? userConfigPath(world.paths.config) : projectConfigPath(root);
  const before = readWhole(path);
  const after = names.reduce(
    (text, name) => switchedPack(text, name, true, path).reduce((now, edit) => editConfig(now, edit, path), text),
    before ?? '',
  );
  if (after === (before ?? '')) return undefined;
  requireWritable(path);
  return { path, ...(before === undefined ? {} : { before }), after, dirMode: root === undefined ? 0o700 : 0o755 };
}

/** A pack may be set by a word (`off`, `advise`) or by a map; a word other than off already has it on. */
export function switchedPack(text: string, name: string, isOn: boolean, file: string): readonly ConfigEdit[] {
  const set = readConfigAt(text, ['packs', name], file);
  if (typeof set === 'object' && set !== null) return [{ path: ['packs', name, 'enabled'], value: isOn }];
  const isNow = set === undefined || set === null ? undefined : set !== false && set !== 'off';
  return isNow === isOn ? [] : [{ path: ['packs', name], value: isOn ? 'on' : 'off' }];
}
