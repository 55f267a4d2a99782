import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { cases, isLong } from '../../../test/cases.ts';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { kimiInstaller as installer } from './install.ts';

const deliveryOf = (command: string, hears: (event: EventName) => boolean = () => true): Delivery => ({
  launch: { command, args: [], homeArgs: ['--state', '/s p\'ace "q"'] },
  hears,
  failsClosed: (event) => event === 'tool.before',
});
const OURS = deliveryOf('/opt/f/fairlead-client');

function added(text: string, delivery = OURS) {
  const result = installer.add(text, delivery);
  if ('refusal' in result) throw new Error(result.refusal);
  return { ...result, text: applyEdits(text, result.edits) };
}
const removed = (text: string, kept = {}) => applyEdits(text, installer.remove(text, kept));
const hooksIn = (text: string) => (parse(text)['hooks'] ?? []) as readonly Record<string, unknown>[];
const isToml = (text: string) => !installer.read(text).problems.some(({ path }) => path === '');
/** Words by which our entries are known. */
const line = (event: string) => `/f/fairlead hook --agent kimi --event ${event}`;

/** A file as people write it: comments, other settings, hooks of others, and texts that look like tables. */
const WRITTEN = `# mine
default_model = "k2" # not [[hooks]]
note = """
[[hooks]]
event = "Stop" """

[[hooks]] # theirs
event = "PreToolUse"
matcher = "Write|Edit"
command = '''
./check.sh "[x]"'''

[providers.mine]
type = "openai"
list = [
  "a", # ]
  [ "b" ],
]
`;

describe('entries in the settings of the client', () => {
  it('are tables with a line for a shell; that for calls stops where nothing starts', () => {
    const entries = hooksIn(added('').text);
    expect(entries.map(({ event }) => event)).toEqual(installer.wired.map(({ name }) => name));
    expect(entries.find(({ event }) => event === 'PreToolUse')).toEqual({
      event: 'PreToolUse',
      command: `/opt/f/fairlead-client hook --agent kimi --event PreToolUse --state '/s p'\\''ace "q"' --within 55000 || /bin/sh -c 'echo "Fairlead cannot start: run fairlead init again, or take its hooks out of ~/.kimi-code/config.toml" >&2; exit 2'`,
      timeout: 60,
    });
    expect(entries.find(({ event }) => event === 'Stop')).toMatchObject({
      command: expect.not.stringContaining('||'),
      timeout: 10,
    });
    const some = added(
      '',
      deliveryOf('/f/fairlead', (event) => event === 'permission.denied'),
    );
    expect(hooksIn(some.text)).toMatchObject([{ event: 'PostToolUseFailure' }]);
  });

  it('stand behind all else, and go without a trace', () => {
    for (const before of [WRITTEN, WRITTEN.trimEnd(), WRITTEN.replaceAll('\n', '\r\n'), '', '# only this', '\n\n']) {
      const { text, kept, edits } = added(before);
      expect(text.startsWith(before)).toBe(true);
      const { own, foreign, problems, others } = installer.read(text);
      expect({ own: own.length, problems }).toEqual({ own: installer.wired.length, problems: [] });
      expect([foreign, others.length]).toEqual(before.includes('theirs') ? [1, 1] : [0, 0]);
      expect(own.find(({ event }) => event === 'PreToolUse')).toMatchObject({ blocks: true });
      expect(added(text).text, 'a second time').toBe(text);
      expect(removed(text, kept)).toBe(before);
      expect(applyEdits(text, invertEdits(edits))).toBe(before);
    }
  });

  it('go where the file has changed since, and leave what came', () => {
    const { text, kept } = added(WRITTEN);
    const [first = ''] = text.slice(WRITTEN.length).split('\n\n[[hooks]]');
    const later = `${text.replace('"k2"', '"k3"').replace(first, `${first}\n# a word of mine`)}\n[thinking]\nenabled = true\n`;
    expect(removed(later, kept)).toBe(
      `${WRITTEN.replace('"k2"', '"k3"')}# a word of mine\n\n[thinking]\nenabled = true\n`,
    );
  });

  it('are brought to where the program is now, with the limit and the matcher that a person has set', () => {
    const { text } = added(WRITTEN);
    const set = text.replace('timeout = 60\n', 'timeout = 30 # enough\nmatcher = "Bash"\n');
    const moved = added(set, deliveryOf('/new/fairlead-client')).text;
    expect(moved).not.toContain('/opt/f/');
    expect(moved).toContain('timeout = 30 # enough\nmatcher = "Bash"\n');
    expect(moved).toContain('--within 29000');
    const [own] = installer.read(moved).own.filter(({ narrowed }) => narrowed);
    expect(own).toMatchObject({ event: 'PreToolUse', narrowed: [{ setting: 'matcher', value: 'Bash' }] });
    const fewer = added(
      text,
      deliveryOf('/opt/f/fairlead-client', (event) => event === 'tool.before'),
    ).text;
    expect(hooksIn(fewer).map(({ event }) => event)).toEqual(['PreToolUse', 'PreToolUse']);
  });

  it('are refused where the file is broken, or keeps hooks in a form that is not changed', () => {
    const refused = (text: string) => installer.add(text, OURS);
    expect(installer.read('a = 1\nb = [\n').problems).toMatchObject([
      { path: '', message: expect.stringMatching(/^not valid TOML: /), line: 3, disables: 'file' },
    ]);
    expect(refused('a = 1\na = 2\n')).toMatchObject({ refusal: expect.stringContaining('not valid TOML') });
    for (const text of [
      'hooks = []\n',
      `hooks = [{ event = "Stop", command = "x" }]\n`,
      '[hooks]\nevent = "Stop"\n',
      'hooks.event = "Stop"\n',
      '["h\\u006foks"]\n',
      `[["h\\u006foks"]]\nevent = "Stop"\ncommand = "${line('Stop')}"\n`,
    ])
      expect(refused(text), text).toMatchObject({ refusal: expect.stringContaining('[[hooks]] tables') });
  });

  it('that somebody wrote as a list go too, and what is not ours stays', () => {
    const list = `a = 1\nhooks = [ # all\n  { event = "Stop", command = "${line('Stop')}" },\n  { event = "Stop", command = "x" },\n]\n[b]\n`;
    expect(installer.read(list).own).toHaveLength(1);
    expect(removed(list)).toBe('a = 1\n[b]\n\n[[hooks]]\nevent = "Stop"\ncommand = "x"\n');
    expect(removed(`hooks = [{ event = "Stop", command = "${line('Stop')}" }]\n`)).toBe('');
  });

  it('are all left out by the client where one is wrong, and doctor knows which', () => {
    const problems = (...lines: readonly string[]) =>
      installer.read(['[[hooks]]', ...lines].join('\n')).problems.map(({ path }) => path);
    expect(problems('event = "Stop"', 'command = "x"', 'timeout = 600', 'matcher = ""')).toEqual([]);
    expect(problems('event = "TurnStarted"', 'command = "x"')).toEqual([]);
    expect(problems('event = "stop"', 'command = "x"')).toEqual(['hooks.0.event']);
    expect(problems('event = "Stop"')).toEqual(['hooks.0.command']);
    expect(problems('event = "Stop"', 'command = "x"', 'timeout = 0.5')).toEqual(['hooks.0.timeout']);
    expect(problems('event = "Stop"', 'command = "x"', 'async = true')).toEqual(['hooks.0.async']);
    expect(installer.read('hooks = 3').problems.map(({ path }) => path)).toEqual(['hooks']);
  });
});

