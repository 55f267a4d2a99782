import type { CliWorld } from '../../../cli/command.ts';
import { shown } from '../../../cli/known-rules.ts';
import { counted } from '../../../cli/table.ts';
import { inspectInstall } from '../../../cli/install/inspect.ts';

/** A command that runs a hook of ctx, wherever in it; or the plugin that brings them all. */
const RUNS_CTX = /(?:^|[\s;&|('"/])ctx(?:\.exe)?\s+(?:system|agent)\b|^ctx@/;

/** Settings files that still have the agent call ctx, and how: beside the pack, all that both know is said twice. */
export function ctxHooks(root: string, world: CliWorld): readonly { readonly file: string; readonly what: string }[] {
  return inspectInstall(root, world).flatMap(({ path, others }) => {
    const calls = others.filter((each) => RUNS_CTX.test(each));
    const plugin = calls.find((each) => each.startsWith('ctx@'));
    const hooks = calls.filter((each) => !each.startsWith('ctx@')).length;
    const what = [
      ...(hooks > 0 ? [counted(hooks, 'hook')] : []),
      ...(plugin === undefined ? [] : [`the plugin ${plugin}`]),
    ];
    return what.length === 0 ? [] : [{ file: shown(world, path), what: what.join(' and ') }];
  });
}
