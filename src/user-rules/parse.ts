import { isMap } from 'yaml';
import { MODES } from '../event/verdict.ts';
import type { EventName } from '../event/event.ts';
import type { Mode } from '../event/verdict.ts';
import { namesOf } from '../engine/match/rule-index.ts';
import type { Expectation, Listen, RuleMeta, Throttle } from '../engine/rule.ts';
import { FIELDS } from './event-fields.ts';
import { readExamples } from './examples-field.ts';
import { readMap } from './field-reader.ts';
import type { FieldReader } from './field-reader.ts';
import { readFrontMatter } from './front-matter.ts';
import type { FrontMatter } from './front-matter.ts';
import { readListens } from './listen.ts';
import { EFFECT_PLACEHOLDERS, OPERATORS } from './body.ts';
import type { Condition, Match } from './body.ts';
import { readMessage } from './message-body.ts';
import { nearestWord, suggest } from './nearest-word.ts';
import { compilePattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';
import type { Problem, Report } from './problem.ts';
import { readBound, readLease } from './team-fields.ts';
import { parseThrottle, THROTTLE_FORMS } from './throttle-text.ts';
import { readRuns, readUnless, unlessListens, UNLESS_STATE } from './unless-field.ts';
import { concernsTool, kindOf, toolWords } from './vocabulary.ts';
import type { Aliases } from './vocabulary.ts';

/** The sentence of a person's instructions that the rule was made of. */
function readSource(fields: FieldReader): RuleMeta['from'] {
  const map = fields.map('source', ['file', 'sentence', 'digest']);
  const [file, sentence, digest] = [map?.text('file'), map?.text('sentence'), map?.text('digest')];
  return file === undefined || sentence === undefined || digest === undefined ? undefined : { file, sentence, digest };
}

/** A rule that a user wrote without code. Both parts are plain data. */
export interface UserRule {
  readonly meta: RuleMeta;
  readonly match: Match;
}

export interface RuleFileOptions extends Aliases {
  /** As people know the file; used in problems, and for the name of a rule that has none. */
  readonly file: string;
  readonly namespace: 'user' | 'project' | 'team';
}

const KEYS = [
  'name',
  'summary',
  'description',
  'enabled',
  'event',
  'tool',
  'tool_matcher',
  'effect',
  'paths',
  'words',
  'runs',
  'pattern',
  'conditions',
  'unless',
  'source',
  'action',
  'mode',
  'throttle',
  'lease',
  'team',
  'expect',
  'backsOff',
  'examples',
  'priority',
  'onError',
];
const ACTIONS = { note: 'note', warn: 'note', save: 'save', ask: 'ask', deny: 'deny', block: 'deny' } as const;
const MODE_OF: Readonly<Record<Match['action'], Mode>> = { note: 'advise', save: 'save', ask: 'ask', deny: 'enforce' };
const VARIANT = 'message';

/** Reads one rule file. The rule is there only when no problem is an error. */
export function parseUserRule(
  text: string,
  options: RuleFileOptions,
): { readonly rule?: UserRule; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (line, key, message, severity = 'error') =>
    problems.push({ file: options.file, line, key, message, severity });
  const matter = readFrontMatter(text, report);
  const rule = matter && readRule(matter, options, report);
  problems.sort((a, b) => a.line - b.line);
  return rule && problems.every(({ severity }) => severity === 'warning') ? { rule, problems } : { problems };
}

function readRule(matter: FrontMatter, options: RuleFileOptions, report: Report): UserRule {
  const { lineOf } = matter;
  const fields = readMap(matter.fields, KEYS, '', lineOf, report);
  const action = ACTIONS[fields.oneOf('action', Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) ?? 'warn'];
  const conditions = readConditions(fields, lineOf, report);
  const pattern = fields.text('pattern');
  if (pattern !== undefined) checkPattern(pattern, fields.line('pattern'), 'pattern', report);
  const runs = readRuns(fields, report);
  const own = readListens(fields, conditions, options, report);
  const unless = readUnless(fields, own.flatMap(namesOf), report);
  const on = unless ? [...own, ...unlessListens(unless)] : own;
  const message = readMessage(matter, report);
  const hearsEffects = fields.get('effect') !== undefined;
  const unfilled = hearsEffects ? undefined : message.values.find((name) => EFFECT_PLACEHOLDERS.includes(name));
  if (unfilled !== undefined)
    report(matter.bodyLine, '', `only a rule with \`effect\` fills \`{${unfilled}}\``, 'warning');
  const throttle = readThrottle(fields, action, report);
  const lease = readLease(fields, action, own.flatMap(namesOf), report);
  const team = readBound(fields, throttle, report);
  const expect = readExpect(fields, options, report);
  const backsOff = readBacksOff(fields, action, expect, report);
  const examples = readExamples(fields, options, lineOf, report);
  const priority = fields.number('priority', 0, 100);
  const mode = fields.oneOf('mode', MODES) ?? MODE_OF[action];
  const onError = fields.oneOf('onError', ['pass', 'block']) ?? (action === 'deny' ? undefined : 'pass');
  if (onError === 'block' && action === 'note')
    report(
      fields.line('onError'),
      'onError',
      'a rule that only advises cannot stop anything; only `ask` and `deny` can',
    );
  const summary = fields.text('summary') ?? fields.text('description') ?? message.headline;
  checkReach(own, action, pattern !== undefined || runs !== undefined || conditions.length > 0, fields, report);
  checkFields(own, conditions, fields, report);
  const id = `${options.namespace}/${readName(fields, options.file, report)}`;
  const source = readSource(fields);
  return {
    meta: {
      id,
      pack: options.namespace,
      summary,
      on,
      mode: fields.flag('enabled') === false ? 'off' : mode,
      ...(onError && { onError }),
      guard: action !== 'note',
      ...((action === 'save' || action === 'ask') && { saves: true }),
      messages: { [VARIANT]: message.text },
      ...(throttle && { throttle }),
      ...(lease && { lease }),
      ...(team && { team }),
      ...(expect && { expect }),
      ...(backsOff && { backsOff }),
      ...(examples && { examples }),
      ...(priority !== undefined && { priority }),
      ...(source && { from: source }),
      ...(unless && { needs: { session: true }, state: UNLESS_STATE(id) }),
      ...(conditions.some(({ field }) => field === 'transcript') && { budgetMs: 500 }),
    },
    match: {
      action,
      variant: VARIANT,
      conditions,
      values: message.values,
      ...(hearsEffects && { hearsEffects }),
      ...(pattern !== undefined && { pattern }),
      ...(runs && { runs }),
      ...(unless && { unless: unless.ran }),
    },
  };
}

function readName(fields: FieldReader, file: string, report: Report): string {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  const name = fields.get('name')
    ? (fields.text('name') ?? '')
    : base.replace(/(\.local)?\.md$/, '').replace(/^hookify\./, '');
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) {
    const slug = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
    report(
      fields.line('name'),
      'name',
      `the name \`${name}\` may have only letters, digits, \`-\`, \`_\` and \`.\`${slug === '' ? '' : `; use \`${slug}\``}`,
    );
  }
  return name;
}

function readConditions(fields: FieldReader, lineOf: (node: unknown) => number, report: Report): readonly Condition[] {
  return (fields.items('conditions') ?? []).flatMap(({ key, line, node }): Condition[] => {
    if (!isMap(node)) {
      report(line, key, 'a condition is a map with `field`, `operator` and `pattern`');
      return [];
    }
    const inner = readMap(node, ['field', 'operator', 'pattern'], key, lineOf, report);
    const field = inner.text('field');
    const pattern = inner.text('pattern');
    const operator = inner.get('operator') ? inner.oneOf('operator', OPERATORS) : 'regex_match';
    if (!inner.get('field')) report(line, key, 'the condition has no `field`');
    if (!inner.get('pattern')) report(line, key, 'the condition has no `pattern`');
    if (field === undefined || pattern === undefined || operator === undefined) return [];
    if (!(FIELDS as readonly string[]).includes(field) && nearestWord(field, FIELDS)) {
      report(
        inner.line('field'),
        `${key}.field`,
        `\`${field}\` is looked up in the tool's own arguments${suggest(field, FIELDS)}`,
        'warning',
      );
    }
    if (operator.endsWith('regex_match')) checkPattern(pattern, inner.line('pattern'), `${key}.pattern`, report);
    else if (/[^\\]\|/.test(pattern))
      report(
        inner.line('pattern'),
        `${key}.pattern`,
        `\`${operator}\` compares plain text, so \`|\` does not separate alternatives here`,
        'warning',
      );
    return [{ field, operator, pattern }];
  });
}

