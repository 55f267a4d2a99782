import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { added, DELIVERIES, hook, MOVED, NODE, posting, removed, settings, SHARED } from './install.fixture.ts';
import { claudeCodeInstaller as installer } from './install.ts';
import { NOT_WIRED, WIRED } from './install-events.ts';
import { validateSettings } from './install-validate.ts';
import { EVENTS } from './names.ts';

describe('what is written', () => {
  it('is one entry for each wired event, without a matcher, in exec form', () => {
    const value = JSON.parse(added('').text) as { hooks: Record<string, unknown> };
    expect(Object.keys(value.hooks)).toEqual(WIRED.map(({ name }) => name));
    expect(value.hooks['PreToolUse']).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: '/usr/bin/node',
            args: [
              '/opt/f/bin/fairlead',
              'hook',
              '--agent',
              'claude-code',
              '--event',
              'PreToolUse',
              '--config',
              '/c',
              '--state',
              '/s',
              '--within',
              '55000',
            ],
            timeout: 60,
          },
        ],
      },
    ]);
    expect(value.hooks['SessionEnd']).toMatchObject([{ hooks: [{ timeout: 5 }] }]);
    expect(added('').text.endsWith('}\n')).toBe(true);
  });

  it('leaves out what replaces the work of the client, runs for every line or reaches nobody', () => {
    const left = EVENTS.filter(({ name }) => !WIRED.some((event) => event.name === name)).map(({ name }) => name);
    expect(left).toEqual([
      'InstructionsLoaded',
      'WorktreeCreate',
      'WorktreeRemove',
      'FileChanged',
      'DirectoryAdded',
      'MessageDisplay',
    ]);
    expect(Object.keys(NOT_WIRED)).toHaveLength(left.length);
  });

  it.each([
    ['tabs', '{\n\t"model": "opus"\n}', '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"SessionStart": [{ "hooks"'],
    [
      'four blanks and CRLF',
      '{\r\n    "a": 1\r\n}\r\n',
      '{\r\n    "a": 1,\r\n    "hooks": {\r\n        "SessionStart": [{',
    ],
    ['one line', '{"a":1}', '{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":'],
    ['one line with blanks', '{ "a": 1 }', '{ "a": 1, "hooks": { "SessionStart": [{ "hooks"'],
    ['an empty object', '{}\n', '{\n  "hooks": {\n    "SessionStart": ['],
    ['a byte order mark', '\uFEFF{}', '\uFEFF{\n  "hooks": {\n'],
  ])('takes over the layout: %s', (_, before, start) => {
    const { text } = added(before);
    expect(text.slice(0, start.length)).toBe(start);
    expect(text.endsWith(before.slice(before.lastIndexOf('}')))).toBe(true);
    expect(text.includes('\n') && !/(?<!\r)\n/.test(text)).toBe(before.includes('\r\n'));
  });

  it('goes after the groups of others, in their layout', () => {
    const before = JSON.stringify(
      settings({ PreToolUse: [{ matcher: 'Bash', hooks: [hook('guard.sh')] }] }, { statusLine: hook('mine') }),
      null,
      2,
    );
    const { text } = added(before);
    expect(text.startsWith(before.slice(0, before.indexOf('\n    ]\n')))).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      statusLine: hook('mine'),
      hooks: { PreToolUse: [{ matcher: 'Bash' }, { hooks: [{ timeout: 60 }] }] },
    });
  });

  it.each([
    ['[1]', 'does not hold a JSON object'],
    ['{"hooks": []}', '"hooks" in it is not an object'],
    ['{"hooks": {"Stop": {}}}', '"hooks.Stop" in it is not a list'],
    ['{', 'does not hold a JSON object'],
  ])('is nothing for %s', (text, why) => {
    expect(installer.add(text, NODE)).toEqual({ refusal: expect.stringContaining(why) });
  });

  it('starts nothing for another agent that runs the entries of a project without their arguments', () => {
    const counts = (text: string) => [text.split('"args"').length, text.split('"bash": "true"').length];
    const [entries, kept] = counts(added('{\n}', DELIVERIES['in a project']).text);
    expect(kept).toBe(entries);
    expect(counts(added('{\n}', DELIVERIES.native).text)).toEqual([entries, 1]);
  });
});

