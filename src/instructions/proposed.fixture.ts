import { knownWords } from '../adapters/registry.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';
import { hasNearMiss, holds, tryExamples } from '../engine/trial/try-rule.ts';
import type { Example } from '../engine/rule.ts';
import { wholeRuleBody } from '../user-rules/whole-body.ts';
import { parseUserRule } from '../user-rules/parse.ts';
import type { UserRule } from '../user-rules/parse.ts';
import { readInstructions } from './propose.ts';
import type { Read } from './propose.ts';
import { nameOf, ruleText } from './write-rule.ts';

/** Rules by the text of their file: the same text is the same rule, so that a test need not try it again. */
const known = new Map<string, UserRule>();

/** The rules that a text asks for, as they are read again from their files. */
export function rulesOf(text: string, base = ''): readonly UserRule[] {
  return readsOf(text, base).flatMap(({ drafts, sentence, digest }) =>
    drafts.map((draft) => {
      const file = ruleText(
        nameOf(draft, () => false),
        draft,
        { file: 'AGENTS.md', sentence, digest },
      );
      const before = known.get(file);
      if (before) return before;
      const { rule, problems } = parseUserRule(file, { file: 'x.md', namespace: 'project', ...knownWords() });
      if (!rule || problems.length > 0) throw new Error(`${JSON.stringify(problems)}\n${file}`);
      known.set(file, rule);
      return rule;
    }),
  );
}

export function readsOf(text: string, base = ''): readonly Read[] {
  return readInstructions({ text, base });
}

type Call = Example | string;

/** Which of these calls the rules stop, ask about or note. */
export async function heldBy(rules: readonly UserRule[], calls: readonly Call[]): Promise<readonly Call[]> {
  const held = new Set<Call>();
  for (const { meta, match } of rules) {
    const tried = { meta: { ...meta, examples: { pass: calls } }, load: () => wholeRuleBody(match) };
    for (const { example, got } of await tryExamples(tried, effectsOfExample)) if (got !== 'pass') held.add(example);
  }
  return calls.filter((call) => held.has(call));
}

/** What of a rule's own examples does not hold. */
export async function failuresOf({ meta, match }: UserRule): Promise<readonly unknown[]> {
  const results = await tryExamples({ meta, load: () => wholeRuleBody(match) }, effectsOfExample);
  const failed = results.filter((one) => !holds(one)).map(({ example, expected, got }) => ({ example, expected, got }));
  return hasNearMiss(results) ? failed : [...failed, 'no near miss'];
}
