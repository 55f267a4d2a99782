import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { packView, packViewNames } from './views.ts';

let project: PlantedProject;
beforeEach(() => {
  project = plantProject();
});
afterEach(() => project.remove());

const names = async () => (await packViewNames(project.world())).map(({ title }) => title);

it('has no view of a pack that is off, or that has nothing here', async () => {
  expect(await names()).toEqual([]);
  expect(await packView(project.world(), 'context')).toBeUndefined();
  expect(await packView(project.world(), 'increments')).toBeUndefined();
  expect(await packView(project.world(), 'constructor')).toBeUndefined();
});

it('shows increments with their tasks', async () => {
  cpSync('test/fixtures/specweave/project', project.root, { recursive: true });
  expect(await names()).toEqual(['Increments']);
  const { sections = [] } = (await packView(project.world(), 'increments')) ?? {};
  expect(sections.map(({ title }) => title)).toEqual(['Active', 'Others']);
  const [first] = sections[0]?.items ?? [];
  expect(first?.lines?.length).toBeGreaterThan(0);
  expect(first?.progress?.[0]).toMatchObject({ of: 'tasks', total: first?.lines?.length });
  expect(first?.commands?.[0]?.text).toBe(`fairlead increment show ${first?.name}`);
});

it('shows what the context holds, as it is written', async () => {
  project.putUser('config.yaml', 'packs:\n  context: on\n');
  expect(await names()).toEqual(['Context']);
  expect((await packView(project.world(), 'context'))?.start?.command).toBe('fairlead context init');
  const put = (name: string, text: string) => project.putProject(join('.context', name), text);
  put('CONSTITUTION.md', '# Constitution\n');
  put('TASKS.md', '# Tasks\n\n- [ ] Ship it \u202e #priority:high\n- [x] Done\n');
  put('DECISIONS.md', '# Decisions\n\n## [2026-03-10-101500] Use SQLite\n\n**Status**: Accepted\n');
  put('reminders.json', '[{"id":3,"message":"Ask again","created":"2026-01-01","after":"2026-01-02"}]');
  put('journal/2026-03-10-session.md', '# What was done\n');
  const { sections = [] } = (await packView(project.world(), 'context')) ?? {};
  const items = Object.fromEntries(sections.map(({ title, items: own }) => [title, own]));
  expect(items['Open tasks']?.[0]?.lines).toEqual([{ text: 'Ship it \\u202e', isDone: false }]);
  expect(items['Decisions']).toMatchObject([{ name: 'Use SQLite', about: '2026-03-10' }]);
  expect(items['Reminders']).toMatchObject([{ name: 'Ask again', standing: 'due' }]);
  expect(items['Reminders']?.[0]?.commands?.[0]?.text).toBe('fairlead remind dismiss 3');
  expect(items['Learnings']).toEqual([]);
  expect(items['Journal']?.[0]?.text).toBe('# What was done');
});
