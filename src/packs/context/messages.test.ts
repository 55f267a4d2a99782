import { describe, expect, it } from 'vitest';
import { GATED_VERBS } from '../../event/gated-verbs.generated.ts';
import { BUILT_IN } from '../index.generated.ts';
import { contextWorld } from './context.fixture.ts';

const RULES = BUILT_IN.map(({ meta }) => meta).filter(({ id }) => id.startsWith('context/'));
const TEXTS = RULES.flatMap((meta) =>
  Object.entries(meta.messages).map(([variant, text]) => [`${meta.id} ${variant}`, { meta, text }] as const),
);

/** Lines of another text, and what is said instead of a nudge while the session is paused: a few words. */
const NO_NUDGES: ReadonlySet<string> = new Set(
  ['usage', 'oversize', 'paused', 'paused-long'].map((variant) => `context/check-context-size ${variant}`),
);
/** Where a nudge points to the context as well, it does so below the next step. */
const POINTS = /^.{0,30}\{contextDir\}$/;
/** What fills a placeholder of a title is a number or a short name. */
const lengthOf = (title: string) => title.replaceAll(/\{\w+\}/g, '0123456789').length;
const SHOUTING = /\b(?:must|never|important|mandatory)\b/i;
/** Asks to repeat a text rather than to act on it. */
const RECITED = /\bverbatim\b/i;
const CLOCK_TIME = /\b\d{1,2}:\d{2}\b/;

const nudges = TEXTS.filter(([name, { meta }]) => meta.nudge !== undefined && !NO_NUDGES.has(name));

it('there are texts of every kind', () => {
  expect(nudges.length).toBeGreaterThan(0);
  const names: readonly string[] = TEXTS.map(([name]) => name);
  expect([...NO_NUDGES].filter((name) => !names.includes(name))).toEqual([]);
});

describe('every text', () => {
  it.each(TEXTS)('%s', (_, { text }) => {
    expect(text).not.toMatch(SHOUTING);
    expect(text).not.toMatch(RECITED);
    expect(text).not.toMatch(CLOCK_TIME);
    expect(text).not.toContain('!');
    expect(text.length).toBeLessThanOrEqual(700);
    expect(text).toBe(text.trim());
  });
});

describe('a nudge has a title, a few facts and the next step', () => {
  it.each(nudges)('%s', (_, { text }) => {
    const lines = text.split('\n');
    const [title = '', ...rest] = POINTS.test(lines.at(-1) ?? '') ? lines.slice(0, -1) : lines;
    const facts = rest.slice(0, -1);
    expect(title).not.toBe('');
    expect(lengthOf(title)).toBeLessThanOrEqual(90);
    expect(rest.at(-1)).toMatch(/^Next: \S/);
    expect(facts.length).toBeLessThanOrEqual(6);
    expect(facts.filter((line) => line.startsWith('Next:'))).toEqual([]);
  });
});

const PERSONAL = GATED_VERBS.flatMap(({ verb, asked }) => (asked === true ? [] : [verb]));

describe('what only a person may run', () => {
  it.each(
    BUILT_IN.flatMap(({ meta }) =>
      Object.entries(meta.messages).map(([variant, text]) => [`${meta.id} ${variant}`, text] as const),
    ),
  )('is named together with the person: %s', (_, text) => {
    const named = PERSONAL.filter((verb) => new RegExp(`fairlead ${verb}(?![\\w-])`).test(text));
    expect(named.length === 0 || /\b(?:person|people|they|them)\b|in a terminal/i.test(text)).toBe(true);
    expect(text).not.toMatch(new RegExp(`^Next: .*fairlead (?:${PERSONAL.join('|')})(?![\\w-])`, 'm'));
  });

  it.each(PERSONAL)('is no next step of the agent, whoever wrote the text: fairlead %s', async (verb) => {
    const world = contextWorld({ only: ['check-knowledge'], files: { '.context/CONVENTIONS.md': 'x\n'.repeat(201) } });
    const wording = `Too long.\nNext: fairlead ${verb}`;
    world.put(`${world.paths.config}/messages/context/check-knowledge/warning.md`, wording);
    const { note, warn } = await world.prompt('Go on.');
    expect(note).toBe(`[context/check-knowledge] Too long.\nNext: the person can run fairlead ${verb}`);
    expect(warn).toContain(`Next: fairlead ${verb}`);
  });
});
