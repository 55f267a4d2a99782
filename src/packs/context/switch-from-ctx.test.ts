import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemIn } from '../../engine/advice/messages.ts';
import { readRelays } from '../../ledger/relays.ts';
import type { StoredRelay } from '../../ledger/relays.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { ALL_DUE } from './due.fixture.ts';
import { BUILT_IN as BUILT_IN_RULES } from '../index.generated.ts';
import type { World } from '../world.fixture.ts';
import { parseTemplate } from './borrowed.ts';

const RULE = 'context/check-knowledge';
const CTX = '.context/hooks/messages/check-knowledge/warning.txt';
const OWN = '.fairlead/messages/context/check-knowledge/warning.md';
const BUILT_IN = 'have grown past what is useful';
const decisions = (count: number) =>
  Array.from({ length: count }, (_, at) => `## [2026-01-01-0000${10 + at}] Entry\n\ntext\n`).join('\n');

/** A project with more decisions than anybody reads. */
function grown(files: Readonly<Record<string, string>> = {}, more: Partial<ContextWorldOptions> = {}): World {
  return contextWorld({
    only: ['check-knowledge'],
    files: { '.context/DECISIONS.md': decisions(21), ...files },
    ...more,
  });
}

async function relays(world: World, variant?: string): Promise<StoredRelay[]> {
  await world.engine.finishLate(0);
  world.engine.ledger.flush();
  const db = world.engine.memory.db;
  return db ? readRelays(db).filter((record) => variant === undefined || record.variant === variant) : [];
}

describe('.ctxrc', () => {
  it.each<[string, string, string | undefined, boolean, number]>([
    ['waits for trust', 'entry_count_decisions: 50', undefined, false, 20],
    ['fills what is not set', 'entry_count_decisions: 5', undefined, true, 5],
    ['stands below the person’s settings', 'entry_count_decisions: 5', 'knowledge: { decisions_max: 7 }', true, 7],
    ['beside other keys of the group', 'entry_count_decisions: 5', 'knowledge: { learnings_max: 7 }', true, 5],
    ['can be switched off', 'entry_count_decisions: 5', 'read_ctxrc: false', true, 20],
    ['that is broken leaves the defaults', 'entry_count_decisions: [', undefined, true, 20],
    ['with a value of another kind too', 'entry_count_decisions: many', undefined, true, 20],
  ])('%s', async (_, text, options, isTrusted, limit) => {
    const world = grown({ '.ctxrc': text }, options === undefined ? {} : { options });
    if (isTrusted) world.trust();
    expect((await world.prompt('Go on.')).note).toContain(`21 entries, ${limit} is the most`);
  });

  it('stands below the project’s own settings', async () => {
    const own = 'packs: { context: { knowledge: { decisions_max: 9 } } }';
    const world = grown({ '.ctxrc': 'entry_count_decisions: 5', '.fairlead/config.yaml': own });
    world.trust();
    expect((await world.prompt('Go on.')).note).toContain('9 is the most');
  });

  it('switches nothing on', async () => {
    const world = grown({ '.ctxrc': 'enabled: true\nentry_count_decisions: 5' });
    world.put(
      join(world.paths.config, 'config.yaml'),
      'packs: { basics: off, guard: off, increments: off, peers: off }\n',
    );
    world.trust();
    expect((await world.prompt('Go on.')).stdout).toBe('');
  });
});

