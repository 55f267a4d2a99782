import { describe, expect, it } from 'vitest';
import { tryExamples } from '../engine/trial/try-rule.ts';
import { parseUserRule } from './parse.ts';
import { parseThrottle } from './throttle-text.ts';
import { wholeRuleBody } from './whole-body.ts';

const parse = (...fields: string[]) =>
  parseUserRule(`---\n${fields.join('\n')}\n---\nOne at a time.\n`, {
    file: 'rules/deploy.md',
    namespace: 'user',
    toolAliases: {},
    eventAliases: {},
  });
const deploy = (...more: string[]) => parse('event: bash', 'runs: npm run deploy', 'action: deny', ...more);
const told = (problems: ReturnType<typeof parse>['problems']) =>
  problems.map(({ key, severity }) => `${key} ${severity}`);

describe('lease', () => {
  it('is plain data of the rule', () => {
    const { rule, problems } = deploy('lease: { name: deploy, for: 10m, within: 300ms, else: go on }');
    expect(problems).toEqual([]);
    expect(rule?.meta.lease).toEqual({ name: 'deploy', for: '10m', within: '300ms', else: 'go on' });
    expect(deploy('lease: { name: deploy, for: 10m }').rule?.meta.lease).toEqual({ name: 'deploy', for: '10m' });
  });

  it.each([
    ['no name', ['lease: { for: 10m }'], 'lease.name error'],
    ['a name with blanks', ['lease: { name: a b, for: 10m }'], 'lease.name error'],
    ['no time', ['lease: { name: a }'], 'lease.for error'],
    ['a time that is none', ['lease: { name: a, for: soon }'], 'lease.for error'],
    ['a wait that is too long', ['lease: { name: a, for: 1m, within: 10s }'], 'lease.within error'],
    ['another answer', ['lease: { name: a, for: 1m, else: perhaps }'], 'lease.else error'],
  ])('%s is reported', (_, fields, problem) => {
    expect(told(deploy(...fields).problems)).toEqual([problem]);
  });

  it.each([
    ['advice', ['event: bash', 'runs: npm run deploy', 'action: note']],
    ['an event after which nothing runs', ['event: tool.after', 'pattern: x', 'action: deny']],
  ])('%s has none', (_, fields) => {
    expect(told(parse(...fields, 'lease: { name: a, for: 1m }').problems)).toEqual(['lease error']);
  });

  it('examples show what the others get', async () => {
    const { rule } = deploy(
      'lease: { name: a, for: 1m }',
      'examples:',
      '  deny: [npm run deploy]',
      '  pass: [npm test]',
    );
    if (!rule) throw new Error('no rule');
    const results = await tryExamples({ meta: rule.meta, load: () => wholeRuleBody(rule.match) });
    expect(results.map(({ got }) => got)).toEqual(['deny', 'pass']);
  });
});

describe('team', () => {
  const note = (...more: string[]) => parse('event: bash', 'pattern: x', 'throttle: once per day per team', ...more);

  it('says how old the copy may be, and what is done beyond it', () => {
    expect(note('team: { within: 1m, else: ask }').rule?.meta.team).toEqual({ within: '1m', else: 'ask' });
    expect(note('team: { within: 1m }').rule?.meta.team).toEqual({ within: '1m', else: 'go on' });
    expect(note().rule?.meta).not.toHaveProperty('team');
  });

  it('wants a time, and something that a team shares', () => {
    expect(told(note('team: { else: ask }').problems)).toEqual(['team error']);
    expect(told(parse('event: bash', 'pattern: x', 'team: { within: 1m }').problems)).toEqual(['team warning']);
  });
});

it.each([
  ['once per day per person', { once: 'day', shared: 'person' }],
  ['once per day per path per team', { once: 'day', per: 'path', shared: 'team' }],
  ['cooldown 1h per team', { cooldown: '1h', shared: 'team' }],
  [
    { once: 'day', shared: 'team' },
    { once: 'day', shared: 'team' },
  ],
  ['once per session per team', undefined],
  ['every 5 per team', undefined],
  [{ once: 'day', shared: 'world' }, undefined],
])('the throttle %j', (text, throttle) => {
  expect(parseThrottle(text)).toEqual(throttle);
});
