import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseUserRule } from './parse.ts';
import type { RuleFileOptions } from './parse.ts';

const options: RuleFileOptions = {
  file: 'rules/my-rule.md',
  namespace: 'project',
  toolAliases: { Bash: 'shell', Edit: 'edit', MultiEdit: 'edit', Write: 'write' },
  eventAliases: { BeforeTool: 'tool.before' },
};
const parse = (text: string) => parseUserRule(text, options);
const ruleOf = (...fields: string[]) => {
  const { rule, problems } = parse(`---\n${fields.join('\n')}\n---\nSay it.\n`);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!rule) throw new Error('no rule');
  return rule;
};
const problemsOf = (...fields: string[]) =>
  parse(`---\n${fields.join('\n')}\n---\nSay it.\n`).problems.map(({ line, key, message, severity }) => ({
    line,
    key,
    message,
    severity,
  }));

describe('a whole rule', () => {
  it('is plain data with defaults that follow from its action', () => {
    const { meta, match } = ruleOf(
      'name: no-rm',
      'enabled: true',
      'event: bash',
      'pattern: rm\\s+-rf',
      'action: block',
    );
    expect(meta).toEqual({
      id: 'project/no-rm',
      pack: 'project',
      summary: 'Say it.',
      on: [{ event: 'tool.before', tool: ['shell'] }],
      mode: 'enforce',
      guard: true,
      messages: { message: 'Say it.' },
    });
    expect(match).toEqual({ action: 'deny', variant: 'message', pattern: 'rm\\s+-rf', conditions: [], values: [] });
    expect(JSON.parse(JSON.stringify({ meta, match }))).toEqual({ meta, match });
  });

  it('may stop what it cannot look at', () => {
    expect(ruleOf('event: bash', 'pattern: x', 'action: deny', 'onError: block').meta.onError).toBe('block');
    expect(ruleOf('event: bash', 'pattern: x', 'expect: {tool: read, within: 3}', 'backsOff: true').meta.backsOff).toBe(
      true,
    );
  });

  it.each([
    ['note', 'note', 'advise', false],
    ['warn', 'note', 'advise', false],
    ['ask', 'ask', 'ask', true],
    ['deny', 'deny', 'enforce', true],
    ['block', 'deny', 'enforce', true],
  ])('action %s', (word, action, mode, guard) => {
    const { meta, match } = ruleOf('event: bash', 'pattern: x', `action: ${word}`);
    expect([match.action, meta.mode, meta.guard]).toEqual([action, mode, guard]);
  });

  it('is off when not enabled, and named after its file when it has no name', () => {
    const { meta } = ruleOf('event: bash', 'pattern: x', 'enabled: false');
    expect([meta.mode, meta.id]).toEqual(['off', 'project/my-rule']);
  });

  it('reads Windows line ends and a byte order mark', () => {
    const { rule, problems } = parse('\uFEFF---\r\nname: a\r\nevent: bash\r\npattern: x\r\n---\r\nOne.\r\nTwo.\r\n');
    expect(problems).toEqual([]);
    expect(rule?.meta.messages['message']).toBe('One.\nTwo.');
  });
});

describe('effect', () => {
  it.each([
    [['effect: delete'], [{ event: 'tool.before', effect: ['delete'] }]],
    [
      ['effect: [write, delete]', 'paths: db/**'],
      [{ event: 'tool.before', effect: ['write', 'delete'], paths: ['db/**'] }],
    ],
    [['effect: push', 'event: bash'], [{ event: 'tool.before', tool: ['shell'], effect: ['push'] }]],
    [['effect: push', 'event: [tool.after, stop]'], [{ event: 'tool.after', effect: ['push'] }]],
    [['effect: write', 'tool: mcp'], [{ event: 'tool.before', tool: ['mcp'], effect: ['write'] }]],
  ])('%j', (fields, on) => {
    const { meta, match } = ruleOf(...fields);
    expect(meta.on).toEqual(on);
    expect(match.hearsEffects).toBe(true);
  });

  it.each([
    ['a kind there is not', ['effect: deletes'], 'there is no effect `deletes`; did you mean `delete`?'],
    ['nothing like a kind', ['effect: x'], 'it is one of delete, overwrite'],
    ['an event without effects', ['effect: delete', 'event: prompt'], 'only tool calls have effects'],
  ])('reports %s', (_, fields, message) => {
    expect(problemsOf(...fields)).toMatchObject([{ severity: 'error', message: expect.stringContaining(message) }]);
  });

  it('warns of a placeholder that nothing fills without it', () => {
    const { problems } = parse('---\nevent: bash\npattern: x\n---\nNot {target}.\n');
    expect(problems).toMatchObject([{ severity: 'warning', message: 'only a rule with `effect` fills `{target}`' }]);
  });
});

