import { knownWords } from '../../adapters/registry.ts';
import { hasNearMiss, tryExamples } from '../../engine/trial/try-rule.ts';
import type { ExampleResult, Triable } from '../../engine/trial/try-rule.ts';
import { effectsOfExample } from '../../assembly/example-effects.ts';
import { BUILT_IN } from '../../packs/index.generated.ts';
import { nodeFiles } from '../../platform/files.ts';
import { basename } from '../../platform/paths.ts';
import { wholeRuleBody } from '../../user-rules/whole-body.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import { scanLayer } from '../../workspace/config/scan.ts';
import type { Scan } from '../../workspace/config/scan.ts';
import type { OwnKind } from '../../workspace/config/compiled.ts';
import { scanProject } from '../../workspace/config/trust.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { hint } from '../hint.ts';
import { rootAt, shown } from '../known-rules.ts';
import { paint, printable, printableLine } from '../table.ts';

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

/** A rule to test, or a file that should have held one. */
interface Candidate {
  readonly id: string;
  readonly pack: string;
  readonly file?: string;
  readonly rule?: Triable;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

interface Tested extends Omit<Candidate, 'rule'> {
  readonly examples: number;
}

function builtIn(): Candidate[] {
  return BUILT_IN.map((rule) => ({ id: rule.meta.id, pack: rule.meta.pack, rule, failures: [], warnings: [] }));
}

function ownRules(world: CliWorld): Candidate[] {
  return [
    ...readRules('user', scanLayer(world.paths.config, nodeFiles)),
    ...readRules('project', scanProject(rootAt(world), nodeFiles)),
  ];
}

function readRules(namespace: OwnKind, { found, problems: unread }: Scan): Candidate[] {
  const owners = new Map<string, string>();
  const words = knownWords();
  return found
    .filter(({ kind }) => kind === 'rule')
    .map(({ path, name, bytes }) => {
      const text = bytes === undefined ? undefined : decode(bytes);
      const { rule, problems } =
        text === undefined ? { problems: [] } : parseUserRule(text, { file: path, namespace, ...words });
      const lines = [...unread.filter(({ file }) => file === path), ...problems];
      const say = (severity: string) =>
        lines.filter((problem) => problem.severity === severity).map(({ line, message }) => `line ${line}: ${message}`);
      const failures = say('error');
      if (bytes !== undefined && text === undefined) failures.push('is not UTF-8 text');
      const id = rule?.meta.id ?? `${namespace}/${basename(name, '.md')}`;
      const owner = rule && owners.get(id);
      if (owner !== undefined) failures.push(`the rule ${id} is already in ${owner}; give this one another name`);
      else if (rule) owners.set(id, name);
      const triable = rule && { meta: rule.meta, load: () => wholeRuleBody(rule.match) };
      return {
        id,
        pack: namespace,
        file: path,
        failures,
        warnings: say('warning'),
        ...(triable && failures.length === 0 ? { rule: triable } : {}),
      };
    });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

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

async function testOne({ rule, ...candidate }: Candidate): Promise<Tested> {
  if (!rule) return { ...candidate, examples: 0 };
  const results = await tryExamples(rule, effectsOfExample);
  const failures = results.filter(({ expected, got }) => expected !== got).map(describe);
  const warnings = [...candidate.warnings];
  if (results.length === 0)
    failures.push('has no examples; add at least one it acts on and one under `pass` that comes close');
  else if (!hasNearMiss(results))
    failures.push('has no near miss: add an example under `pass` of the same event and tool that it lets through');
  // What is built in may act on what happened before, which no example shows.
  else if (candidate.file !== undefined && results.every(({ expected }) => expected === 'pass'))
    warnings.push('has no example that it acts on');
  return { ...candidate, failures: [...candidate.failures, ...failures], warnings, examples: results.length };
}

function describe({ example, expected, got, reason, texts }: ExampleResult): string {
  const shownExample = printableLine(typeof example === 'string' ? example : JSON.stringify(example));
  const why = got === 'pass' ? reason : (texts[0] ?? reason);
  return `expected ${expected}, got ${got}: ${shownExample}${why === '' ? '' : `\n  because: ${printableLine(why)}`}`;
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
