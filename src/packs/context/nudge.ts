import type { MessageValue, RuleContext, Verdict } from '../../engine/rule.ts';
import { GATED_VERBS } from '../../event/gated-verbs.generated.ts';
import { contextPath } from './files.ts';
import { isMap, oneOf } from './options.ts';

type Values = Readonly<Record<string, MessageValue>>;
/** Counts and names for those who listen outside; no text of files or of the conversation. */
type RelayValues = Readonly<Record<string, string | number | boolean>>;
type Speaker = Pick<RuleContext, 'later' | 'options'> & {
  note(variant: string, values?: Values): Verdict;
};

/** Longer texts are not read; a person's own wording may be any length, so the relay record says what was cut. */
const MOST = 700;

export interface Told {
  readonly variant: string;
  readonly values?: Values;
  readonly relayed?: RelayValues;
}

/**
 * Tells the agent, and the person in the box made for it. The texts are those of the rule's messages: a title, facts, and
 * a last line `Next: <command>`. `root` holds the `.context` that the nudge is about.
 */
export function nudge(context: Speaker, root: string, told: Told): readonly Verdict[] {
  const note = say(context, told, 'nudge');
  if (note.text === undefined) return [note];
  const { audience, style } = readAudience(context.options);
  const warn: Verdict = { ...note, kind: 'warn', ...(style === 'box' && { box: contextPath(root) }) };
  return [...(audience === 'user' ? [] : [forAgent(note)]), ...(audience === 'agent' ? [] : [warn])];
}

/** Tells the agent alone, beside what it is doing. */
export function tell(context: Speaker, told: Told): Verdict {
  return forAgent(say(context, told, 'relay'));
}

/** Verbs that no agent may run, not even when a person has said yes to that very call. */
const PERSONAL = new RegExp(
  `\\bfairlead (?:${GATED_VERBS.flatMap(({ verb, asked }) => (asked ? [] : verb)).join('|')})(?![\\w-])`,
);

/** What only a person may run is told, and is not the agent's next step. */
function forAgent(said: Verdict): Verdict {
  if (said.text === undefined || !PERSONAL.test(said.text)) return said;
  const lines = said.text.split('\n');
  const text = lines.map((line) => (PERSONAL.test(line) ? line.replace(/^Next: /, 'Next: the person can run ') : line));
  return { ...said, text: text.join('\n') };
}

/** A text that the person silenced is relayed as said, and counts as said. */
function say({ note, later }: Speaker, { variant, values, relayed }: Told, event: 'nudge' | 'relay'): Verdict {
  const { said, remark } = fit(note(variant, values));
  later.relay(variant, said.text?.split('\n', 1)[0] ?? variant, remark ? { ...relayed, ...remark } : relayed, event);
  return said;
}

/** A verdict with as much of its text as is read, and what the record of it says about that. */
export function fit(said: Verdict): { readonly said: Verdict; readonly remark?: RelayValues } {
  const { text } = said;
  if (text === undefined) return { said, remark: { silenced: true } };
  return text.length > MOST ? { said: { ...said, text: cutAtLine(text) }, remark: { cut: text.length } } : { said };
}

function cutAtLine(text: string): string {
  const end = text.lastIndexOf('\n', MOST);
  if (end > 0) return text.slice(0, end);
  // A single line ends with a whole character.
  return text.slice(0, MOST).replace(/[\ud800-\udbff]$/, '');
}

function readAudience(options: Readonly<Record<string, unknown>>): {
  readonly audience: 'both' | 'agent' | 'user';
  readonly style: 'box' | 'plain';
} {
  const given = isMap(options['nudge']) ? options['nudge'] : {};
  return {
    audience: oneOf(given['audience'], ['both', 'agent', 'user']),
    style: oneOf(given['style'], ['box', 'plain']),
  };
}
