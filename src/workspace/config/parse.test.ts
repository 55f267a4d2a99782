import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { parseConfig } from './parse.ts';

const parse = (text: string) => parseConfig(text, 'config.yaml');

describe('a valid file', () => {
  it('gives every setting of the documented form', () => {
    const { config, problems } = parse(`
packs:
  basics: { enabled: true, mode: advise, limit: 3 }
  guard: off
rules:
  basics/repeated-failure: { enabled: true, mode: ask, throttle: { once: turn, per: path }, priority: 60, options: { after: 2 } }
  basics/short: shadow
  basics/none: off
  basics/some: on
attention: { event: 1, turn: 2, session: 3 }
ledger: { days: 1, rows: 2, bodies: off }
state: { pruneDays: 9 }
breaker: { failures: 1, windowSeconds: 2, recoverySeconds: 3 }
`);
    expect(problems).toEqual([]);
    expect(config).toEqual({
      packs: { basics: { enabled: true, mode: 'advise', options: { limit: 3 } }, guard: { enabled: false } },
      rules: {
        'basics/repeated-failure': {
          enabled: true,
          mode: 'ask',
          throttle: { once: 'turn', per: 'path' },
          priority: 60,
          options: { after: 2 },
        },
        'basics/short': { enabled: true, mode: 'shadow' },
        'basics/none': { enabled: false },
        'basics/some': { enabled: true },
      },
      attention: { event: 1, turn: 2, session: 3 },
      ledger: { days: 1, rows: 2, bodies: 0 },
      state: { pruneDays: 9 },
      breaker: { failures: 1, windowSeconds: 2, recoverySeconds: 3 },
    });
  });

  it.each([
    ['empty', '', {}],
    ['only a comment', '# later\n', {}],
    ['only a document mark', '---\n', {}],
    ['a heading without settings', 'rules:\n  # a/b: off\n', { rules: {} }],
    ['a byte order mark', '\uFEFFstate: { pruneDays: 2 }\n', { state: { pruneDays: 2 } }],
    [
      'the server of a team as an address',
      'state: { team: "rediss://a.example" }\n',
      { state: { team: { url: 'rediss://a.example' } } },
    ],
    [
      'the server of a team',
      'state: { team: { url: "redis://[::1]:7000,127.0.0.1/2", name: acme, passwordFile: ~/key } }\n',
      { state: { team: { url: 'redis://[::1]:7000,127.0.0.1/2', name: 'acme', passwordFile: '~/key' } } },
    ],
    ['Windows line ends', 'state:\r\n  pruneDays: 2\r\n', { state: { pruneDays: 2 } }],
    ['mode: off as YAML 1.2 text', 'rules:\n  a/b: { mode: off }\n', { rules: { 'a/b': { mode: 'off' } } }],
    [
      'mode: off as YAML 1.1 false',
      '%YAML 1.1\n---\nrules:\n  a/b: { mode: off }\n',
      { rules: { 'a/b': { mode: 'off' } } },
    ],
    ['off as YAML 1.1 false', '%YAML 1.1\n---\nrules:\n  a/b: off\n', { rules: { 'a/b': { enabled: false } } }],
    [
      'a few aliases',
      'rules:\n  a/b: &x { mode: ask }\n  a/c: *x\n',
      { rules: { 'a/b': { mode: 'ask' }, 'a/c': { mode: 'ask' } } },
    ],
    [
      'throttle: cooldown',
      'rules:\n  a/b: { throttle: { cooldown: 4h } }\n',
      { rules: { 'a/b': { throttle: { cooldown: '4h' } } } },
    ],
    [
      'throttle: adaptive',
      'rules:\n  a/b: { throttle: { adaptive: [{ after: 3, every: 5 }] } }\n',
      { rules: { 'a/b': { throttle: { adaptive: [{ after: 3, every: 5 }] } } } },
    ],
  ])('%s', (_name, text, config) => {
    expect(parse(text)).toEqual({ config, problems: [] });
  });
});