describe('entries that are there', () => {
  it.each([
    [
      'node and launcher',
      { type: 'command', command: '/old/node', args: ['/old/fairlead', 'hook', '--agent', 'claude-code'] },
      true,
    ],
    [
      'launcher',
      { type: 'command', command: '/old/bin/fairlead', args: ['hook', '--agent', 'claude-code', '--event', 'Stop'] },
      true,
    ],
    ['a bare name', { type: 'command', command: 'fairlead', args: ['hook', '--agent', 'claude-code'] }, true],
    [
      'Windows',
      { type: 'command', command: 'C:\\n\\node.exe', args: ['C:\\f\\bin\\fairlead', 'hook', '--agent', 'claude-code'] },
      true,
    ],
    [
      'a native client',
      { type: 'command', command: '/old/dist/fairlead-client', args: ['hook', '--agent', 'claude-code'] },
      true,
    ],
    ['shell form', hook('"/my dir/bin/fairlead" hook --agent claude-code'), true],
    ['another agent', { type: 'command', command: 'fairlead', args: ['hook', '--agent', 'claude-code-next'] }, false],
    ['another agent, shell form', hook('fairlead hook --agent claude-code-next'), false],
    ['another verb', hook('fairlead log'), false],
    ['another program', { type: 'command', command: 'notfairlead', args: ['hook', '--agent', 'claude-code'] }, false],
    ['words about us', hook('echo fairlead hook'), false],
    ['http without a token', { type: 'http', url: 'http://127.0.0.1:20001/hook/claude-code' }, false],
    ['http', posting('http://127.0.0.1:20001/hook/claude-code'), true],
    ['http by name', posting('http://localhost:20001/hook/claude-code', 'authorization'), true],
    ['http elsewhere', posting('http://10.0.0.1:20001/hook/claude-code'), false],
    ['http to another path', posting('http://127.0.0.1:20001/hooks/claude-code'), false],
    ['http for another agent', posting('http://127.0.0.1:20001/hook/claude-code-next'), false],
  ])('%s: ours %#', (_, handler, isOurs) => {
    const text = JSON.stringify(settings({ Stop: [{ hooks: [handler] }] }));
    const report = installer.read(text);
    expect([report.own.length, report.foreign]).toEqual(isOurs ? [1, 0] : [0, 1]);
    expect(removed(text)).toBe(isOurs ? '{}' : text);
    const stop = (JSON.parse(added(text).text) as { hooks: { Stop: { hooks: unknown[] }[] } }).hooks.Stop;
    expect(stop.flatMap(({ hooks }) => hooks)).toHaveLength(isOurs ? 1 : 2);
    expect(JSON.stringify(stop)).toContain('/opt/f/bin/fairlead');
  });

  it('are pointed to a new place, keeping what a person added to them', () => {
    const own = {
      type: 'command',
      command: '/old/fairlead',
      timeout: 3,
      args: ['hook', '--agent', 'claude-code'],
      onFailure: 'block',
    };
    const before = JSON.stringify(
      settings({ PreToolUse: [{ matcher: 'Bash', hooks: [own] }], MessageDisplay: [{ hooks: [own] }] }),
      null,
      2,
    );
    const { hooks } = JSON.parse(added(before, SHARED).text) as { hooks: Record<string, unknown[]> };
    expect(hooks['PreToolUse']).toMatchObject([
      { matcher: 'Bash', hooks: [{ command: '/usr/bin/node', timeout: 3, onFailure: 'block' }] },
    ]);
    expect(hooks['MessageDisplay']).toMatchObject([
      { hooks: [{ args: expect.arrayContaining(['--event', 'MessageDisplay']) }] },
    ]);
  });

  it('count below the key that the client sees', () => {
    const own = (where: string) =>
      `{"Stop":[{"hooks":[{"type":"command","command":"${where}/fairlead","args":["hook","--agent","claude-code"]}]}]}`;
    const text = `{"hooks":${own('/a')},"hooks":${own('/b')}}`;
    expect(installer.read(text).own.map(({ words }) => words[0])).toEqual(['/b/fairlead']);
    expect(added(text).text).toContain('"/a/fairlead"');
    expect(removed(text)).toBe('{}');
  });

  it('are told with the switches that keep hooks from running', () => {
    expect(installer.read('{"disableAllHooks": true}').switches).toEqual(['disableAllHooks']);
    expect(installer.read('{"disableAllHooks": false}').switches).toEqual([]);
    expect(installer.read('{"env": {"FAIRLEAD_DISABLED": "1"}}').switches).toEqual(['env.FAIRLEAD_DISABLED']);
    expect(installer.read('{"env": {"FAIRLEAD_DISABLED": 1}}').switches).toEqual(['env.FAIRLEAD_DISABLED']);
    expect(installer.read('{"env": {"FAIRLEAD_DISABLED": "0"}}').switches).toEqual([]);
    expect(installer.read('{"a":').problems).toMatchObject([{ line: 1, column: 6, disables: 'file' }]);
  });
});

const handler = fc.oneof(
  fc.record(
    { type: fc.constant('command'), command: fc.string(), timeout: fc.integer({ min: 1, max: 60 }) },
    { requiredKeys: ['type', 'command'] },
  ),
  fc.record({ type: fc.constant('http'), url: fc.webUrl() }),
);
const group = fc.record(
  { matcher: fc.string(), hooks: fc.array(handler, { maxLength: 3 }) },
  { requiredKeys: ['hooks'] },
);
const hooks = fc.dictionary(fc.constantFrom(...EVENTS.map(({ name }) => name)), fc.array(group, { maxLength: 3 }), {
  maxKeys: 5,
});
const document = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    fc.option(hooks, { nil: undefined }),
    fc.boolean(),
  )
  .map(([rest, own, first]): object =>
    own === undefined ? rest : first ? { hooks: own, ...rest } : { ...rest, hooks: own },
  );
