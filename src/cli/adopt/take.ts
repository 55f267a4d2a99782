import type { AdoptedHook, TakenSet } from '../../adapters/adopting.ts';
import { applyEdits, invertEdits } from '../../adapters/json-edit.ts';
import { readAdopted, writeAdopted } from '../../adopted/store.ts';
import type { Adopted, AdoptedSet, TranslatedRule } from '../../adopted/store.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { changeProject } from '../change-project.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { prepareClient } from '../install/client.ts';
import type { Client } from '../install/client.ts';
import { writeAll } from '../install/confirm.ts';
import { missingDirs, modeOf, readWhole, requireWritable } from '../install/file-change.ts';
import type { FileChange } from '../install/file-change.ts';
import { launchFor } from '../install/launcher.ts';
import { hashOf } from '../install/record.ts';
import { ownCopy, settlePlace } from '../install/settle-place.ts';
import { adoptingOf } from './adopting-of.ts';
import { setIdOf } from './found.ts';
import type { Found } from './found.ts';

const DIR_MODE = 0o755;

/** What adopting comes to: files, and what is kept of them. */
export interface Taking {
  readonly sets: readonly { readonly set: AdoptedSet; readonly change: FileChange }[];
  readonly rules: readonly { readonly kept: TranslatedRule; readonly changes: readonly FileChange[] }[];
}

export function planTaking(chosen: readonly Found[], isDryRun: boolean, world: CliWorld): Taking {
  const client = prepareClient({ root: ownCopy().root, state: world.paths.state }, world.env, isDryRun);
  const wrapped = chosen.filter(({ proposal }) => proposal === 'wrap');
  const files = [...new Set(wrapped.map(({ file }) => file))];
  return {
    sets: files.map((file) =>
      planSet(
        wrapped.filter((each) => each.file === file),
        client,
        world,
      ),
    ),
    rules: chosen.filter(({ proposal }) => proposal === 'translate').map(planRule),
  };
}

function planSet(rows: readonly Found[], client: Client, world: CliWorld): Taking['sets'][number] {
  const [{ file, agent, scope = 'local' } = { file: '', agent: '' }] = rows;
  const installer = adoptingOf(agent);
  const before = readWhole(file) ?? '';
  requireWritable(file);
  const hooks = rows.map(({ name, event, matcher, hook }): AdoptedHook => {
    return { name, event, ...(matcher === undefined ? {} : { matcher }), entry: hook?.entry ?? {} };
  });
  const taken: TakenSet = { id: setIdOf(file, before), hooks };
  const paths = new Set(rows.flatMap(({ hook }) => hook?.path ?? []));
  const launch = launchFor(scope, world.paths, client);
  const edits = installer.adopting.take(before, taken, paths, launch);
  const after = applyEdits(before, edits);
  const earlier = new Set(installer.read(before).problems.map(({ path }) => path));
  const problem = installer.read(after).problems.find(({ path }) => !earlier.has(path));
  if (problem || edits.length === 0)
    throw new CommandError(
      `${file} would become invalid: ${problem?.message ?? 'the hooks were not found'}; nothing was changed`,
    );
  const set = {
    ...taken,
    agent,
    file: canonicalPath(nodeFiles, file),
    takenAt: Date.now(),
    sha256: hashOf(after),
    undo: invertEdits(edits),
  };
  return { set, change: { path: file, before, after, dirMode: DIR_MODE } };
}

function planRule({ name, file, rule }: Found): Taking['rules'][number] {
  const text = readWhole(file) ?? '';
  const { path, text: written } = rule ?? { path: '', text: '' };
  const kept = { name, file, text, mode: modeOf(file) ?? 0o644, rule: path, written, madeDirs: missingDirs(path) };
  return {
    kept,
    changes: [
      { path, after: written, dirMode: DIR_MODE },
      { path: file, before: text, dirMode: DIR_MODE },
    ],
  };
}

export function changesOf({ sets, rules }: Taking): readonly FileChange[] {
  return [...sets.map(({ change }) => change), ...rules.flatMap(({ changes }) => changes)];
}

/** Returns the rules that wait for somebody to trust the project. */
export function carryOutTaking({ sets, rules }: Taking, root: string, world: CliWorld): readonly string[] {
  const { state } = world.paths;
  const client = prepareClient({ root: ownCopy().root, state }, world.env, false);
  if (sets.length > 0 && process.platform !== 'win32') settlePlace(world.paths, ownCopy(), client);
  // Ahead of the files: what is kept of a file that was not changed says nothing, a hook that nobody kept is lost.
  const keep = (more: Adopted): void => {
    const adopted = readAdopted(nodeFiles, state);
    // Who brought a file back by hand and adopts it again has it kept once.
    const otherSets = adopted.sets.filter(({ id }) => !more.sets.some((set) => set.id === id));
    const otherRules = adopted.rules.filter(({ file }) => !more.rules.some((rule) => rule.file === file));
    writeAdopted(nodeFiles, state, { sets: [...otherSets, ...more.sets], rules: [...otherRules, ...more.rules] });
  };
  for (const { set, change } of sets)
    writeAll([change], (_, moment) => {
      if (moment === 'before') keep({ sets: [set], rules: [] });
    });
  return rules.flatMap(({ kept, changes }) => {
    keep({ sets: [], rules: [kept] });
    const isTrusted = changeProject(root, `rules/${kept.name}.md`, () => writeAll(changes, () => {}), world);
    return isTrusted ? [] : [kept.name];
  });
}
