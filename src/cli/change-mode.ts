import type { ActiveRule } from '../engine/match/rule-index.ts';
import { MODES } from '../event/verdict.ts';
import type { Mode } from '../event/verdict.ts';
import { nodeFiles } from '../platform/files.ts';
import { acceptingOwn } from './accepted-settings.ts';
import { CommandError, printJson } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { rewire } from './install/rewire.ts';
import { knownRules, packsOf, ruleNamed, shown } from './known-rules.ts';
import type { KnownRules } from './known-rules.ts';
import { describeQuiet, endQuiet } from './quiet-rules.ts';
import { originOf } from './rule-origin.ts';
import { printable } from './table.ts';
import { editConfig, editConfigFile, readConfigAt, userConfigPath } from './user-config.ts';
import type { ConfigEdit } from './user-config.ts';
import { PACKS } from '../event/packs.generated.ts';
import { cellId } from '../state/cells.ts';
import { changeState } from './change-state.ts';

/** Rules that fall silent in a workspace where hardly anybody follows them, and the cell that remembers how they fared. */
const FARED: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(PACKS).map(({ silencing }) => silencing),
);

/** Lets such rules speak again in a workspace; returns those that had fallen silent or were on the way there. */
function rearm(rules: readonly string[], root: string, world: CliWorld): string[] {
  const known = rules.filter((id) => FARED[id] !== undefined);
  if (known.length === 0) return [];
  return changeState(world, (draft) =>
    known.filter((id) => {
      const cell = cellId('workspace', root, FARED[id] ?? '');
      if (draft.read(cell) === undefined) return false;
      draft.delete(cell);
      return true;
    }),
  );
}

/** Whether a pack is meant, else a rule. */
export function targetOf(
  { args: [name = ''] }: Pick<Input, 'args'>,
  known: KnownRules,
): { readonly name: string; readonly isPack: boolean } {
  const packs = packsOf(known);
  if (packs.includes(name)) return { name, isPack: true };
  return { name: ruleNamed(known, name, packs).meta.id, isPack: false };
}

type Word = 'on' | Mode;

/** Changes the person's own settings and says what became of the rules. Returns the exit code. */
export async function changeMode(input: Pick<Input, 'args' | 'has'>, world: CliWorld, word: Word): Promise<number> {
  const asJson = input.has('json');
  const before = await knownRules(world);
  const { name, isPack } = targetOf(input, before);
  const targets = (rules: readonly ActiveRule[]) =>
    rules.filter(({ meta }) => (isPack ? meta.pack === name : meta.id === name));

  const file = userConfigPath(world.paths.config);
  const key = [isPack ? 'packs' : 'rules', name] as const;
  const entry = readConfigAt(nodeFiles.readText(file) ?? '', key, file);
  const ids = targets(before.rules).map(({ meta }) => meta.id);
  const ended =
    word === 'on'
      ? await endQuiet(before.root, world, ({ rules: quieted }) => quieted.some((id) => ids.includes(id)))
      : [];
  for (const exception of asJson ? [] : ended) world.out(`Ended: ${describeQuiet(exception)}\n`);
  // A rule that was only quiet is on by what the settings say already.
  if (ended.length > 0 && entry === undefined && targets(before.rules).every((rule) => rule.mode !== 'off')) {
    if (asJson) printJson(world, { [isPack ? 'pack' : 'rule']: name, set: word, changed: true, ended });
    return 0;
  }
  const changed = await acceptingOwn(world, () => editConfigFile(file, editsFor(key, entry, word), nodeFiles));
  if (!asJson)
    world.out(
      changed
        ? `${shown(world, file)}: ${key.join('.')} is now ${word}\n`
        : `${shown(world, file)} already says so; nothing was changed.\n`,
    );

  const after = await knownRules(world, before.root);
  const config = after.layers.user.files.find(({ kind }) => kind === 'config');
  if (config && config.state !== 'ok') {
    const why = after.layers.user.problems
      .filter((problem) => problem.file === config.path)
      .map(({ line, message }) => `\n  line ${line}: ${printable(message)}`);
    throw new CommandError(`${shown(world, file)} has a problem, so the change is not in force yet:${why.join('')}`);
  }
  const rules = targets(after.rules);
  const effects = rules.map((rule): Effect => ({
    rule,
    before: before.rules.find(({ meta }) => meta.id === rule.meta.id)?.mode ?? 'off',
    origin: originOf(rule, after.layers),
    isWanted: fits(rule.mode, word, isPack),
  }));
  const spoken = effects.filter(({ isWanted }) => word === 'on' && isWanted).map(({ rule }) => rule.meta.id);
  const rearmed = rearm(spoken, before.root, world);
  await rewire(before.root, world);
  if (asJson) {
    printJson(world, {
      [isPack ? 'pack' : 'rule']: name,
      set: word,
      file,
      changed,
      rules: effects.map(({ rule, before: was, origin, isWanted }) => ({
        id: rule.meta.id,
        mode: rule.mode,
        before: was,
        ...(isWanted ? {} : { because: origin.text }),
      })),
    });
    return 0;
  }
  for (const effect of effects) report(world, effect);
  for (const id of rearmed) world.out(`${id} speaks again in this project\n`);
  if (isPack && rules.length === 0) world.out(`No rule of the pack ${name} is known here yet.\n`);
  return 0;
}

