import { asPath, own } from '../engine/rule.ts';
import type { Event } from '../event/event.ts';
import { MENDABLE } from '../event/keeping.ts';
import type { Effect, MessageValue, Outcome, RuleBody, RuleContext } from '../engine/rule.ts';
import { fieldTexts, mainTexts } from './event-fields.ts';
import { compilePattern, PatternLimitError } from './pattern.ts';

export const OPERATORS = [
  'regex_match',
  'not_regex_match',
  'contains',
  'not_contains',
  'equals',
  'starts_with',
  'ends_with',
] as const;
export type Operator = (typeof OPERATORS)[number];

export const PLACEHOLDERS = ['path', 'file', 'command', 'match', 'tool', 'prompt', 'effect', 'target', 'seen'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
/** Those that tell of the first effect the rule listens to. */
export const EFFECT_PLACEHOLDERS: readonly Placeholder[] = ['effect', 'target', 'seen'];

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly pattern: string;
}

/** What a user's rule looks at and does; plain data, so it can be stored and used again without reading the rule file. */
export interface Match {
  readonly action: 'note' | 'save' | 'ask' | 'deny';
  readonly variant: string;
  /** The rule listens to effects, so it cannot act on a call whose effects could not be read. */
  readonly hearsEffects?: boolean;
  /** Commands as they are typed; the call has to run one of them. */
  readonly runs?: readonly string[];
  /** Commands that keep the rule silent once they ran. */
  readonly unless?: readonly string[];
  /** Held against the event's main text. */
  readonly pattern?: string;
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** The placeholders that the message uses. */
  readonly values: readonly Placeholder[];
}

interface Test {
  texts(event: Event, context: RuleContext): readonly string[];
  /** What costs less to get: where nothing of it fits, no text does. */
  sample?(event: Event, context: RuleContext): readonly string[];
  test(text: string): boolean;
  /** True for an operator that must hold for every text, such as `not_contains`. */
  readonly every: boolean;
  find(text: string): string | undefined;
}

/** Why a rule about commands is silent; undefined where it may speak. */
type Silence = (match: Match, event: Event, context: RuleContext) => string | undefined;

/** The code of a user's rule; one about commands needs `silence`. Its patterns are compiled when it first runs. */
export function userRuleBody(match: Match, silence?: Silence): RuleBody {
  let tests: readonly Test[] | undefined;
  return {
    check(event, context): Outcome {
      const why = silence?.(match, event, context);
      return why === undefined ? say(event, context) : context.pass(why);
    },
  };

  function say(event: Event, context: RuleContext): Outcome {
    if (match.action === 'deny' && event.stop?.again === true)
      return context.pass('the agent was already kept going once');
    const effect = match.hearsEffects === true ? context.effects[0] : undefined;
    tests ??= compileTests(match);
    const texts: (readonly string[])[] = [];
    try {
      for (const test of tests) {
        if (test.sample?.(event, context).some(test.test) === false) return context.pass('the text does not match');
        const candidates = test.texts(event, context);
        const holds = test.every ? candidates.length > 0 && candidates.every(test.test) : candidates.some(test.test);
        if (!holds) return context.pass('the text does not match');
        texts.push(candidates);
      }
    } catch (error) {
      // What a guard cannot look at, a person decides; advice is not worth a question.
      if (!(error instanceof PatternLimitError) || match.action === 'note') throw error;
      return context.ask(
        match.variant,
        valuesOf(match.values, event, effect, context, () => ''),
      );
    }
    const values = valuesOf(match.values, event, effect, context, () => firstMatch(tests ?? [], texts));
    if (match.action === 'save' || (match.action === 'ask' && context.mode === 'save'))
      return context.save(destroyed(event, context), match.variant, values);
    return context[match.action](match.variant, values);
  }
}

/** What the call destroys; of a tool that names files, those. */
function destroyed({ tool }: Event, { effects }: RuleContext): readonly (string | Effect)[] {
  const mendable = effects.filter(({ kind }) => MENDABLE.has(kind));
  return mendable.length > 0 ? mendable : (tool?.paths ?? []);
}

function firstMatch(tests: readonly Test[], texts: readonly (readonly string[])[]): string {
  const first = tests.findIndex((test) => !test.every);
  try {
    return texts[first]?.map((text) => tests[first]?.find(text)).find((text) => text !== undefined) ?? '';
  } catch (error) {
    if (error instanceof PatternLimitError) return '';
    throw error;
  }
}

function compileTests({ pattern, conditions }: Match): readonly Test[] {
  const ofPattern: Test[] =
    pattern === undefined ? [] : [{ texts: mainTexts, every: false, ...compilePattern(pattern, { ignoreCase: true }) }];
  return [...ofPattern, ...conditions.map(compileCondition)];
}

function compileCondition({ field, operator, pattern }: Condition): Test {
  const texts = (event: Event, context: RuleContext) => fieldTexts(field, event, context);
  const every = operator === 'not_contains' || operator === 'not_regex_match';
  const sample = (event: Event, context: RuleContext) => fieldTexts('new_text', event, context);
  const more = field === 'added_text' && !every ? { sample } : {};
  if (operator === 'regex_match') return { texts, every, ...more, ...compilePattern(pattern, { ignoreCase: true }) };
  const test = testOf(operator, pattern);
  return { texts, test, every, ...more, find: (text) => (test(text) ? pattern : undefined) };
}

function testOf(operator: Exclude<Operator, 'regex_match'>, pattern: string): (text: string) => boolean {
  switch (operator) {
    case 'not_regex_match': {
      const { test } = compilePattern(pattern, { ignoreCase: true });
      return (text) => !test(text);
    }
    case 'contains':
      return (text) => text.includes(pattern);
    case 'not_contains':
      return (text) => !text.includes(pattern);
    case 'equals':
      return (text) => text === pattern;
    case 'starts_with':
      return (text) => text.startsWith(pattern);
    case 'ends_with':
      return (text) => text.endsWith(pattern);
  }
}

function valuesOf(
  names: readonly Placeholder[],
  event: Event,
  effect: Effect | undefined,
  context: RuleContext,
  matched: () => string,
): Record<string, MessageValue> {
  const path = effect?.path ?? event.tool?.paths[0] ?? event.place?.path;
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));

  function valueOf(name: Placeholder): MessageValue {
    switch (name) {
      case 'path':
        return asPath(path === undefined ? '' : context.workspace.relative(path));
      case 'file':
        return asPath(path?.split(/[/\\]/).at(-1) ?? '');
      case 'command':
        return event.tool?.command ?? '';
      case 'match':
        return matched();
      case 'tool':
        return event.tool?.name ?? '';
      case 'prompt':
        return event.prompt?.text ?? '';
      case 'effect':
        return own(effect?.kind ?? '');
      case 'target':
        return effect?.scope === undefined ? (effect?.target ?? '') : asPath(effect.target);
      case 'seen':
        return effect?.seen ?? '';
    }
  }
}
