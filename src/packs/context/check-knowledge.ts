import { defineRule, marker } from '../../engine/rule.ts';
import type { RuleFiles } from '../../engine/rule.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { readEntries } from './entries.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { nudge } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextRoot } from './place.ts';

const DEFAULTS = { decisions_max: 20, learnings_max: 30, conventions_max_lines: 200 };
const MAX_BYTES = 4 << 20;

export default defineRule({
  id: 'context/check-knowledge',
  pack: 'context',
  summary: 'Once a day, says which knowledge files have outgrown what is useful to load.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'deferrable',
  priority: 30,
  state: { today: marker('context.day.knowledge', { scope: 'day' }), looked: LOOKED },
  options: { knowledge: DEFAULTS },
  messages: {
    warning:
      'Knowledge files have grown past what is useful to load:\n{fileWarnings}\nEntries that no longer hold can be archived, similar ones merged, a long file split.\nNext: shorten {largest}',
  },
  expect: { paths: ['.context/**'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    if (context.state.today.isSet()) return context.pass('said today');
    const limits = readGroup(context.options.knowledge, DEFAULTS);
    const watched = ['DECISIONS.md', 'LEARNINGS.md', 'CONVENTIONS.md'].map((name) => contextPath(root, name));
    const look = lookAgain(context, 'knowledge', watched);
    if (!look.isDue) return context.pass('nothing has changed since the last look');
    const grown = outgrown(context.files, root, limits);
    const [largest] = grown.toSorted((one, other) => other.count / other.limit - one.count / one.limit);
    if (!largest) {
      look.foundNothing();
      return context.pass('every file is within its limit');
    }
    context.state.today.first();
    const fileWarnings = grown.map(({ name, count, unit, limit }) => `${name}: ${count} ${unit}, ${limit} is the most`);
    return nudge(context, root, {
      variant: 'warning',
      values: { fileWarnings: fileWarnings.join('\n'), largest: `${CONTEXT_DIR}/${largest.name}` },
      relayed: { files: grown.length },
    });
  },
});

interface Grown {
  readonly name: string;
  readonly count: number;
  readonly unit: 'entries' | 'lines';
  readonly limit: number;
}

function outgrown(files: RuleFiles, root: string, limits: typeof DEFAULTS): readonly Grown[] {
  const textOf = (name: string) => files.readText(contextPath(root, name), MAX_BYTES) ?? '';
  const entries = (name: string, limit: number): Grown => ({
    name,
    limit,
    unit: 'entries',
    count: limit > 0 ? readEntries(textOf(name)).length : 0,
  });
  const lines = (name: string, limit: number): Grown => ({
    name,
    limit,
    unit: 'lines',
    count: limit > 0 ? textOf(name).trimEnd().split('\n').length : 0,
  });
  return [
    entries('DECISIONS.md', limits.decisions_max),
    entries('LEARNINGS.md', limits.learnings_max),
    lines('CONVENTIONS.md', limits.conventions_max_lines),
  ].filter(({ count, limit }) => limit > 0 && count > limit);
}
