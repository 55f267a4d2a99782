import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { init } from './commands/context.ts';
import { knownRules } from '../../../cli/known-rules.ts';
import { plantProject } from '../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../cli/project.fixture.ts';
import type { Section } from '../../../cli/doctor/report.ts';
import { checkContext } from './doctor.ts';
import { checkDatabase } from '../../../cli/doctor/installation.ts';
import { checkSettings } from '../../../cli/doctor/settings.ts';

const ON = 'packs: { context: { enabled: true } }\n';
const HOOKS = '.context/hooks/messages';
let project: PlantedProject;
beforeEach(() => {
  project = plantProject();
  project.putUser('config.yaml', ON);
});
afterEach(() => project.remove());

async function check(): Promise<{ section: Section | undefined; findings: string[]; facts: Record<string, string> }> {
  const world = project.world();
  const known = await knownRules(world);
  const [section] = checkContext(known, world);
  // Files of ctx are told once, in their own place.
  expect(JSON.stringify(checkSettings(known, [], world).findings)).not.toMatch(/ctxrc|hooks\/messages/);
  return {
    section,
    findings: section?.findings.map(({ level, what, next }) => `${level}: ${what} → ${next}`) ?? [],
    facts: Object.fromEntries(section?.facts ?? []),
  };
}

function plantContext(files: Readonly<Record<string, string>> = {}): void {
  for (const name of ['CONSTITUTION', 'TASKS', 'DECISIONS']) project.putProject(`.context/${name}.md`, '');
  for (const [name, text] of Object.entries(files)) project.putProject(name, text);
}

it('says nothing where the pack is off', async () => {
  project.putUser('config.yaml', 'packs: {}\n');
  plantContext({ '.ctxrc': 'a: [', [`${HOOKS}/check-knowledge/warning.txt`]: '{{' });
  project.trust();
  expect((await check()).section).toBeUndefined();
});

it('knows a project without context, and one that lacks files', async () => {
  expect(await check()).toMatchObject({
    facts: { '.context': 'none here' },
    findings: [expect.stringContaining('note: There is no .context here. → fairlead context init')],
  });
  mkdirSync(join(project.root, '.context'));
  project.putProject('.context/TASKS.md', '');
  expect(await check()).toMatchObject({
    facts: { '.context': expect.stringContaining('not initialised') },
    findings: [expect.stringContaining('lacks CONSTITUTION.md, DECISIONS.md.')],
  });
});

it('knows a name that is taken by what is no file', async () => {
  project.putProject('.context/TASKS.md/notes.txt', '');
  expect((await check()).findings).toEqual([
    expect.stringMatching(
      /^attention: In .*\.context TASKS\.md is no file\. → move that away, then fairlead context init$/,
    ),
  ]);
});

it('knows a context that lies elsewhere', async () => {
  plantContext();
  const real = join(project.home, 'elsewhere');
  renameSync(join(project.root, '.context'), real);
  symlinkSync(real, join(project.root, '.context'));
  project.trust();
  const { facts, findings } = await check();
  expect(facts).not.toHaveProperty('its text');
  expect(findings).toEqual([
    expect.stringMatching(/^attention: .*\.context is a link to .*elsewhere, outside the project/),
  ]);
});

it('knows whose text it is', async () => {
  plantContext();
  expect(await check()).toMatchObject({
    facts: { 'its text': 'not given to the agent' },
    findings: [expect.stringContaining(`came with the project, and nobody has accepted it here. → fairlead trust`)],
  });
  project.trust();
  expect(await check()).toMatchObject({ facts: { 'its text': expect.stringContaining('trusted') }, findings: [] });
});

it('knows a context that was made here', async () => {
  await project.world().run(init);
  expect(await check()).toMatchObject({ facts: { 'its text': expect.stringContaining('made here') }, findings: [] });
});

