import { expect, it } from 'vitest';
import { parseBorrowedSettings } from '../../workspace/config/borrowed-settings.ts';
import { borrowed } from './borrowed.ts';

const parseCtxrc = (text: string, file: string) => parseBorrowedSettings(text, file, 'context', borrowed);

const optionsOf = (text: string) => parseCtxrc(text, 'f').config?.packs?.['context'];

it('takes over every key that means something here', () => {
  const text = `
task_nudge_interval: 7
injection_token_warn: 20000
billing_token_warn: 90000
context_window: 500000
entry_count_decisions: 40
entry_count_learnings: 50
convention_line_count: 300
freshness_files: [{ path: src/models.ts, desc: prices, review_url: "https://example.com" }]
key_rotation_days: 30
key_path: ~/keys/ctx
event_log: true
notify:
  events: [loop, nudge]
auto_prune_days: 14
`;
  const { problems, read, ignored } = parseCtxrc(text, 'f');
  expect({ problems, ignored }).toEqual({ problems: [], ignored: [] });
  expect(read).toHaveLength(13);
  expect(optionsOf(text)).toEqual({
    options: {
      task: { interval: 7 },
      load: { injection_token_warn: 20_000 },
      billing_token_warn: 90_000,
      window: { size: 500_000 },
      knowledge: { decisions_max: 40, learnings_max: 50, conventions_max_lines: 300 },
      freshness: { files: [{ path: 'src/models.ts', desc: 'prices', review_url: 'https://example.com' }] },
      notify: { events: ['loop', 'nudge'], key_rotation_days: 30, key_path: '~/keys/ctx' },
      event_log: true,
      prune_days: 14,
    },
  });
});

it.each([
  ['an empty file', '', {}],
  ['comments alone', '# nothing yet\n', {}],
  ['a key without a value', 'context_window:\nnotify:\n', {}],
  ['the older place of a key', 'notify: { key_rotation_days: 10 }', { options: { notify: { key_rotation_days: 10 } } }],
  [
    'both places of a key',
    'key_rotation_days: 5\nnotify: { key_rotation_days: 10 }',
    { options: { notify: { key_rotation_days: 5 } } },
  ],
  ['what would switch the pack', 'enabled: true\nmode: enforce\n', {}],
])('%s', (_, text, expected) => {
  expect(parseCtxrc(text, 'f').problems).toEqual([]);
  expect(optionsOf(text)).toEqual(expected);
});

it('says what it read and what it left aside', () => {
  expect(parseCtxrc('token_budget: 8000\nevent_log: true\nnotify: { events: [], foo: 1 }\n', 'f')).toMatchObject({
    read: ['event_log', 'notify.events'],
    ignored: ['token_budget', 'notify.foo'],
  });
});

it.each([
  ['no YAML', 'a: [', 1],
  ['a tab', 'a: 1\nb:\n\tc: 1', 3],
  ['a list', '- a', 1],
  ['a text', 'hello', 1],
  ['a key that is none', 'freshness_files: [{ __proto__: 1 }]', 1],
])('%s has no effect', (_, text, line) => {
  const { config, problems } = parseCtxrc(text, 'f');
  expect(config).toBeUndefined();
  expect(problems[0]).toMatchObject({ file: 'f', severity: 'warning' });
  expect(problems[0]?.line).toBe(line);
});

it('leaves out what is of the wrong kind, and names it', () => {
  const text = `
event_log: maybe
key_path: 5
context_window: .nan
billing_token_warn: "9"
task_nudge_interval: 7
notify:
  events: nudge
freshness_files: { path: a }
`;
  const { config, read, ignored, problems } = parseCtxrc(text, 'f');
  expect(config?.packs?.['context']).toEqual({ options: { task: { interval: 7 } } });
  expect({ read, ignored }).toEqual({ read: ['task_nudge_interval'], ignored: [] });
  expect(problems.map(({ line, message, severity }) => `${severity} ${line}: ${message}`).toSorted()).toEqual([
    'warning 2: event_log has to be true or false',
    'warning 3: key_path has to be text',
    'warning 4: context_window has to be a number',
    'warning 5: billing_token_warn has to be a number',
    'warning 8: notify.events has to be a list',
    'warning 9: freshness_files has to be a list',
  ]);
});
