import { describe, expect, it } from 'vitest';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import {
  added,
  closing,
  DELIVERIES,
  hook,
  http,
  NATIVE,
  posting,
  removed,
  settings,
  SHARED,
  TOKEN,
} from './install.fixture.ts';
import { claudeCodeInstaller as installer } from './install.ts';
import { validateSettings } from './install-validate.ts';
import { EVENTS } from './names.ts';

/** Every handler in a settings text, by event. */
function handlersOf(text: string): Record<string, Record<string, unknown>> {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: Record<string, unknown>[] }[]> };
  return Object.fromEntries(Object.entries(hooks).map(([event, groups]) => [event, groups.at(-1)?.hooks.at(-1) ?? {}]));
}

const each = Object.entries(DELIVERIES);

describe('transports', () => {
  it('a native client is told of Node, the launcher, and how long it may wait where the client waits less', () => {
    const found = handlersOf(added('', NATIVE).text);
    const args = (event: string) => [
      ...['hook', '--agent', 'claude-code', '--event', event, '--config', '/c', '--state', '/s'],
      ...['--node', '/usr/bin/node', '--launcher', '/opt/f/bin/fairlead'],
    ];
    const command = '/opt/f/dist/fairlead-client';
    expect(found['PostToolUse']).toEqual({ type: 'command', command, args: args('PostToolUse'), timeout: 10 });
    // Where it may have to deny, it waits longer than where it says nothing.
    expect(found['PreToolUse']).toMatchObject({ args: [...args('PreToolUse'), '--within', '55000'], timeout: 60 });
    expect(found['SessionEnd']).toMatchObject({ args: [...args('SessionEnd'), '--within', '4000'], timeout: 5 });
    expect(Object.values(found).filter((one) => (one['args'] as string[]).includes('--within'))).toHaveLength(3);
  });

  it.each([
    [3, ['--within', '2000']],
    [1, ['--within', '500']],
    [9, []],
    [60, []],
    [undefined, []],
  ])('a timeout of %s seconds that a person set: %j', (timeout, within) => {
    const own = { type: 'command', command: 'fairlead', args: ['hook', '--agent', 'claude-code'], timeout };
    const stop = handlersOf(added(JSON.stringify(settings({ Stop: [{ hooks: [own] }] })), NATIVE).text)['Stop'] ?? {};
    expect(stop['timeout']).toBe(timeout);
    expect((stop['args'] as string[]).slice(13)).toEqual(within);
  });

  it('http posts with the token in a header, except where the client needs a program', () => {
    const found = handlersOf(added('', http()).text);
    const started = Object.keys(found).filter((event) => found[event]?.['type'] === 'command');
    expect(started).toEqual([
      ...['SessionStart', 'Setup', 'UserPromptSubmit', 'UserPromptExpansion', 'PreCompact', 'PostCompact'],
    ]);
    expect(installer.posting?.events.map(({ name }) => name)).toEqual(
      Object.keys(found).filter((one) => !started.includes(one)),
    );
    expect(found['PreToolUse']).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:20001/hook/claude-code',
      headers: { Authorization: `Bearer ${TOKEN}` },
      timeout: 60,
    });
    expect(found['SessionEnd']).toMatchObject({ type: 'http', timeout: 5 });
  });

  it('a failure stops the agent on tool calls and permission requests where a rule fails closed on them, and nowhere else', () => {
    const names = EVENTS.map(({ name, canonical }) => [canonical, name] as const);
    for (const [canonical, name] of names)
      for (const delivery of [http(canonical), { ...NATIVE, ...closing(canonical) }]) {
        // A permission request is about a tool call.
        const stops = { PreToolUse: ['PreToolUse', 'PermissionRequest'], PermissionRequest: ['PermissionRequest'] };
        const wanted: readonly string[] = stops[name as keyof typeof stops] ?? [];
        const found = handlersOf(added('', delivery).text);
        const blocking = Object.keys(found).filter((event) => found[event]?.['onFailure'] === 'block');
        expect(blocking).toEqual(wanted);
        for (const [, other] of names)
          expect(installer.mustBlock?.(other, (event) => event === canonical)).toBe(wanted.includes(other));
        expect(installer.mustBlock?.(name, () => false)).toBe(false);
      }
  });

  it.each(each.flatMap(([from, a]) => each.map(([to, b]) => [from, to, a, b] as const)))(
    'from %s to %s in place, as if it had been so from the start',
    (_from, _to, a, b) => {
      const before = JSON.stringify(
        settings({ Stop: [{ hooks: [hook('mine.sh')] }], FileChanged: [{ hooks: [] }] }),
        null,
        2,
      );
      const first = added(before, a);
      const second = added(first.text, b).text;
      expect(second).toBe(added(before, b).text);
      expect(added(second, b).edits).toEqual([]);
      expect(validateSettings(second)).toEqual([]);
      expect(installer.read(second)).toMatchObject({ foreign: 1, problems: [] });
      expect(removed(second, first.kept)).toBe(before);
    },
  );

  it('keep what a person added to an entry, in both directions', () => {
    const mine = { timeout: 3, statusMessage: 'asking', if: 'Bash(git *)', note: { a: [1] } };
    const own = { type: 'command', command: 'fairlead', args: ['hook', '--agent', 'claude-code'], ...mine };
    const text = JSON.stringify(settings({ PreToolUse: [{ matcher: 'Bash', hooks: [own] }] }), null, 2);
    const posts = added(text, http('tool.before')).text;
    expect(handlersOf(posts)['PreToolUse']).toEqual({
      ...posting('http://127.0.0.1:20001/hook/claude-code'),
      ...mine,
      onFailure: 'block',
    });
    const withHeader = posts.replace('"Authorization"', '"X-Mine": "1", "Authorization"');
    expect(handlersOf(added(withHeader, http()).text)['PreToolUse']).toMatchObject({
      headers: { 'X-Mine': '1', Authorization: `Bearer ${TOKEN}` },
    });
    const back = added(withHeader, NATIVE).text;
    expect(handlersOf(back)['PreToolUse']).toEqual({
      ...handlersOf(added(text, NATIVE).text)['PreToolUse'],
      headers: { 'X-Mine': '1' },
    });
    expect(handlersOf(added(back, http()).text)['PreToolUse']).toMatchObject({
      headers: { 'X-Mine': '1', Authorization: `Bearer ${TOKEN}` },
    });
  });

  it.each([undefined, 2, '\t'])('follow a new port, a new token and changed rules, laid out by %j', (indent) => {
    const laidOut = (delivery: Delivery) => JSON.stringify(JSON.parse(added('', delivery).text), null, indent);
    const moved: Delivery = {
      ...NATIVE,
      http: { url: 'http://127.0.0.1:20002/hook/claude-code', token: 'cd'.repeat(32) },
      ...closing('permission.request'),
    };
    expect(added(laidOut(http('tool.before')), moved).text).toBe(laidOut(moved));
    expect(added(laidOut(moved), http()).text).toBe(laidOut(http()));
  });

  it.each([
    ['a command', (...closed: EventName[]) => ({ ...NATIVE, ...closing(...closed) })],
    ['a post', http],
  ])("a stop on failure follows the rules on %s, and is the person's where no rules are asked", (_, delivery) => {
    const own = { type: 'command', command: 'fairlead', args: ['hook', '--agent', 'claude-code'], onFailure: 'block' };
    const text = JSON.stringify(settings({ PreToolUse: [{ hooks: [own] }] }));
    expect(handlersOf(added(text, SHARED).text)['PreToolUse']).toMatchObject({ onFailure: 'block' });
    const goesOn = added(text, delivery()).text;
    expect(handlersOf(goesOn)['PreToolUse']).not.toHaveProperty('onFailure');
    const stops = added(goesOn, delivery('tool.before')).text;
    expect(handlersOf(stops)['PreToolUse']).toMatchObject({ onFailure: 'block' });
    expect(handlersOf(added(stops, delivery()).text)['PreToolUse']).not.toHaveProperty('onFailure');
  });

  it('a command that stops the agent names how to take the hooks out, because the client shows it when it cannot start', () => {
    const found = handlersOf(added('', { ...NATIVE, ...closing('tool.before') }).text);
    const argsOf = (event: string) => (found[event]?.['args'] ?? []) as string[];
    const told = Object.keys(found).filter((event) => argsOf(event).includes('--if-gone'));
    expect(told).toEqual(['PreToolUse', 'PermissionRequest']);
    const args = argsOf('PreToolUse');
    expect(args[args.indexOf('--if-gone') + 1]).toMatch(/take its hooks out of \.claude\/settings/);
  });

  it('are told with their target, and with the addresses that a file allows', () => {
    const { own } = installer.read(added('', http('tool.before')).text);
    const one = (name: string) => own.find(({ event }) => event === name);
    expect(one('PreToolUse')).toMatchObject({
      words: [],
      http: { url: 'http://127.0.0.1:20001/hook/claude-code', token: TOKEN },
      blocks: true,
    });
    expect(one('PostToolUse')?.blocks).toBe(false);
    expect(one('SessionStart')?.words).toHaveLength(14);
    expect(installer.read('{}').limit).toBeUndefined();
    const { limit } = installer.read('{"allowedHttpHookUrls":["https://*","http://127.*"]}');
    expect([limit?.setting, limit?.allows('http://127.0.0.1:1/'), limit?.allows('http://[::1]:1/')]).toEqual([
      'allowedHttpHookUrls',
      true,
      false,
    ]);
    expect(installer.read('{"allowedHttpHookUrls":[]}').limit?.allows('http://127.0.0.1:1/')).toBe(false);
  });
});
