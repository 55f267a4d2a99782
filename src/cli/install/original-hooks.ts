import { PACKS } from '../../event/packs.generated.ts';
import type { CliWorld } from '../command.ts';
import { shown } from '../known-rules.ts';
import { counted } from '../table.ts';
import type { Wiring } from './inspect.ts';

/** Hooks of a program that a pack was made after: beside the pack they do the same once more. */
export interface OriginalHooks {
  readonly pack: string;
  readonly program: string;
  readonly file: string;
  readonly what: string;
  /** What comes of both. */
  readonly both: string;
}

/** An extension is named with the place that it is from: `ctx@activememory-ctx`. */
const PLUGIN = /^[\w.-]+@[\w.-]+$/;

export function originalHooks(wirings: readonly Wiring[], world: CliWorld): readonly OriginalHooks[] {
  return wirings.flatMap(({ path, others }) =>
    Object.entries(PACKS).flatMap(([pack, { original }]) => {
      if (!original) return [];
      const { program, calls, both } = original;
      const found = others.filter((each) => new RegExp(calls, 'i').test(each));
      const plugins = found.filter((each) => PLUGIN.test(each));
      const hooks = found.length - plugins.length;
      const what = [
        ...(hooks > 0 ? [counted(hooks, 'hook')] : []),
        ...plugins.map((plugin) => `the plugin ${plugin}`),
      ].join(' and ');
      return what === '' ? [] : [{ pack, program, file: shown(world, path), what, both }];
    }),
  );
}