describe('a message override of ctx', () => {
  it.each<[string, Record<string, string>, boolean, string]>([
    [
      'is used once it is trusted',
      { [CTX]: 'Mind these:\n{{ .FileWarnings }}' },
      true,
      'Mind these:\nDECISIONS.md: 21',
    ],
    ['is not used before', { [CTX]: 'Mind these.' }, false, BUILT_IN],
    ['stands below the project’s own', { [CTX]: 'Theirs.', [OWN]: 'Ours.' }, true, 'Ours.'],
    ['names a variable that nobody fills', { [CTX]: 'Mind {{.Nope}}.' }, true, BUILT_IN],
    ['stays open', { [CTX]: 'Mind {{.FileWarnings' }, true, BUILT_IN],
    ['of the project itself that is broken', { [CTX]: 'Theirs.', [OWN]: 'Ours, {nope}.' }, true, BUILT_IN],
  ])('%s', async (_, files, isTrusted, expected) => {
    const world = grown(files);
    if (isTrusted) world.trust();
    expect((await world.prompt('Go on.')).note).toContain(expected);
  });

  it.each([
    [true, 'Theirs.'],
    [false, 'Mine.'],
  ])('stands above the person’s, once it is trusted: %s', async (isTrusted, expected) => {
    const world = grown({ [CTX]: 'Theirs.' });
    world.put(join(world.paths.config, 'messages', RULE, 'warning.md'), 'Mine.');
    if (isTrusted) world.trust();
    expect((await world.prompt('Go on.')).note).toBe(`[${RULE}] ${expected}`);
  });

  it('of white space is silence: what was to be said counts as said', async () => {
    const world = grown({ [CTX]: ' \n\t\n' });
    world.trust();
    const { note, warn } = await world.prompt('Go on.');
    expect(note + warn).toBe('');
    expect(Object.keys(world.cells('context.day.knowledge'))).toHaveLength(1);
    expect(await relays(world)).toMatchObject([{ rule: RULE, variables: { silenced: true } }]);
  });

  it('under a name of ctx', async () => {
    const files = { '.context/hooks/messages/block-dangerous-commands/mid-sudo.txt': 'Not as root here.' };
    const world = contextWorld({ only: ['block-dangerous-commands'], files });
    world.trust();
    expect(await world.before('Bash', { command: 'sudo ls' })).toMatchObject({
      action: 'deny',
      reason: expect.stringContaining('Not as root here.'),
    });
  });
});

/** The messages of ctx and their variables; a person's file may use any of them. */
it.each([
  ['check-backup-age', 'warning', ['Warnings']],
  ['check-context-size', 'billing', ['TokenCount', 'Threshold']],
  ['check-context-size', 'oversize', ['TokenCount']],
  ['check-context-size', 'window', ['TokenCount', 'Percentage']],
  ['check-freshness', 'stale', ['StaleFiles']],
  ['check-journal', 'both', ['UnexportedCount', 'UnenrichedCount']],
  ['check-journal', 'unenriched', ['UnenrichedCount']],
  ['check-journal', 'unexported', ['UnexportedCount']],
  ['check-journal', 'both', ['UnimportedCount', 'UnenrichedCount']],
  ['check-journal', 'unexported', ['UnimportedCount']],
  ['check-memory-drift', 'nudge', []],
  ['check-knowledge', 'warning', ['FileWarnings']],
  ['check-map-staleness', 'stale', ['LastRefreshDate', 'ModuleCount']],
  ['check-persistence', 'nudge', ['PromptsSinceNudge']],
  ['check-reminders', 'reminders', ['ReminderList']],
  ['check-resources', 'alert', ['AlertMessages']],
  ['check-version', 'key-rotation', ['KeyAgeDays']],
  ['check-version', 'mismatch', ['BinaryVersion', 'PluginVersion']],
  ['check-context-size', 'checkpoint', []],
  ['check-ceremonies', 'both', []],
  ['check-ceremonies', 'remember', []],
  ['check-ceremonies', 'wrapup', []],
  ['check-task-completion', 'nudge', []],
  ['post-commit', 'nudge', []],
  ['post-commit', 'version-drift', ['FileVersion', 'PluginVersion', 'MarketplaceVersion']],
  ['qa-reminder', 'gate', []],
  ['specs-nudge', 'nudge', []],
  ['block-non-path-ctx', 'absolute-path', []],
  ['block-non-path-ctx', 'dot-slash', []],
  ['block-non-path-ctx', 'go-run', []],
  ['block-dangerous-commands', 'cp-to-bin', []],
  ['block-dangerous-commands', 'sudo', []],
  ['block-dangerous-commands', 'git-push', []],
  ['block-dangerous-commands', 'install-to-bin', []],
])('the rule %s fills what ctx does in %s: %j', (hook, variant, names) => {
  const rule = BUILT_IN_RULES.find(({ meta }) => meta.id === `context/${hook}`);
  const { text } = parseTemplate(names.map((name) => `{{.${name}}}`).join(' '));
  expect(rule?.meta.messages[variant]).toBeDefined();
  expect(problemIn({ text }, rule?.meta.messages[variant])).toBeUndefined();
});

