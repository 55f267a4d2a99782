import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { hint } from '../hint.ts';
import { shown } from '../known-rules.ts';
import { builtIn, ownRules, testOne } from '../rule-examples.ts';
import type { Candidate, Tested } from '../rule-examples.ts';
import { paint, printable } from '../table.ts';

export const test: Command = {
  summary: 'run the examples of every rule, or of one',
  usage: '[name|pack…]',
  details: `Runs each example in a session of its own, with nothing held back by a mode, and compares the verdict. A rule also fails when it has no near miss: an
example under \`pass\` that its event and tool filters let in. Rules of a project are tested whether they are trusted or not; they only look at text.
Exit code 1 when a rule fails or a rule file cannot be read.`,
  args: [0, 1_000],
  options: JSON_OPTION,
  async run(input, world) {
    const candidates = wanted([...builtIn(), ...ownRules(world)], input.args);
    const tested: Tested[] = [];
    for (const candidate of candidates) tested.push(await testOne(candidate));
    const failed = tested.filter(({ failures }) => failures.length > 0).length;
    if (input.has('json')) printJson(world, { passed: tested.length - failed, failed, rules: tested });
    else {
      for (const one of tested) world.out(lineFor(one, world));
      world.out(
        `\n${tested.length} rule${tested.length === 1 ? '' : 's'}, ${failed === 0 ? 'all as their examples say' : `${failed} failed`}\n`,
      );
    }
    return failed === 0 ? 0 : 1;
  },
};

function wanted(all: readonly Candidate[], names: readonly string[]): readonly Candidate[] {
  if (names.length === 0) return all;
  for (const name of names) {
    if (all.some((one) => isMeant(one, name))) continue;
    throw new UsageError(
      `no rule or pack "${name}"${hint(
        name,
        all.flatMap(({ id, pack }) => [id, pack]),
      )}`,
    );
  }
  return all.filter((one) => names.some((name) => isMeant(one, name)));
}

/** By its id, its pack, or the name that the person gave it. */
function isMeant({ id, pack }: Candidate, name: string): boolean {
  return id === name || pack === name || id.endsWith(`/${name}`);
}

function lineFor({ id, file, examples, failures, warnings }: Tested, world: CliWorld): string {
  const mark = failures.length === 0 ? paint(world, 'green', 'ok  ') : paint(world, 'red', 'FAIL');
  const place = failures.length > 0 && file !== undefined ? `  ${shown(world, file)}` : '';
  const details = [...failures, ...warnings.map((warning) => `warning: ${warning}`)].flatMap((text) =>
    printable(text).split('\n'),
  );
  return `${mark}  ${id}  ${examples} example${examples === 1 ? '' : 's'}${place}\n${details.map((line) => `      ${line}\n`).join('')}`;
}

export default { order: 140, verbs: { 'rules test': test } } satisfies VerbFile;