describe('whatever a file holds', () => {
  const quoted = fc.constantFrom(
    ...['"x"', "'x'", '"[[hooks]] # \\" "', "'\"'", '"""\n[[hooks]]\n\\"""" """', "'''\n]'''", '""', '"""a""""'],
    ...['1', '0x1f', '1e3', 'true', 'inf', '2020-01-01T10:00:00Z', '[]', '[ 1, 2 ]', '{}', '{ a = 1, b.c = "}" }'],
    ...['[\n  # ]\n  "]", \'[\',\n  [ { x = "[[" } ],\n]', '"\\u005b\\u005bhooks\\u005d\\u005d"'],
  );
  const blank = fc.constantFrom('', '\n', '# [[hooks]]\n', '  # "\n', '\t\n', "# '''\n");
  const pair = fc.tuple(fc.constantFrom('k', '"k [[x]]"', "'k#'", 'k.v', 'k-1'), quoted, fc.constantFrom('', ' # """'));
  const header = fc.constantFrom('', '[t]', ' [ t . "u" ] # x', '[["l"]]', '[t.hooks]', '[[x.hooks]]', '["[[hooks]]"]');
  const foreign = fc.constantFrom(
    ...[
      '',
      '[[hooks]]\nevent = "Stop"\ncommand = "x"\n',
      '  [[ hooks ]] # "\n\n  event = \'Stop\'\n# no\ncommand = """\n[y]\n"""\n',
    ],
    ...['[["hooks"]]\ncommand = \'z\'\ntimeout = 5\n"event" = "PreToolUse"\n'],
  );
  /** Names are made different: a key of a table comes once. */
  const section = fc.tuple(header, fc.array(fc.tuple(pair, blank), { maxLength: 3 }), blank, foreign);
  const file = fc
    .tuple(fc.array(section, { maxLength: 4 }), fc.boolean(), fc.boolean())
    .map(([sections, crlf, ends]) => {
      const texts = sections.map(([head, pairs, space, hooks], at) => {
        const named = head.replace(/\b([tlx])\b/, `$1${at}`);
        const lines = pairs.map(
          ([[key, value, rest], gap], n) => `${key.replace('k', `k${at}${n}`)} = ${value}${rest}\n${gap}`,
        );
        return `${named === '' && at > 0 ? '' : `${named}\n${lines.join('')}`}${space}${hooks}`;
      });
      const text = ends ? texts.join('') : texts.join('').replace(/\n$/, '');
      return crlf ? text.replaceAll('\n', '\r\n') : text;
    });

  it('entries come and go, and leave every sign of it', () => {
    fc.assert(
      fc.property(file.filter(isToml), (before) => {
        const { text, kept, edits } = added(before);
        const { hooks: _, ...rest } = parse(before);
        const { hooks, ...after } = parse(text);
        expect(JSON.stringify(after)).toBe(JSON.stringify(rest));
        expect(hooks).toHaveLength(hooksIn(before).length + installer.wired.length);
        expect(installer.read(text).problems).toEqual([]);
        expect(applyEdits(text, invertEdits(edits)), 'by what was recorded').toBe(before);
        expect(removed(text, kept), 'by what is ours').toBe(before);
        const moved = added(text, deliveryOf('/new/fairlead')).text;
        expect(removed(moved, kept), 'after a move').toBe(before);
      }),
      { numRuns: isLong ? 5_000 : 20 },
    );
  });

  it('nothing throws, and what is written can be read', () => {
    const damaged = fc.tuple(file, fc.nat(), fc.string({ maxLength: 4 })).map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + put.length);
    });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (before) => {
        installer.read(before);
        installer.remove(before, { end: '' });
        const result = installer.add(before, OURS);
        if ('refusal' in result) return;
        const text = applyEdits(before, result.edits);
        expect(installer.read(text).own).toHaveLength(installer.wired.length);
        expect(applyEdits(text, invertEdits(result.edits))).toBe(before);
      }),
      cases(5_000),
    );
  });
});