function checkPattern(pattern: string, line: number, key: string, report: Report): void {
  try {
    compilePattern(pattern, { ignoreCase: true });
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    report(line, key, `in the pattern \`${pattern}\`, at character ${error.at + 1}: ${error.message}`);
  }
}

function readThrottle(fields: FieldReader, action: Match['action'], report: Report): Throttle | undefined {
  const field = fields.get('throttle');
  if (!field) return undefined;
  const throttle = parseThrottle((field.node as { toJSON?: () => unknown } | null)?.toJSON?.());
  if (!throttle) report(field.line, 'throttle', `this is no throttle; write ${THROTTLE_FORMS}`);
  else if (action !== 'note')
    report(
      field.line,
      'throttle',
      `a throttle lets the second attempt through, which \`${action}\` is meant to stop; leave it out`,
      'warning',
    );
  return throttle;
}

function readBacksOff(
  fields: FieldReader,
  action: Match['action'],
  expect: Expectation | undefined,
  report: Report,
): true | undefined {
  if (fields.flag('backsOff') !== true) return undefined;
  if (action !== 'note')
    report(fields.line('backsOff'), 'backsOff', `only advice backs off; \`${action}\` holds every time`);
  else if (!expect)
    report(fields.line('backsOff'), 'backsOff', 'without `expect` nobody can tell whether the advice was ignored');
  return true;
}

