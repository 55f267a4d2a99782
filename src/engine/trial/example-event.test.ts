import { describe, expect, it } from 'vitest';
import { exampleEvent } from './example-event.ts';
import { whyFiltered } from '../match/why-filtered.ts';
import type { Example, Listen, RuleMeta } from '../rule.ts';

const place = { root: '/home/ada/shop', session: 's1', now: 5 };
const metaOf = (...on: Listen[]): RuleMeta => ({ id: 'a/b', pack: 'a', summary: '', on, messages: {} });

describe('a text is the main text of what the rule hears first', () => {
  it.each<[Listen, object]>([
    [
      { event: 'tool.before', tool: ['shell'] },
      { name: 'tool.before', tool: { kind: 'shell', command: 'text', input: { command: 'text' } } },
    ],
    [{ event: 'tool.before' }, { tool: { kind: 'shell', command: 'text' } }],
    [
      { event: ['tool.after', 'tool.before'], tool: ['write'] },
      { name: 'tool.after', tool: { kind: 'write', edits: [{ operation: 'write', new: 'text' }] } },
    ],
    [{ event: 'tool.before', tool: ['read'] }, { tool: { kind: 'read', paths: ['/home/ada/shop/text'] } }],
    [{ event: 'tool.before', tool: ['search'] }, { tool: { kind: 'search', query: 'text' } }],
    [{ event: 'tool.before', name: ['mcp__a__b'] }, { tool: { kind: 'other', name: 'mcp__a__b', query: 'text' } }],
    [{ event: 'prompt.submit' }, { prompt: { text: 'text', origin: 'human' } }],
    [{ event: 'turn.stop' }, { stop: { again: false, lastMessage: 'text' } }],
    [{ event: 'notification' }, { notification: { message: 'text' } }],
    [{ event: 'session.start' }, { start: { source: 'startup' } }],
  ])('%j', (listen, event) => {
    expect(exampleEvent('text', metaOf(listen), place)).toMatchObject({
      session: 's1',
      cwd: place.root,
      receivedAt: 5,
      ...event,
    });
  });
});

describe('fields', () => {
  const both = metaOf(
    { event: 'tool.before', tool: ['shell'] },
    { event: 'tool.before', tool: ['edit', 'write'] },
    { event: 'prompt.submit' },
  );
  it.each<[Example, object]>([
    [{ command: 'ls' }, { tool: { kind: 'shell', command: 'ls', edits: [] } }],
    [
      { path: 'a.ts', old: 'a', new: 'b' },
      { tool: { kind: 'edit', paths: ['/home/ada/shop/a.ts'], edits: [{ operation: 'replace', old: 'a', new: 'b' }] } },
    ],
    [{ path: '/etc/hosts', new: 'b' }, { tool: { kind: 'write', paths: ['/etc/hosts'] } }],
    [
      { event: 'prompt.submit', prompt: 'hi' },
      { name: 'prompt.submit', prompt: { text: 'hi' } },
    ],
    [
      { event: 'tool.failed', tool: 'shell', command: 'x', error: 'no' },
      { name: 'tool.failed', tool: { failed: true, error: 'no' } },
    ],
  ])('%j', (example, event) => {
    expect(exampleEvent(example, both, place)).toMatchObject(event);
  });
});

it.each([
  '**/*.{md,mdx}',
  '*.ts',
  'src/**',
  'docs/',
  'db/migrations/**/*.sql',
  '.env*',
  'package.json',
  'a?c/[xy].ts',
  '/etc/*',
])('invents a path that %s matches', (glob) => {
  const meta = metaOf({ event: 'tool.before', tool: ['write'], paths: [glob] });
  const rule = { meta, mode: 'advise', options: {}, source: '', load: () => ({ check() {} }) } as const;
  expect(whyFiltered(rule, exampleEvent('text', meta, place), () => place.root)).toBeUndefined();
});