const file = fc
  .tuple(
    document,
    fc.constantFrom<string | number>('', 1, 2, 4, '\t'),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', ' \n\n'),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(
    ([value, indent, newline, end, mark]) => mark + JSON.stringify(value, null, indent).replaceAll('\n', newline) + end,
  )
  .filter((text) => !text.includes('fairlead'));

describe('any valid settings file', () => {
  it('gets its bytes back, by the recorded edits and by taking out what is ours', () => {
    fc.assert(
      fc.property(file, fc.constantFrom(...Object.values(DELIVERIES)), (before, delivery) => {
        const { text, edits, kept } = added(before, delivery);
        expect(applyEdits(text, invertEdits(edits))).toBe(before);
        expect(removed(text, kept)).toBe(before);
      }),
      cases(200),
    );
  });

  it.each(['', '\n', '{\n}', '{ }', ' {\r\n\r\n} ', '{"hooks":{\n}}', '{"hooks": {"Stop": [ ]}}', '{"a":1,\n"b":2}'])(
    'gets its bytes back: %j',
    (before) => {
      const { text, edits } = added(before);
      expect(applyEdits(text, invertEdits(edits))).toBe(before);
      expect(installer.read(text).problems).toEqual([]);
      expect(added(text).edits).toEqual([]);
    },
  );

  it('is the same after a second time, valid, and keeps everything of others', () => {
    fc.assert(
      fc.property(file, fc.constantFrom(MOVED, ...Object.values(DELIVERIES)), (before, other) => {
        const { text } = added(before);
        expect(added(text).edits).toEqual([]);
        expect(added(added(text, other).text).text).toBe(text);
        expect(validateSettings(text)).toEqual(validateSettings(before));
        expect(installer.read(text).foreign).toBe(installer.read(before).foreign);
        expect(
          installer
            .read(text)
            .own.map(({ event }) => event)
            .sort(),
        ).toEqual(WIRED.map(({ name }) => name).sort());
      }),
      cases(80),
    );
  });

  it('takes out what nobody hears any more, and comes to the same from any installation before', () => {
    const names = WIRED.map(({ canonical }) => canonical);
    fc.assert(
      fc.property(file, fc.subarray(names, { minLength: 1 }), fc.subarray(names), (before, now, earlier) => {
        const hearing = (events: readonly string[]) => ({ ...NODE, hears: (event: string) => events.includes(event) });
        const { text } = added(added(before, hearing(earlier)).text, hearing(now));
        const { own, foreign } = installer.read(text);
        expect(own.map(({ event }) => event).sort()).toEqual(
          WIRED.flatMap(({ name, canonical }) => (now.includes(canonical) ? [name] : [])).sort(),
        );
        expect(foreign).toBe(installer.read(before).foreign);
        expect(added(text, hearing(now)).edits).toEqual([]);
      }),
      cases(80),
    );
  });

  it('leaves an entry that no installation writes', () => {
    const [entry] = installer.read(added('').text).own;
    const own = { type: 'command', command: entry?.words[0], args: entry?.words.slice(1) };
    const { text } = added(JSON.stringify(settings({ FileChanged: [{ matcher: '.env', hooks: [own] }] })), {
      ...NODE,
      hears: (event) => event === 'tool.before',
    });
    expect(installer.read(text).own.map(({ event }) => event)).toEqual(['FileChanged', 'PreToolUse']);
  });

  it('keeps what a person changed in between', () => {
    const mine = { hooks: [hook('mine.sh')] };
    fc.assert(
      fc.property(
        document,
        fc.constantFrom('Stop', 'PreToolUse', 'FileChanged'),
        fc.boolean(),
        (value, event, front) => {
          const addMine = (text: string): string => {
            const now = JSON.parse(text) as { hooks?: Record<string, object[]> };
            const groups = now.hooks?.[event] ?? [];
            const changed = {
              ...now,
              extra: 1,
              hooks: { ...now.hooks, [event]: front ? [mine, ...groups] : [...groups, mine] },
            };
            return JSON.stringify(changed, null, 2);
          };
          const before = JSON.stringify(value, null, 2);
          const { text, kept } = added(before);
          const after = JSON.parse(removed(addMine(text), kept)) as object;
          expect(after).toEqual(JSON.parse(addMine(before)));
          expect(removed(addMine(text), kept)).toBe(JSON.stringify(after, null, 2));
        },
      ),
      cases(50),
    );
  });
});