describe('an invalid file names line and key', () => {
  it.each([
    ['a wrong mode', 'rules:\n  a/b:\n    mode: advice\n', 3, 'rules.a/b.mode', 'did you mean `advise`?'],
    ['a wrong short form', 'rules:\n  a/c: off\n  a/b: enforced\n', 3, 'rules.a/b.mode', 'did you mean `enforce`?'],
    ['a quoted number', 'attention:\n  turn: 5\n  event: "9000"\n', 3, 'attention.event', 'the text "9000"'],
    ['a negative number', 'ledger: { days: -1 }\n', 1, 'ledger.days', 'a whole number from 1, found -1'],
    ['infinity', 'packs:\n  a:\n    x: .inf\n', 3, 'packs.a.x', 'finite'],
    ['a list for a map', '\nrules:\n  - a/b\n', 2, 'rules', 'a map of settings, found a list'],
    ['a list as the whole', '- a\n', 1, '', 'a map of settings, found a list'],
    ['text as the whole', 'hello\n', 1, '', 'found the text "hello"'],
    ['a rule without its pack', 'rules:\n  repeated-failure: off\n', 2, 'rules.repeated-failure', 'pack/name'],
    ['a prototype', 'packs:\n  a:\n    __proto__: { x: 1 }\n', 3, 'packs.a.__proto__', 'not allowed'],
    ['a prototype as a rule', 'rules:\n  __proto__: { mode: off }\n', 2, 'rules.__proto__', 'not allowed'],
    [
      'two throttles',
      'rules:\n  a/b:\n    throttle: { once: turn, every: 2 }\n',
      3,
      'rules.a/b.throttle',
      'expected a throttle',
    ],
    [
      'a throttle without its key',
      'rules:\n  a/b: { throttle: { once: key } }\n',
      2,
      'rules.a/b.throttle',
      'expected a throttle',
    ],
    ['no duration', 'rules:\n  a/b: { throttle: { cooldown: 5 } }\n', 2, 'rules.a/b.throttle', 'expected a throttle'],
    ['a key written twice', 'state: {}\nrules: {}\nstate: {}\n', 3, 'state', 'twice'],
    ['a tab', 'rules:\n\ta/b: off\n', 2, '', 'tab'],
    ['two documents', 'state: {}\n---\nrules: {}\n', 2, '', 'more than one document'],
    ['an unclosed brace', 'state: {\n', 2, '', 'not valid YAML'],
  ])('%s', (_name, text, line, key, message) => {
    const { config, problems } = parse(text);
    expect(config).toBeUndefined();
    expect(problems).toContainEqual(
      expect.objectContaining({
        file: 'config.yaml',
        line,
        key,
        severity: 'error',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('reports all of them, not the first', () => {
    const { problems } = parse(
      'state: { pruneDays: x }\nledger: { days: y }\nrules:\n  a/b: { mode: z, priority: 101 }\n',
    );
    expect(problems.map(({ line, key }) => `${line} ${key}`)).toEqual([
      '4 rules.a/b.mode',
      '4 rules.a/b.priority',
      '2 ledger.days',
      '1 state.pruneDays',
    ]);
  });
});

it.each([
  ['ruels:\n  a/b: off\nstate: { pruneDays: 3 }\n', 1, 'ruels', '; did you mean `rules`?', { state: { pruneDays: 3 } }],
  [
    'rules:\n  a/b:\n    mode: ask\n    mdoe: ask\n',
    4,
    'rules.a/b.mdoe',
    '; did you mean `mode`?',
    { rules: { 'a/b': { mode: 'ask' } } },
  ],
  ['state:\n  zzz: 1\n', 2, 'state.zzz', '', { state: {} }],
])('an unknown key is a warning and the rest stands: %j', (text, line, key, hint, config) => {
  expect(parse(text)).toEqual({
    config,
    problems: [{ file: 'config.yaml', line, key, message: `unknown key${hint}`, severity: 'warning' }],
  });
});

describe('hostile files', () => {
  it('an alias bomb costs nothing', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) =>
        `  l${at}: &l${at} [${Array(10)
          .fill(at === 0 ? 'x' : `*l${at - 1}`)
          .join(', ')}]`,
    );
    const { config, problems } = parse(
      `packs:\n${levels
        .map((line) => `  ${line}`)
        .join('\n')
        .replace('    l0', '  a:\n    l0')}\n`,
    );
    expect(config).toBeUndefined();
    expect(problems[0]).toMatchObject({ severity: 'error', message: expect.stringContaining('aliases') });
    expect(problems[0]?.line).toBeGreaterThan(1);
  });

  it('an alias to itself', () => {
    expect(parse('packs:\n  a: &a { b: *a }\n').config).toBeUndefined();
  });

  it('deep nesting', () => {
    expect(parse(`packs: ${'['.repeat(100_000)}`).config).toBeUndefined();
    expect(parse(`packs: { a: { b: ${'['.repeat(20_000)}${']'.repeat(20_000)} } }`).config).toBeUndefined();
  });

  it('never throws, and gives a config exactly when there is no error', () => {
    const piece = fc.constantFrom(
      'rules',
      'packs',
      'a/b',
      'mode',
      'off',
      ':',
      ' ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      '- ',
      '"',
      '&x ',
      '*x',
      '!!binary ',
      '? ',
      '<<',
      '1',
      '~',
      '\t',
      '%',
      '---\n',
      '|',
      '__proto__',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const { config, problems } = parse(text);
          expect(config === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
          if (config) expect(JSON.parse(JSON.stringify(config))).toEqual(config);
        },
      ),
      cases(2000),
    );
  });
});

describe('the address of a team’s state', () => {
  it.each([
    ['redis://a.example', 'redis:// beyond this machine is plain text; use rediss://, or say insecure: true'],
    ['https://a.example', 'expected redis://HOST:PORT or rediss://HOST:PORT, several with commas'],
    ['rediss://', 'expected redis://HOST:PORT or rediss://HOST:PORT, several with commas'],
    ['rediss://me:secret@a.example', 'the address has a user or a password; use user and passwordFile'],
    ['rediss://a.example:99999', 'expected HOST:PORT after redis://'],
    ['rediss://a.example,', 'expected HOST:PORT after redis://'],
    ['rediss://a.example?cluster', 'expected redis://HOST:PORT or rediss://HOST:PORT, several with commas'],
  ])('%s is refused', (url, message) => {
    const { config, problems } = parse(`state:\n  team: '${url}'\n`);
    expect(config).toBeUndefined();
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });

  it('is looked at key by key', () => {
    const { problems } = parse('state: { team: { url: rediss://a.example, name: "a b", port: 1 } }\n');
    expect(problems.map(({ message }) => message).sort()).toEqual([
      'expected a name of letters, digits, -, . and _',
      expect.stringContaining('unknown key'),
    ]);
  });
});