/** A one-word entry is replaced by a word; in a map only the keys that the verb is about change. */
function editsFor(key: readonly string[], entry: unknown, word: Word): ConfigEdit[] {
  if (typeof entry !== 'object' || entry === null) {
    const isOn = entry === true || (typeof entry === 'string' && entry !== 'off');
    return word === 'on' && isOn ? [] : [{ path: key, value: word }];
  }
  const { enabled, mode: own } = entry as { readonly enabled?: unknown; readonly mode?: unknown };
  const switched = { path: [...key, 'enabled'], value: word !== 'off' };
  if (word === 'off') return [switched];
  if (word !== 'on') return [...(enabled === true ? [] : [switched]), { path: [...key, 'mode'], value: word }];
  return [switched, ...(own === 'off' || own === false ? [{ path: [...key, 'mode'] }] : [])];
}

/** What the change made of one rule. */
interface Effect {
  readonly rule: ActiveRule;
  readonly before: Mode;
  readonly origin: ReturnType<typeof originOf>;
  /** The rule is as the person asked; otherwise `origin` says what is above that. */
  readonly isWanted: boolean;
}

function fits(now: Mode, word: Word, isPack: boolean): boolean {
  if (word === 'on') return now !== 'off';
  if (isPack && word !== 'off') return now !== 'off' && MODES.indexOf(now) <= MODES.indexOf(word);
  return now === word;
}

function report(world: CliWorld, { rule, before, origin, isWanted }: Effect): void {
  const { id } = rule.meta;
  const line = rule.mode === before ? `${id} stays ${rule.mode}` : `${id}: ${before} → ${rule.mode}`;
  world.out(`${line}${isWanted ? '' : ` because of ${origin.text}`}\n`);
  if (!isWanted && origin.layer === 'project')
    world.out(
      `  The project's setting is above yours; change it in .fairlead/config.yaml, or end it with \`fairlead untrust\`.\n`,
    );
  if (!isWanted && origin.layer === 'rule') world.out(`  \`fairlead rules mode ${id} <mode>\` overrules that.\n`);
}

/** The person's settings as they would be with a rule in another mode. */
export function settingsWith(
  rule: string,
  mode: Mode,
  world: CliWorld,
): { readonly file: string; readonly text: string } {
  const file = userConfigPath(world.paths.config);
  const before = nodeFiles.readText(file) ?? '';
  const key = ['rules', rule];
  const edits = editsFor(key, readConfigAt(before, key, file), mode);
  return { file, text: edits.reduce((text, edit) => editConfig(text, edit, file), before) };
}
