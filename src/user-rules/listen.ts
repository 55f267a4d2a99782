import { EFFECT_KINDS } from '../event/effect.ts';
import type { EffectKind } from '../event/effect.ts';
import type { EventName, ToolKind } from '../event/event.ts';
import type { Listen } from '../engine/rule.ts';
import type { FieldReader } from './field-reader.ts';
import type { Condition } from './body.ts';
import { nearestWord, suggest } from './nearest-word.ts';
import type { Report } from './problem.ts';
import { wordOfTyped } from './typed-command.ts';
import { concernsTool, eventWords, hear, kindOf, toolWords } from './vocabulary.ts';
import type { Aliases, Heard } from './vocabulary.ts';

interface Tools {
  readonly kinds: readonly ToolKind[];
  readonly names: readonly string[];
}

/** What the rule listens to, from `event`, `tool`, `effect`, `paths`, `words` and its conditions. */
export function readListens(
  fields: FieldReader,
  conditions: readonly Condition[],
  aliases: Aliases,
  report: Report,
): readonly Listen[] {
  const effect = readEffects(fields, report);
  const heard = effect ? ofCalls(readEvents(fields, aliases, report)) : readEvents(fields, aliases, report);
  const tools = readTools(fields, aliases, report);
  const paths = fields.texts('paths');
  for (const path of paths ?? []) {
    const why = pathProblem(path);
    if (why !== undefined) report(fields.line('paths'), 'paths', `\`${path}\` never matches: ${why}`, 'warning');
  }
  const words = fields.texts('words') ?? wordsOfRuns(fields) ?? wordOf(conditions);
  const filters = { ...(effect && { effect }), ...(paths && { paths }), ...(words && { words }) };
  const listens = heard.flatMap((one) => combine(one, tools).map((listen) => ({ ...listen, ...filters })));
  if (effect && heard.length === 0 && fields.get('event'))
    report(
      fields.line('event'),
      'event',
      'the rule can never act: only tool calls have effects; leave `event` out, or use tool.before',
    );
  if (heard.length > 0 && listens.length === 0) {
    report(
      fields.line(fields.get('tool') ? 'tool' : 'tool_matcher'),
      'tool',
      'the rule can never act: its event does not concern these tools; use `event: tool.before` with `tool`',
    );
  }
  return listens;
}

function readEffects(fields: FieldReader, report: Report): readonly EffectKind[] | undefined {
  return fields.texts('effect')?.flatMap((word) => {
    const kind = EFFECT_KINDS.find((one) => one === word.trim());
    if (!kind)
      report(
        fields.line('effect'),
        'effect',
        `there is no effect \`${word}\`${suggest(word, EFFECT_KINDS) || `; it is one of ${EFFECT_KINDS.join(', ')}`}`,
      );
    return kind ?? [];
  });
}

function ofCalls(heard: readonly Heard[]): readonly Heard[] {
  return heard
    .map((one) => ({ ...one, events: one.events.filter(concernsTool) }))
    .filter(({ events }) => events.length > 0);
}

/** Globs are compared as they are written; nothing expands them as a shell would. */
function pathProblem(path: string): string | undefined {
  if (path.startsWith('~')) return '`~` is not expanded; write the whole path, or `**/` and the end of it';
  if (path.startsWith('!')) return 'a glob cannot be turned round; name what is meant';
  if (/(^|\/)\.\.?(\/|$)/.test(path)) return 'paths start at the workspace root and have no `.` or `..` in them';
  return undefined;
}

function readEvents(fields: FieldReader, aliases: Aliases, report: Report): readonly Heard[] {
  const words = fields.get('event') ? (fields.texts('event') ?? []) : ['all'];
  return words.flatMap((word) => {
    const heard = hear(word.trim(), aliases);
    if (!heard)
      report(
        fields.line('event'),
        'event',
        `there is no event \`${word}\`${suggest(word, eventWords(aliases)) || '; use bash, file, prompt, stop, all, or a name such as tool.after'}`,
      );
    return heard ?? [];
  });
}

function readTools(fields: FieldReader, aliases: Aliases, report: Report): Tools | undefined {
  const key = fields.get('tool') ? 'tool' : 'tool_matcher';
  const words = fields
    .texts(key)
    ?.flatMap((text) => text.split('|'))
    .map((word) => word.trim());
  if (!words || words.includes('*')) return undefined;
  const kinds = new Set<ToolKind>();
  const names: string[] = [];
  for (const word of words) {
    const kind = kindOf(word, aliases);
    if (kind) kinds.add(kind);
    else {
      names.push(word);
      if (/[*?[\]()^$\\]/.test(word))
        report(
          fields.line(key),
          key,
          `\`${word}\` is compared as a whole name; tool names take no patterns`,
          'warning',
        );
      else if (nearestWord(word, toolWords(aliases)))
        report(fields.line(key), key, `no tool is known as \`${word}\`${suggest(word, toolWords(aliases))}`, 'warning');
    }
  }
  return { kinds: [...kinds], names };
}

/** Kinds and names are alternatives, and the fields of one entry all have to hold, so they become two entries. */
function combine({ events, kinds }: Heard, tools: Tools | undefined): Listen[] {
  if (!tools) return [{ event: oneOrMany(events), ...(kinds && { tool: kinds }) }];
  const concerned = events.filter(concernsTool);
  if (concerned.length === 0) return [];
  const event = oneOrMany(concerned);
  const wanted = kinds ? tools.kinds.filter((kind) => kinds.includes(kind)) : tools.kinds;
  const listens: Listen[] = [];
  if (wanted.length > 0) listens.push({ event, tool: wanted });
  if (!kinds && tools.names.length > 0) listens.push({ event, name: tools.names });
  return listens;
}

function oneOrMany(events: readonly EventName[]): EventName | readonly EventName[] {
  return events.length === 1 ? (events[0] as EventName) : events;
}

/** Found in the text of every command that `runs` means; none where one of them has no such word. */
function wordsOfRuns(fields: FieldReader): readonly string[] | undefined {
  const words = fields.texts('runs')?.map(wordOfTyped);
  if (words?.every((word) => word !== undefined) !== true) return undefined;
  return [...new Set(words as readonly string[])];
}

/** A literal that a condition demands lets the engine turn events away by its word index. Plain characters only: escapes would hide them. */
function wordOf(conditions: readonly Condition[]): readonly string[] | undefined {
  const literals = conditions
    .filter(
      ({ field, operator }) =>
        ['command', 'new_text', 'user_prompt'].includes(field) &&
        ['contains', 'equals', 'starts_with', 'ends_with'].includes(operator),
    )
    .map(({ pattern }) => pattern)
    .filter((text) => /^[\w ./:=-]+$/.test(text));
  const longest = literals.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : [longest];
}