function readExpect(fields: FieldReader, aliases: Aliases, report: Report): Expectation | undefined {
  const expect = fields.map('expect', ['tool', 'words', 'paths', 'around', 'within']);
  if (!expect) return undefined;
  const word = expect.text('tool');
  const tool = word === undefined ? undefined : kindOf(word, aliases);
  if (word !== undefined && !tool)
    report(expect.line('tool'), 'expect.tool', `there is no tool \`${word}\`${suggest(word, toolWords(aliases))}`);
  const words = expect.texts('words');
  const paths = expect.texts('paths');
  const around = expect.texts('around');
  if (!tool && !words && !paths)
    report(
      fields.line('expect'),
      'expect',
      '`expect` needs `tool`, `words` or `paths`: what the agent does when it follows the advice',
    );
  return {
    ...(tool && { tool }),
    ...(words && { words }),
    ...(paths && { paths }),
    ...(around && { around }),
    within: expect.number('within', 1, 100) ?? 5,
  };
}

/** Points out a rule that speaks always, or that asks where nobody can be asked. */
function checkReach(
  on: readonly Listen[],
  action: Match['action'],
  looks: boolean,
  fields: FieldReader,
  report: Report,
): void {
  const events = on.flatMap(namesOf);
  const unfiltered = on.some(({ tool, name, effect, paths, words }) => !tool && !name && !effect && !paths && !words);
  if (!looks && unfiltered && events.includes('tool.before')) {
    report(
      fields.line('event'),
      'event',
      'the rule has no filter, so it acts on every tool call; add `tool`, `effect`, `paths`, `words`, `pattern` or `conditions`',
    );
  }
  if ((action === 'ask' || action === 'save') && events.some((event) => !isAhead(event, action))) {
    const what = action === 'ask' ? 'nobody is asked' : 'nothing is copied';
    report(
      fields.line('action'),
      'action',
      `\`${action}\` works before a tool runs; on other events ${what}`,
      'warning',
    );
  }
  if (action === 'save' && on.some(({ tool, effect }) => !tool && !effect))
    report(
      fields.line('action'),
      'action',
      '`save` copies what a call destroys: say by `effect` or `tool` what that is',
    );
}

function isAhead(event: EventName, action: Match['action']): boolean {
  return event === 'tool.before' || (action === 'ask' && event === 'permission.request');
}

/** Only a tool call has arguments, so on other events an unknown field is never there. */
function checkFields(
  on: readonly Listen[],
  conditions: readonly Condition[],
  fields: FieldReader,
  report: Report,
): void {
  if (on.length === 0 || on.flatMap(namesOf).some(concernsTool)) return;
  const missing = conditions.find(({ field }) => !(FIELDS as readonly string[]).includes(field));
  if (!missing) return;
  const message = `this event has no field \`${missing.field}\`, so the rule never acts; the fields are ${FIELDS.join(', ')}`;
  report(fields.line('conditions'), 'conditions', message, 'warning');
}
