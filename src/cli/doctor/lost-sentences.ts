import { digestsIn } from '../../instructions/propose.ts';
import { SAID } from '../../instructions/write-rule.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isAbsolute, join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import type { Finding } from './report.ts';

/** Rules that were made of sentences which their files do not have any more. */
export function lostSentences({ rules, root }: KnownRules, world: CliWorld): Finding[] {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const digestsOf = (file: string) => {
    if (!known.has(file)) {
      const text = nodeFiles.readText(isAbsolute(file) ? file : join(root, file));
      known.set(file, text === undefined ? undefined : digestsIn(text));
    }
    return known.get(file);
  };
  return rules.flatMap(({ meta: { id, from }, mode, source }): Finding[] => {
    if (!from || from.file === SAID || mode === 'off') return [];
    // A rule of the person's own holds in projects that have no such file.
    if (id.startsWith('user/') && !isAbsolute(from.file)) return [];
    const digests = digestsOf(from.file);
    if (digests?.has(from.digest) === true) return [];
    return [
      {
        level: 'note',
        what: `${id} has lost its sentence: ${digests ? `${from.file} no longer says` : `there is no ${from.file} any more, which said`} “${from.sentence}”`,
        why: `It goes on as it is, in mode ${mode}.`,
        next: `remove ${shown(world, source)}, then fairlead rules propose${digests ? ` ${from.file}` : ''} for the sentence as it is now; or fairlead rules mode ${id} off`,
      },
    ];
  });
}
