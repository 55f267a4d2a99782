import { knownWords } from '../adapters/registry.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';
import { hasNearMiss, tryExamples } from '../engine/trial/try-rule.ts';
import type { ExampleResult, Triable } from '../engine/trial/try-rule.ts';
import { BUILT_IN } from '../packs/index.generated.ts';
import { nodeFiles } from '../platform/files.ts';
import { basename } from '../platform/paths.ts';
import { wholeRuleBody } from '../user-rules/whole-body.ts';
import { parseUserRule } from '../user-rules/parse.ts';
import type { OwnKind } from '../workspace/config/compiled.ts';
import { scanLayer } from '../workspace/config/scan.ts';
import type { Scan } from '../workspace/config/scan.ts';
import { scanProject } from '../workspace/config/trust.ts';
import type { CliWorld } from './command.ts';
import { rootAt } from './known-rules.ts';
import { printableLine } from './table.ts';

/** A rule to test, or a file that should have held one. */
export interface Candidate {
  readonly id: string;
  readonly pack: string;
  readonly file?: string;
  readonly rule?: Triable;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

export interface Tested extends Omit<Candidate, 'rule'> {
  readonly examples: number;
}

export function builtIn(): Candidate[] {
  return BUILT_IN.map((rule) => ({ id: rule.meta.id, pack: rule.meta.pack, rule, failures: [], warnings: [] }));
}

export function ownRules(world: CliWorld): Candidate[] {
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

export async function testOne({ rule, ...candidate }: Candidate): Promise<Tested> {
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
