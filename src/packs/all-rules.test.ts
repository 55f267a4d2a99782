import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from './index.generated.ts';
import { placeholdersOf } from '../engine/advice/messages.ts';
import { namesOf } from '../engine/match/rule-index.ts';
import type { Rule } from '../engine/rule.ts';
import { hasNearMiss, holds, tryExamples } from '../engine/trial/try-rule.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';

const source = (id: string) => readFileSync(new URL(`./${id}.ts`, import.meta.url), 'utf8');

/** Rules that act on what happened before, or on what a file holds: an example, which stands alone, cannot show it. */
const ACTS_LATER: ReadonlySet<string> = new Set([
  ...['guard/marks', 'guard/shown-keys'],
  ...['guard/circumvention', 'guard/settings-change', 'guard/single-files', 'basics/turn-line'],
  ...['autocontext/directory-read', 'autocontext/impact-card', 'autocontext/session-start', 'autocontext/wanted-names'],
  ...['autocontext/turn-watch', 'autocontext/closing-check', 'autocontext/left-behind'],
  ...['codegraph/adoption', 'codegraph/edited', 'codegraph/server-unseen', 'codegraph/turn-mark'],
  ...['diagrams/settle', 'diagrams/sweep', 'diagrams/tool-used'],
  ...['increments/detect', 'increments/prompt-line'],
  ...['peers/overlap', 'peers/changes', 'peers/commands', 'peers/reads'],
  'context/check-knowledge',
  'context/context-load-gate',
  ...['context/check-task-completion', 'context/qa-reminder', 'context/specs-nudge'],
  ...['context/check-context-size', 'context/check-persistence', 'context/check-reminders', 'context/check-resources'],
  ...['context/heartbeat', 'context/post-commit'],
  ...['context/check-backup-age', 'context/check-map-staleness', 'context/check-version'],
  ...['context/check-ceremonies', 'context/check-freshness', 'context/check-journal', 'context/check-memory-drift'],
]);

/** Said by the jobs that a rule sets off. */
const SAID_LATER: ReadonlySet<string> = new Set(['increments/detect synced', 'increments/detect conflict']);

it('there are rules, each with an id of its own', () => {
  const ids = BUILT_IN.map(({ meta }) => meta.id);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(BUILT_IN.map((entry) => [entry.meta.id, entry] as const))('%s', (id, entry) => {
  const { meta } = entry;

  it('is named after its place', () => {
    expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/);
    expect(id.split('/')[0]).toBe(meta.pack);
    expect(source(id)).toContain(`id: '${id}'`);
  });

  it('has metadata that is plain data, the same in the index as in the file', async () => {
    const { check, ...declared } = (await entry.load()) as Rule;
    expect(check).toBeTypeOf('function');
    expect(JSON.parse(JSON.stringify(declared))).toEqual(declared);
    expect(meta).toEqual(declared);
  });

  it('says in one sentence what it is for, and listens to something', () => {
    expect(meta.summary).toMatch(/^[A-Z`].{10,150}\.$/);
    expect(meta.on.flatMap(namesOf).length).toBeGreaterThan(0);
  });

  it('uses every message it has', () => {
    for (const variant of Object.keys(meta.messages)) {
      if (SAID_LATER.has(`${id} ${variant}`)) continue;
      expect(source(id), variant).toMatch(new RegExp(`['"]${variant}['"](?!\\s*:)`));
    }
  });

  it('does what its examples say, with every placeholder filled', async () => {
    const results = await tryExamples(entry, effectsOfExample);
    expect(results.filter((result) => !holds(result))).toEqual([]);
    const names = Object.values(meta.messages).flatMap(placeholdersOf);
    for (const { texts } of results)
      for (const text of texts) for (const name of names) expect(text).not.toContain(`{${name}}`);
  });

  it('acts in one example and comes close in another', async () => {
    const results = await tryExamples(entry, effectsOfExample);
    if (!ACTS_LATER.has(id)) expect(results.some(({ expected }) => expected !== 'pass')).toBe(true);
    expect(hasNearMiss(results), 'a pass example that its event and tool filters let in').toBe(true);
  });

  it('has its words in each example in which it acts', async () => {
    const acting = (await tryExamples(entry, effectsOfExample)).filter(({ expected }) => expected !== 'pass');
    expect(acting.filter(({ tier }) => tier < 3)).toEqual([]);
  });
});
