import { knownWords } from '../../adapters/registry.ts';
import { effectsOfExample } from '../../assembly/example-effects.ts';
import { hasNearMiss, holds, tryExamples } from '../../engine/trial/try-rule.ts';
import type { RuleMeta } from '../../engine/rule.ts';
import { REASONS } from '../../instructions/clause.ts';
import { readInstructions } from '../../instructions/propose.ts';
import type { Draft } from '../../instructions/rule-draft.ts';
import { nameOf, ruleText } from '../../instructions/write-rule.ts';
import { wholeRuleBody } from '../../user-rules/whole-body.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import type { LayerKind } from '../../workspace/config/compiled.ts';
import type { Scan } from '../../workspace/config/scan.ts';
import type { Instructions } from './find-files.ts';

export interface Proposal {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
  readonly digest: string;
  readonly kind: Draft['kind'];
  readonly action: Draft['action'];
  readonly examples: NonNullable<RuleMeta['examples']>;
  /** The Markdown of the rule. */
  readonly text: string;
}

/** A sentence that gets no rule. */
export interface Unchecked {
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
  readonly reason: keyof typeof REASONS | 'examples' | 'same';
  readonly why: string;
}

export interface Proposed {
  /** How many sentences of each file look like instructions. */
  readonly files: readonly { readonly file: string; readonly sentences: number }[];
  readonly proposals: readonly Proposal[];
  /** Sentences that have a rule already. */
  readonly known: readonly {
    readonly file: string;
    readonly line: number;
    readonly sentence: string;
    readonly rule: string;
  }[];
  readonly unchecked: readonly Unchecked[];
}

/** What the rules are called that are there already, and the sentences they were made of. */
export interface Existing {
  readonly names: ReadonlySet<string>;
  readonly byDigest: ReadonlyMap<string, string>;
}

/** Rules of the person and of the project, trusted or not. */
export function existingRules(scans: Readonly<Record<'user' | 'project', Scan>>): Existing {
  const names = new Set<string>();
  const byDigest = new Map<string, string>();
  for (const namespace of ['user', 'project'] as const)
    for (const { path, name, kind, bytes } of scans[namespace].found) {
      if (kind !== 'rule') continue;
      names.add(name.replace(/^rules\//, '').replace(/\.md$/, ''));
      const text = new TextDecoder().decode(bytes);
      const { rule } = parseUserRule(text, { file: path, namespace, ...knownWords() });
      if (!rule) continue;
      names.add(rule.meta.id.slice(namespace.length + 1));
      if (rule.meta.from) byDigest.set(keyOf(rule.meta.from), rule.meta.id);
    }
  return { names, byDigest };
}

function keyOf({ file, digest }: { readonly file: string; readonly digest: string }): string {
  return `${digest} ${file}`;
}

/** The rules that files of instructions ask for, each as its own examples say. */
export async function proposeRules(
  all: readonly Instructions[],
  namespace: LayerKind,
  { names, byDigest }: Existing,
): Promise<Proposed> {
  const proposals: Proposal[] = [];
  const known: Proposed['known'][number][] = [];
  const unchecked: Unchecked[] = [];
  const files: Proposed['files'][number][] = [];
  const taken = new Set(names);
  const asked = new Set<string>();
  for (const { name: file, text, base } of all) {
    const reads = readInstructions({ text, base });
    files.push({ file, sentences: reads.length });
    for (const { line, sentence, digest, drafts, why } of reads) {
      const at = { file, line, sentence };
      if (why !== undefined) unchecked.push({ ...at, reason: why, why: REASONS[why] });
      const rule = byDigest.get(keyOf({ file, digest }));
      if (drafts.length > 0 && rule !== undefined) known.push({ ...at, rule });
      for (const draft of rule === undefined ? drafts : []) {
        const what = [draft.action, ...draft.when].join('\n');
        const name = nameOf(draft, (one) => taken.has(one));
        const made = ruleText(name, draft, { file, sentence, digest });
        const examples = asked.has(what) ? 'same' : await examplesOf(made, namespace);
        asked.add(what);
        if (examples === 'same')
          unchecked.push({ ...at, reason: 'same', why: 'another sentence asks for the same rule' });
        else if (examples === undefined)
          unchecked.push({ ...at, reason: 'examples', why: 'the rule that it asks for fails its own examples' });
        else {
          taken.add(name);
          proposals.push({
            id: `${namespace}/${name}`,
            name,
            ...at,
            digest,
            kind: draft.kind,
            action: draft.action,
            examples,
            text: made,
          });
        }
      }
    }
  }
  return { files, proposals, known, unchecked };
}

/** The examples of a rule that does as they say, one of them a near miss; undefined for any other. */
async function examplesOf(text: string, namespace: LayerKind): Promise<Proposal['examples'] | undefined> {
  const { rule, problems } = parseUserRule(text, { file: 'proposed.md', namespace, ...knownWords() });
  if (!rule || problems.length > 0) return undefined;
  const results = await tryExamples({ meta: rule.meta, load: () => wholeRuleBody(rule.match) }, effectsOfExample);
  return results.every(holds) && hasNearMiss(results) ? rule.meta.examples : undefined;
}
