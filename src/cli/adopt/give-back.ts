import { applyEdits } from '../../adapters/json-edit.ts';
import { readAdopted, writeAdopted } from '../../adopted/store.ts';
import type { AdoptedSet, TranslatedRule } from '../../adopted/store.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { CommandError } from '../command.ts';
import { writeAll } from '../install/confirm.ts';
import { readWhole, requireWritable } from '../install/file-change.ts';
import type { FileChange } from '../install/file-change.ts';
import { hashOf } from '../install/record.ts';
import { adoptingOf } from './adopting-of.ts';

/** One file as it will be again, and what is not kept any more then. */
export interface Return {
  readonly changes: readonly FileChange[];
  readonly sets: readonly AdoptedSet[];
  readonly rules: readonly TranslatedRule[];
  /** What comes back in another way than it went. */
  readonly remarks: readonly string[];
}

type World = { readonly paths: Pick<HomePaths, 'state'> };

const DIR_MODE = 0o755;

/** What was adopted from files that are asked for. */
export function planReturns(isAsked: (file: string) => boolean, { paths }: World): readonly Return[] {
  const { sets, rules } = readAdopted(nodeFiles, paths.state);
  const files = [...new Set(sets.map(({ file }) => file))].filter(isAsked);
  return [
    ...files.map((file) =>
      returnOf(
        file,
        sets.filter((set) => set.file === file),
      ),
    ),
    ...rules.filter(({ file }) => isAsked(canonicalPath(nodeFiles, file))).map(returnRule),
  ];
}

/** The last that was taken comes back first, so that each finds the text that it left. */
function returnOf(file: string, sets: readonly AdoptedSet[]): Return {
  const before = readWhole(file);
  if (before !== undefined) requireWritable(file);
  const remarks: string[] = [];
  const after = sets.toReversed().reduce((text, set) => {
    if (hashOf(text) === set.sha256) return applyEdits(text, set.undo);
    const back = adoptingOf(set.agent).adopting.giveBack(text, set);
    if (back === undefined)
      throw new CommandError(
        `${file} holds no JSON object, so its hooks cannot come back; repair it, and run this again`,
      );
    if (back !== text)
      remarks.push(
        `${file} was changed since: the hooks are back in it, at the end of their lists, and all else stays as it is`,
      );
    return back;
  }, before ?? '');
  const change = { path: file, ...(before === undefined ? {} : { before }), after, dirMode: DIR_MODE };
  return { changes: [change], sets, rules: [], remarks: [...new Set(remarks)] };
}

function returnRule(kept: TranslatedRule): Return {
  const { file, text, mode, rule, written, madeDirs } = kept;
  const [there, now] = [readWhole(file), readWhole(rule)];
  const remarks = [
    ...(there === undefined || there === text ? [] : [`${file} is there again, with another text, and stays`]),
    ...(now === undefined || now === written
      ? []
      : [`${rule} was changed since, and stays; delete it if ${file} shall act alone`]),
  ];
  const changes: FileChange[] = [
    ...(there === undefined ? [{ path: file, after: text, mode, dirMode: DIR_MODE }] : []),
    ...(now === written ? [{ path: rule, before: now, dirMode: DIR_MODE, emptyDirs: madeDirs }] : []),
  ];
  return { changes, sets: [], rules: [kept], remarks };
}

/** The files first: what is kept goes when all of it is back. */
export function carryOutReturn({ changes, sets, rules }: Return, { paths }: World): void {
  writeAll(changes, () => {});
  const kept = readAdopted(nodeFiles, paths.state);
  writeAdopted(nodeFiles, paths.state, {
    sets: kept.sets.filter(({ id }) => !sets.some((set) => set.id === id)),
    rules: kept.rules.filter(({ file }) => !rules.some((rule) => rule.file === file)),
  });
}
