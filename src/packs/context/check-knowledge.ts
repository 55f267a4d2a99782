import { asPath, defineRule, joined, marker, own } from '../../engine/rule.ts';
import type { RuleFiles } from '../../engine/rule.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { readEntries } from './entries.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { nudge } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextKey, contextRoot } from './place.ts';

const DEFAULTS = { decisions_max: 20, learnings_max: 30, conventions_max_lines: 200 };
const MAX_BYTES = 4 << 20;
/** A prompt waits while a file is read: of a longer one no more than this, where that shows enough. */
const BEGINNING = 64 << 10;
const ENTRY_HEADING = /^\ufeff?## \[\d{4}-\d{2}-\d{2}-\d{6}\](?:[ \t].*)?\r?$/gm;

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
    const key = contextKey(context.workspace, root);
    if (context.state.today.isSet(key)) return context.pass('said today');
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
    context.state.today.first(key);
    const fileWarnings = grown.map(
      ({ name, count, isLeast, unit, limit }) =>
        own`${asPath(name)}: ${own(isLeast ? 'at least ' : '')}${count} ${own(unit)}, ${limit} is the most`,
    );
    return nudge(context, root, {
      variant: 'warning',
      values: { fileWarnings: joined(fileWarnings, '\n'), largest: asPath(`${CONTEXT_DIR}/${largest.name}`) },
      relayed: { files: grown.length },
    });
  },
});

interface Counted {
  readonly count: number;
  /** There may be more. */
  readonly isLeast: boolean;
}

interface Grown extends Counted {
  readonly name: string;
  readonly unit: 'entries' | 'lines';
  readonly limit: number;
}

function outgrown(files: RuleFiles, root: string, limits: typeof DEFAULTS): readonly Grown[] {
  const grown = (name: string, unit: Grown['unit'], limit: number): readonly Grown[] => {
    if (limit <= 0) return [];
    const path = contextPath(root, name);
    const size = files.stat(path)?.size ?? 0;
    const countIn = (bytes: number): Counted => {
      const text = files.readText(path, bytes) ?? '';
      return { count: unit === 'lines' ? countLines(text) : countEntries(text, limit), isLeast: size > bytes };
    };
    const first = countIn(BEGINNING);
    const { count, isLeast } = first.isLeast && first.count <= limit ? countIn(MAX_BYTES) : first;
    return count > limit ? [{ name, unit, limit, count, isLeast }] : [];
  };
  return [
    ...grown('DECISIONS.md', 'entries', limits.decisions_max),
    ...grown('LEARNINGS.md', 'entries', limits.learnings_max),
    ...grown('CONVENTIONS.md', 'lines', limits.conventions_max_lines),
  ];
}

/** Where what looks like a heading may be none; the marks of the index hide nothing. */
const HIDING = /```|~~~|<!--(?! INDEX:(?:START|END) -->)/;

/** Exact where it is more than the limit, which most files are not. */
function countEntries(text: string, limit: number): number {
  const most = text.match(ENTRY_HEADING)?.length ?? 0;
  return most > limit && HIDING.test(text) ? readEntries(text).length : most;
}

function countLines(text: string): number {
  const whole = text.trimEnd();
  let count = 1;
  for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) count += 1;
  return count;
}