/** The files that people have for ctx, each in a project where its rule speaks. */
describe('a file of ctx', () => {
  const sessions = (world: World) => {
    const said = { type: 'user', cwd: world.root, message: { role: 'user', content: 'Go on.' } };
    world.put(join(world.home, 's-1.jsonl'), JSON.stringify(said), NOW - 1_000);
  };
  const fired = (rule: string) => ALL_DUE.find((each) => each.rule === rule);

  it.each<[string, string, string, RegExp]>([
    ['check-ceremonies/both', 'check-ceremonies', 'Own.', /^Own\.$/],
    ['check-ceremony/both', 'check-ceremonies', 'Own.', /^Own\.$/],
    ['check-freshness/stale', 'check-freshness', 'Own {{.StaleFiles}}', /^Own .*prices\.md/s],
    ['check-journal/unenriched', 'check-journal', 'Own {{.UnenrichedCount}}', /^Own 1$/],
    ['check-knowledge/warning', 'check-knowledge', 'Own {{.FileWarnings}}', /^Own DECISIONS\.md/],
    [
      'check-map-staleness/stale',
      'check-map-staleness',
      'Own {{.LastRefreshDate}} {{.ModuleCount}}',
      /^Own 2026-01-20 1$/,
    ],
    ['check-memory-drift/nudge', 'check-memory-drift', 'Own.', /^Own\.$/],
    ['check-reminders/reminders', 'check-reminders', 'Own {{.ReminderList}}', /^Own \[1\] "Rotate the key"$/],
    ['check-reminder/reminders', 'check-reminders', 'Own {{.ReminderList}}', /^Own \[1\] "Rotate the key"$/],
    ['check-resources/alert', 'check-resources', 'Own {{.AlertMessages}}', /^Own Disk: 97 %/],
    ['check-resource/alert', 'check-resources', 'Own {{.AlertMessages}}', /^Own Disk: 97 %/],
    [
      'check-version/mismatch',
      'check-version',
      'Own {{.BinaryVersion}} {{.PluginVersion}}',
      /^Own 1\.4\.2 hooks 1\.3\.9$/,
    ],
    ['post-commit/nudge', 'post-commit', 'Own.', /^Own\.$/],
    ['qa-reminder/gate', 'qa-reminder', 'Own.', /^Own\.$/],
    ['specs-nudge/nudge', 'specs-nudge', 'Own.', /^Own\.$/],
    ['block-non-path-ctx/dot-slash', 'block-non-path-ctx', 'Own.', /^Own\./],
  ])('%s', async (file, rule, text, expected) => {
    const due = fired(rule);
    const world = due?.open() as World;
    world.put(`.context/hooks/messages/${file}.txt`, text);
    world.trust();
    const { note, reason } = (await due?.fire(world, 'session-1')) ?? { note: '', reason: '' };
    const tag = `[context/${rule}] `;
    expect((note || reason).slice(0, tag.length)).toBe(tag);
    expect((note || reason).slice(tag.length)).toMatch(expected);
    expect(await relays(world, 'template-error')).toEqual([]);
  });

  it.each([
    ['check-journal/unimported', false, /^\[context\/check-journal\] 1 to import$/],
    ['check-journal/both', true, /^\[context\/check-journal\] 1 to import and 1$/],
  ])('%s', async (file, isOpen, expected) => {
    const entry = `---\nenriched: ${!isOpen}\n---\nA session.\n`;
    const world = contextWorld({ only: ['check-journal'] });
    world.put('.context/journal/2026-03-07-0900-aaaaaaaa.md', entry, NOW - DAY);
    sessions(world);
    const text = `{{.UnimportedCount}} to import${isOpen ? ' and {{.UnenrichedCount}}' : ''}`;
    world.put(`.context/hooks/messages/${file}.txt`, text);
    world.trust();
    expect((await world.prompt('Go on.')).note).toMatch(expected);
  });
});