describe('event and tool', () => {
  it.each([
    [['event: bash'], [{ event: 'tool.before', tool: ['shell'] }]],
    [['event: file'], [{ event: 'tool.before', tool: ['write', 'edit'] }]],
    [['event: prompt'], [{ event: 'prompt.submit' }]],
    [['event: stop'], [{ event: 'turn.stop' }]],
    [['event: all'], [{ event: ['tool.before', 'prompt.submit', 'turn.stop'] }]],
    [[], [{ event: ['tool.before', 'prompt.submit', 'turn.stop'] }]],
    [['event: [prompt, tool.failed]'], [{ event: 'prompt.submit' }, { event: 'tool.failed' }]],
    [['event: BeforeTool', 'tool: Edit|Write'], [{ event: 'tool.before', tool: ['edit', 'write'] }]],
    [['event: file', 'tool_matcher: MultiEdit'], [{ event: 'tool.before', tool: ['edit'] }]],
    [['event: all', 'tool_matcher: Bash'], [{ event: 'tool.before', tool: ['shell'] }]],
    [['event: all', "tool_matcher: '*'"], [{ event: ['tool.before', 'prompt.submit', 'turn.stop'] }]],
    [
      ['event: tool.after', 'tool: [bash, mcp__tickets__close]'],
      [
        { event: 'tool.after', tool: ['shell'] },
        { event: 'tool.after', name: ['mcp__tickets__close'] },
      ],
    ],
  ])('%j', (fields, on) => {
    expect(ruleOf(...fields, 'pattern: x').meta.on).toEqual(on);
  });

  it('puts a literal that a condition demands into the word index, and only there where it is sure to be found', () => {
    const conditions = (field: string, operator: string, pattern: string) => [
      'event: bash',
      'conditions:',
      `  - field: ${field}`,
      `    operator: ${operator}`,
      `    pattern: ${pattern}`,
    ];
    expect(ruleOf(...conditions('command', 'contains', 'npm publish')).meta.on[0]?.words).toEqual(['npm publish']);
    expect(ruleOf(...conditions('command', 'not_contains', 'npm')).meta.on[0]?.words).toBeUndefined();
    expect(ruleOf(...conditions('command', 'contains', 'say "hi"')).meta.on[0]?.words).toBeUndefined();
    expect(ruleOf(...conditions('file_path', 'contains', 'src')).meta.on[0]?.words).toBeUndefined();
  });
});

describe('patterns as people write them', () => {
  it.each([
    ['rm\\s+-rf', 'rm\\s+-rf'],
    ['\\.env$', '\\.env$'],
    ['"rm\\\\s+-rf"', 'rm\\s+-rf'],
    ['"\\bfoo\\s"', '\\bfoo\\s'],
    ["'it''s'", "it's"],
    ['[a-z]+=', '[a-z]+='],
    ['key: value', 'key: value'],
    ['&& rm', '&& rm'],
    ['777', '777'],
    ['"foo" # why', 'foo'],
  ])('%s', (written, pattern) => {
    expect(ruleOf('event: bash', `pattern: ${written}`).match.pattern).toBe(pattern);
  });

  it('reads a condition on one line and defaults its operator', () => {
    expect(
      ruleOf(
        'event: bash',
        'conditions:',
        '  - field: command, operator: contains, pattern: rm',
        '  - field: command',
        '    pattern: -rf',
      ).match.conditions,
    ).toEqual([
      { field: 'command', operator: 'contains', pattern: 'rm' },
      { field: 'command', operator: 'regex_match', pattern: '-rf' },
    ]);
  });
});

