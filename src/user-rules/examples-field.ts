import { isMap } from 'yaml';
import type { Example, ExampleVerdict, RuleMeta } from '../engine/rule.ts';
import { readMap, textOf } from './field-reader.ts';
import type { FieldNode, FieldReader } from './field-reader.ts';
import { suggest } from './nearest-word.ts';
import type { Report } from './problem.ts';
import { eventWords, hear, kindOf, toolWords } from './vocabulary.ts';
import type { Aliases } from './vocabulary.ts';

const VERDICTS: Readonly<Record<string, ExampleVerdict>> = {
  deny: 'deny',
  block: 'deny',
  save: 'save',
  ask: 'ask',
  note: 'note',
  warn: 'note',
  pass: 'pass',
};
const TEXTS = ['name', 'command', 'path', 'old', 'new', 'prompt', 'error', 'branch'] as const;

export function readExamples(
  fields: FieldReader,
  aliases: Aliases,
  lineOf: (node: unknown) => number,
  report: Report,
): RuleMeta['examples'] {
  const map = fields.map('examples', Object.keys(VERDICTS));
  if (!map) return undefined;
  const examples: Partial<Record<ExampleVerdict, readonly (Example | string)[]>> = {};
  for (const [word, verdict] of Object.entries(VERDICTS)) {
    const items = map.items(word)?.flatMap((item) => readExample(item, aliases, lineOf, report) ?? []);
    if (items) examples[verdict] = [...(examples[verdict] ?? []), ...items];
  }
  return examples;
}

function readExample(
  { key, line, node }: FieldNode,
  aliases: Aliases,
  lineOf: (node: unknown) => number,
  report: Report,
): Example | string | undefined {
  if (!isMap(node)) {
    const text = textOf(node);
    if (text === undefined) report(line, key, 'an example is a text or a map of fields');
    return text;
  }
  const fields = readMap(node, ['event', 'tool', ...TEXTS, 'first', 'times'], key, lineOf, report);
  const eventWord = fields.text('event');
  const toolWord = fields.text('tool');
  const heard = eventWord === undefined ? undefined : hear(eventWord, aliases);
  if (eventWord !== undefined && !heard)
    report(
      fields.line('event'),
      `${key}.event`,
      `there is no event \`${eventWord}\`${suggest(eventWord, eventWords(aliases))}`,
    );
  const kind = toolWord === undefined ? heard?.kinds?.[0] : kindOf(toolWord, aliases);
  if (toolWord !== undefined && !kind)
    report(
      fields.line('tool'),
      `${key}.tool`,
      `there is no tool \`${toolWord}\`${suggest(toolWord, toolWords(aliases))}`,
    );
  const event = heard?.events[0];
  const times = fields.number('times', 1, 100);
  const texts = Object.fromEntries(
    TEXTS.flatMap((name) => (fields.get(name) ? [[name, fields.text(name) ?? '']] : [])),
  ) as Example;
  const first = fields.items('first')?.flatMap((item) => readExample(item, aliases, lineOf, report) ?? []);
  return {
    ...(event && { event }),
    ...(kind && { tool: kind }),
    ...texts,
    ...(first && { first }),
    ...(times !== undefined && { times }),
  };
}