describe('an override that cannot be used', () => {
  it.each<[string, string, string]>([
    ['of ctx', CTX, 'Mind {{.Nope}}.'],
    ['of the project', OWN, 'Mind {nope}.'],
    ['of the project, with an open brace', OWN, 'Mind {nope'],
  ])('%s is told to the log, once per version of its file', async (_, name, text) => {
    const world = grown({ [name]: text });
    world.trust();
    await world.prompt('Go on.');
    await world.prompt('And on.');
    world.restart();
    await world.prompt('And on.');
    const [record, ...more] = await relays(world, 'template-error');
    expect(more).toEqual([]);
    expect(record).toMatchObject({ rule: RULE, root: world.root, variables: { variant: 'warning' } });
    expect(record?.message).toContain(join(world.root, name));
    world.put(name, `${text} Again.`);
    world.trust();
    await world.prompt('And on.');
    expect(await relays(world, 'template-error')).toHaveLength(2);
  });

  it('of the person is told too, and not where the rule is off', async () => {
    for (const [only, count] of [
      [['check-knowledge'], 1],
      [[], 0],
    ] as const) {
      const world = contextWorld({ only });
      world.put(join(world.paths.config, 'messages', RULE, 'warning.md'), 'Mind {nope}.');
      const { stdout } = await world.prompt('Go on.');
      expect(stdout).not.toContain('nope');
      expect(await relays(world, 'template-error')).toHaveLength(count);
    }
  });
});

describe('what waits for trust', () => {
  const start = (world: World) => world.event('SessionStart', { source: 'startup' });

  it.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    ['settings of ctx', { '.ctxrc': 'event_log: true' }, undefined, '(.ctxrc)'],
    ['settings and messages', { '.ctxrc': '', [CTX]: 'x' }, undefined, `(.ctxrc, ${CTX})`],
    ['settings that nobody wants', { '.ctxrc': '' }, 'read_ctxrc: false', undefined],
    ['messages beside them', { '.ctxrc': '', [CTX]: 'x' }, 'read_ctxrc: false', `(${CTX})`],
    ['nothing', {}, undefined, undefined],
  ])('%s', async (_, files, options, named) => {
    const world = contextWorld({ only: [], files, ...(options === undefined ? {} : { options }) });
    const { warn } = await start(world);
    if (named === undefined) expect(warn).toBe('');
    else expect(warn).toContain(`are not trusted yet and have no effect ${named}`);
    world.trust();
    expect((await world.event('SessionStart', { source: 'startup', session_id: 'other' })).warn).toBe('');
  });

  it('is nobody’s business where the pack is off', async () => {
    const world = contextWorld({ only: [], files: { '.ctxrc': 'a: [', [CTX]: '{{' } });
    world.put(
      join(world.paths.config, 'config.yaml'),
      'packs: { basics: off, guard: off, increments: off, peers: off }\n',
    );
    expect((await start(world)).stdout).toBe('');
    world.trust();
    expect((await world.event('SessionStart', { source: 'startup', session_id: 'other' })).stdout).toBe('');
  });

  it('is told again when it has changed', async () => {
    const world = contextWorld({ only: [], files: { '.ctxrc': 'event_log: true' } });
    world.trust();
    await start(world);
    world.put('.ctxrc', 'event_log: false');
    const { warn } = await world.event('SessionStart', { source: 'startup', session_id: 'other' });
    expect(warn).toContain('are not what was trusted and have no effect (.ctxrc)');
  });
});