describe('throttle', () => {
  it.each([
    ['once per turn', { once: 'turn' }],
    ['once per session per path', { once: 'session', per: 'path' }],
    ['once per path', { once: 'key', per: 'path' }],
    ['cooldown 10m', { cooldown: '10m' }],
    ['every 5', { every: 5 }],
    ['{ once: turn, per: command }', { once: 'turn', per: 'command' }],
    ['{ cooldown: 1h, per: path }', { cooldown: '1h', per: 'path' }],
    ['{ every: 3 }', { every: 3 }],
    ['{ adaptive: [{ after: 0, every: 5 }] }', { adaptive: [{ after: 0, every: 5 }] }],
  ])('%s', (written, throttle) => {
    expect(ruleOf('event: bash', 'pattern: x', `throttle: ${written}`).meta.throttle).toEqual(throttle);
  });

  it.each([
    'sometimes',
    'once per moon',
    'cooldown soon',
    'every 0',
    '{ once: turn, every: 2 }',
    '[turn]',
    '{ once: key }',
  ])('%s is none', (written) => {
    expect(problemsOf('event: bash', 'pattern: x', `throttle: ${written}`)).toEqual([
      { line: 4, key: 'throttle', message: expect.stringContaining('once per'), severity: 'error' },
    ]);
  });

  it('is questioned on a rule that stops', () => {
    expect(problemsOf('event: bash', 'pattern: x', 'action: deny', 'throttle: once per turn')).toMatchObject([
      { line: 5, severity: 'warning' },
    ]);
  });
});

describe('problems name their line', () => {
  it.each([
    [['event: bash', 'patern: x', 'words: [a]'], 3, 'patern', /did you mean `pattern`/],
    [['name: a', 'event: bsh', 'pattern: x'], 3, 'event', /did you mean `bash`/],
    [['event: bash', 'pattern: x', 'action: blok'], 4, 'action', /did you mean `block`/],
    [['event: bash', 'pattern: a(?!b)'], 3, 'pattern', /at character 2: .*not_regex_match/],
    [['event: bash', 'pattern: (a'], 3, 'pattern', /at character 1: .*never closed/],
    [
      ['event: bash', 'conditions:', '  - field: command', '    operator: regex_match', '    pattern: (a)\\1'],
      6,
      'conditions[0].pattern',
      /linear time/,
    ],
    [
      ['event: bash', 'conditions:', '  - field: command', '    operator: like', '    pattern: a'],
      5,
      'conditions[0].operator',
      /one of regex_match/,
    ],
    [['event: bash', 'conditions:', '  - operator: contains', '    pattern: a'], 4, 'conditions[0]', /no `field`/],
    [['event: bash', 'pattern: x', 'pattern: y'], 4, '', /unique/],
    [['event: bash', 'words: &w [a]', 'paths: *w'], 4, '', /aliases/],
    [['event: bash', 'pattern: x', 'onError: block'], 4, 'onError', /only advises/],
    [['event: bash', 'pattern: x', 'backsOff: true'], 4, 'backsOff', /without `expect`/],
    [['event: bash', 'pattern: x', 'backsOff: true', 'action: deny'], 4, 'backsOff', /only advice backs off/],
    [['event: bash', 'pattern: x', 'onError: stop'], 4, 'onError', /pass/],
    [['event: bash', 'pattern: x', 'priority: 1000'], 4, 'priority', /from 0 to 100/],
    [['event: bash', 'pattern: x', 'enabled: maybe'], 4, 'enabled', /`true` or `false`/],
    [['event: bash', 'pattern: x', 'mode: enfroce'], 4, 'mode', /enforce/],
    [['name: my rule!', 'event: bash', 'pattern: x'], 2, 'name', /use `my-rule`/],
    [['event: tool.before'], 2, 'event', /every tool call/],
    [['event: prompt', 'tool: Bash', 'pattern: x'], 3, 'tool', /never act/],
    [['event: bash', 'pattern: x', 'expect:', '  within: 3'], 4, 'expect', /needs/],
    [
      ['event: bash', 'pattern: x', 'examples:', '  deny:', '    - { comand: a }'],
      6,
      'examples.deny[0].comand',
      /did you mean `command`/,
    ],
    [['event: bash', 'pattern:'], 3, 'pattern', /must be a text/],
    [['event: bash', 'pattern: x', `summary: ${'['.repeat(5_000)}`], 4, '', /YAML/],
  ])('%j', (fields, line, key, message) => {
    const problems = problemsOf(...fields);
    expect(problems).toContainEqual({ line, key, message: expect.stringMatching(message), severity: 'error' });
    expect(parse(`---\n${fields.join('\n')}\n---\nSay it.\n`).rule).toBeUndefined();
  });

  it.each([
    [['event: bash', 'conditions:', '  - field: comand', '    pattern: a'], 4, /did you mean `command`/],
    [
      ['event: bash', 'conditions:', '  - field: command', '    operator: contains', '    pattern: a|b'],
      6,
      /alternatives/,
    ],
    [['event: tool.before', 'tool: Bsh', 'pattern: x'], 3, /did you mean `Bash`/],
    [['event: tool.before', 'tool: mcp__.*', 'pattern: x'], 3, /whole name/],
    [['event: stop', 'pattern: x', 'action: ask'], 4, /nobody/],
    [
      ['event: stop', 'conditions:', '  - field: test_commands', '    operator: equals', '    pattern: ""'],
      3,
      /never acts/,
    ],
  ])('%j is only questioned', (fields, line, message) => {
    const warnings = problemsOf(...fields);
    expect(warnings).toMatchObject([{ line, severity: 'warning', message: expect.stringMatching(message) }]);
    expect(ruleOf(...fields)).toBeDefined();
  });

  it.each([
    ['no front matter', 1, /no front matter/],
    ['---\nevent: bash\n', 1, /never closed/],
    ['---\n---\nText', 2, /no fields/],
    ['---\nevent: bash\npattern: x\n---\n\n', 5, /message is empty/],
    [`---\nevent: bash\npattern: x\n---\n${'x'.repeat(70_000)}`, 1, /64 KiB/],
    ['---\nevent: bash\npattern: x\n---\nOne.\nStop {comand}.', 6, /did you mean `command`/],
    ['---\nevent: bash\npattern: x\n---\nOne.\nStop {whatever}.', 6, /\{path\}/],
    ['---\nevent: bash\npattern: x\n---\nUse `{comand}`.', 5, /did you mean `command`/],
  ])('%#', (text, line, message) => {
    expect(parse(text).rule).toBeUndefined();
    expect(parse(text).problems).toMatchObject([{ line, message: expect.stringMatching(message) }]);
  });
});