it.each<[string, Record<string, string>, boolean, Record<string, string>, string[]]>([
  [
    'waits for trust',
    { '.ctxrc': 'event_log: true' },
    false,
    { '.ctxrc': 'not trusted' },
    ['attention: 1 file of ctx not trusted: .ctxrc.'],
  ],
  [
    'is read',
    { '.ctxrc': 'event_log: true\nnotify: { events: [] }\ntoken_budget: 1' },
    true,
    { '.ctxrc': 'event_log, notify.events', 'left aside': 'token_budget' },
    [],
  ],
  [
    'sets what is of the wrong kind',
    { '.ctxrc': 'event_log: maybe\nkey_path: 5\ncontext_window: 9' },
    true,
    { '.ctxrc': 'context_window' },
    ['attention: .ctxrc:2: key_path has to be text', 'attention: .ctxrc:1: event_log has to be true or false'],
  ],
  ['sets nothing', { '.ctxrc': '' }, true, { '.ctxrc': 'sets nothing that counts here' }, []],
  ['is broken', { '.ctxrc': 'a: 1\nb: [' }, true, { '.ctxrc': 'cannot be read' }, ['attention: .ctxrc:2: ']],
  [
    'has messages',
    { [`${HOOKS}/check-knowledge/warning.txt`]: 'x {{.FileWarnings}}' },
    true,
    { 'messages of ctx': '1' },
    [],
  ],
  [
    'has a message with a variable that nobody fills',
    { [`${HOOKS}/check-knowledge/warning.txt`]: '{{.Nope}}' },
    true,
    { 'messages of ctx': '1, 1 cannot be used' },
    [`note: ${HOOKS}/check-knowledge/warning.txt: nothing fills {nope} → edit`],
  ],
  [
    'has a message that stays open',
    { [`${HOOKS}/check-knowledge/warning.txt`]: '{{.Nope' },
    true,
    { 'messages of ctx': '1, 1 cannot be used' },
    [`note: ${HOOKS}/check-knowledge/warning.txt: two braces are opened and not closed`],
  ],
  [
    'has a message for nobody',
    { [`${HOOKS}/another-hook/nudge.txt`]: 'x' },
    true,
    { 'messages of ctx': '1' },
    [`note: 1 message of ctx without a rule: ${HOOKS}/another-hook/nudge.txt.`],
  ],
  ['has reminders', { '.context/reminders.json': '[]' }, true, {}, []],
  [
    'has reminders that cannot be read',
    { '.context/reminders.json': '{' },
    true,
    {},
    ['attention: .context/reminders.json cannot be read as a list of reminders.'],
  ],
])('a project that %s', async (_, files, isTrusted, facts, findings) => {
  plantContext(files);
  if (isTrusted) project.trust();
  const found = await check();
  expect(found.facts).toMatchObject(facts);
  const told = found.findings.filter((line) => !line.includes('came with the project'));
  expect(told).toHaveLength(findings.length);
  for (const [at, start] of findings.entries()) expect(told[at]).toContain(start);
});

it('says that .ctxrc is not wanted, and nothing of what is wrong in it', async () => {
  project.putUser('config.yaml', 'packs: { context: { enabled: true, read_ctxrc: false } }\n');
  plantContext({ '.ctxrc': 'a: [' });
  project.trust();
  expect(await check()).toMatchObject({ facts: { '.ctxrc': expect.stringContaining('not read') }, findings: [] });
});

it('names texts that were cut, each once', async () => {
  plantContext();
  project.trust();
  const { ledger, memory, clock } = project.world().engine();
  const record = { event: 'nudge', rule: 'context/check-knowledge', message: 'x', root: project.root };
  for (const [variant, at] of [
    ['warning', 0],
    ['warning', 1],
    ['old', 8 * 86_400_000],
  ] as const)
    ledger.relay({ ...record, variant, at: clock.now() - at, variables: { cut: 900 } });
  ledger.relay({ ...record, variant: 'whole', at: clock.now() });
  ledger.flush();
  expect(memory.db).toBeDefined();
  expect((await check()).findings).toEqual([
    expect.stringMatching(
      /^note: The text of context\/check-knowledge warning was cut: .* message edit context\/check-knowledge warning$/,
    ),
  ]);
});

it('tells of remembered values that are damaged', () => {
  const world = project.world();
  const { db } = world.engine().memory;
  expect(checkDatabase(world).findings).toEqual([]);
  const insert = db?.prepare('INSERT INTO cells (id, value, expires, updated) VALUES (?, ?, 0, 0)');
  insert?.run('day\u001f/p\u001fcontext.day.knowledge\u001f', '{"at":');
  insert?.run('user\u001f\u001ffine\u001f', '1');
  expect(checkDatabase(world).findings).toEqual([
    expect.objectContaining({ level: 'note', what: '1 remembered value cannot be read: context.day.knowledge.' }),
  ]);
});
