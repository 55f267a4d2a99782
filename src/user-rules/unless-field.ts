import type { EventName } from '../event/event.ts';
import { record } from '../engine/rule.ts';
import type { Listen, RuleMeta } from '../engine/rule.ts';
import type { FieldReader } from './field-reader.ts';
import type { Report } from './problem.ts';
import { typedProblem, wordOfTyped } from './typed-command.ts';

/** What keeps a rule silent: one of these commands came to its end in the session, and no such file was edited since. */
export interface Unless {
  readonly ran: readonly string[];
  readonly edits?: readonly string[];
}

/** What the session did last of what `unless` is about. */
export type Progress = 'ran' | 'edited';

export const UNLESS_STATE = (id: string): NonNullable<RuleMeta['state']> => ({
  progress: record<Progress>(`rule.${id}`),
});

export function readRuns(fields: FieldReader, report: Report): readonly string[] | undefined {
  return checked(fields.texts('runs'), 'runs', fields.line('runs'), report);
}

export function readUnless(fields: FieldReader, events: readonly EventName[], report: Report): Unless | undefined {
  const map = fields.map('unless', ['ran', 'edits']);
  if (!map) return undefined;
  const ran = checked(map.texts('ran'), 'unless.ran', fields.line('unless'), report);
  const edits = map.texts('edits');
  if (!ran) report(fields.line('unless'), 'unless', '`unless` needs `ran`: the commands that keep the rule silent');
  if (events.some((event) => event !== 'tool.before' && event !== 'turn.stop'))
    report(fields.line('unless'), 'unless', '`unless` goes with `bash`, `file`, `stop` or `tool.before`');
  return { ran: ran ?? [], ...(edits && { edits }) };
}

function checked(typed: readonly string[] | undefined, key: string, line: number, report: Report) {
  for (const one of typed ?? []) {
    const why = typedProblem(one);
    if (why !== undefined) report(line, key, `\`${one}\` names no command: ${why}`);
  }
  return typed;
}

/** What such a rule has to hear of to know what was done; it says nothing there. */
export function unlessListens({ ran, edits }: Unless): readonly Listen[] {
  const words = ran.map(wordOfTyped);
  const isIndexed = words.every((word) => word !== undefined);
  return [
    { event: 'tool.after', tool: ['shell'], ...(isIndexed && { words: [...new Set(words)] }) },
    { event: 'tool.after', tool: ['write', 'edit'], ...(edits && { paths: edits }) },
  ];
}