it('takes braces in code and shell variables as text', () => {
  const { rule, problems } = parse(
    '---\nevent: bash\npattern: x\n---\n{match}: use `import {foo}` or ${HOME}.\n\n```ts\nimport {bar} from "x";\n```\n',
  );
  expect(problems).toEqual([]);
  expect(rule?.match.values).toEqual(['match']);
});

describe('the examples that come with the product', () => {
  const dir = new URL('../../examples/rules/', import.meta.url);
  it.each(readdirSync(dir))('%s has no problem and a near miss', (file) => {
    const { rule, problems } = parseUserRule(readFileSync(new URL(file, dir), 'utf8'), { ...options, file });
    expect(problems).toEqual([]);
    expect(rule?.meta.id).toBe(`project/${file.replace('.md', '')}`);
  });
});

it('the rules shown in the guide have no problem', () => {
  const guide = readFileSync(new URL('../../docs/writing-a-rule.md', import.meta.url), 'utf8');
  const shown = [...guide.matchAll(/^```markdown\n(.*?)^```$/gms)].map(([, text]) => text as string);
  expect(shown.length).toBeGreaterThan(2);
  for (const text of shown) expect(parse(text).problems).toEqual([]);
});

it.each([
  ['~/.ssh/**', /`~` is not expanded/],
  ['!src/**', /cannot be turned round/],
  ['../other/**', /start at the workspace root/],
  ['./src/**', /start at the workspace root/],
])('warns of a path that never matches: %s', (path, why) => {
  expect(problemsOf('effect: write', `paths: ['${path}']`)).toEqual([
    { line: 3, key: 'paths', message: expect.stringMatching(why), severity: 'warning' },
  ]);
});
