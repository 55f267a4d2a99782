import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { stricter, weaker } from '../engine/limits/mode.ts';
import { MODES } from '../event/verdict.ts';
import type { Mode } from '../event/verdict.ts';
import { STAGES } from '../team/bundle.ts';
import { bundle } from '../team/policy.fixture.ts';
import type { Layer } from './config/layer.ts';
import type { Config } from './config/settings.ts';
import { rulesOf } from './policy.ts';

const layer = (kind: Layer['kind'], config: Config, more: Partial<Layer> = {}): Layer => ({
  ...{ kind, dir: '/', state: 'trusted' as const, files: [], problems: [], signatures: [], settled: true },
  ...{ compiledAt: 0, config, rules: [], messages: {}, skippedBorrowed: [] },
  ...more,
});
const META = { id: 'test/one', pack: 'test', on: [], messages: {}, mode: 'ask' as Mode, examples: [] };
const PARTS = {
  builtIn: [{ meta: META, load: () => ({ check: () => [] }) }],
  loadDeclared: () => ({ check: () => [] }),
};
const mode = fc.constantFrom(...MODES);
const own = fc.option(mode, { nil: undefined });
const said = fc.constantFrom(...MODES.filter((word) => word !== 'off'));

const rule = (word: Mode | undefined): Config =>
  word === undefined
    ? {}
    : { rules: { 'test/one': word === 'off' ? { enabled: false } : { enabled: true, mode: word } } };

function standing(
  local: Mode | undefined,
  wanted: Mode | undefined,
  more: Partial<Parameters<typeof bundle>[0]>,
  glass = false,
) {
  const policy = { ...bundle(more), digest: '', machine: 'm', acceptedAt: 0 };
  const team = layer('team', rule(wanted), { policy, ...(glass && { glass: { since: 0, until: 1, reason: '' } }) });
  const layers = { root: '/', user: layer('user', rule(local)), project: layer('project', {}) };
  const of = (all: typeof layers & { team?: Layer }) =>
    rulesOf(all, PARTS as unknown as Parameters<typeof rulesOf>[1])[0];
  return { with: of({ ...layers, team }), without: of(layers) };
}

it('a policy has a rule act harder and never less hard', () => {
  fc.assert(
    fc.property(
      own,
      own,
      fc.constantFrom(...STAGES),
      fc.constantFrom('refuse', 'report'),
      (local, wanted, stage, weakening) => {
        const now = standing(local, wanted, { rings: [{ stage }], weakening: weakening as 'refuse' });
        const [after, before] = [now.with?.mode ?? 'off', now.without?.mode ?? 'off'];
        expect(stricter(after, before)).toBe(after);
      },
    ),
    cases(500),
  );
});

it('what it says holds where it enforces and refuses, whatever the machine says', () => {
  fc.assert(
    fc.property(own, said, (local, wanted) => {
      const { with: now } = standing(local, wanted, {});
      expect(now).toMatchObject({ policy: 'acme@1', held: true });
      expect(stricter(now?.mode ?? 'off', wanted)).toBe(now?.mode);
    }),
    cases(200),
  );
});

it('it only records where it audits, and only says where it warns', () => {
  fc.assert(
    fc.property(said, fc.constantFrom('audit' as const, 'warn' as const), (wanted, stage) => {
      const { with: now } = standing('off', wanted, { rings: [{ stage }] });
      expect(now?.mode).toBe(weaker(wanted, stage === 'audit' ? 'shadow' : 'advise'));
      expect(now?.held).toBeUndefined();
    }),
    cases(100),
  );
});

it('where it reports, what the machine says counts, and is marked', () => {
  expect(standing('advise', 'enforce', { weakening: 'report' }).with).toMatchObject({
    mode: 'advise',
    lowered: 'enforce',
  });
  // The default of a rule is nothing that the machine says.
  expect(standing(undefined, 'enforce', { weakening: 'report' }).with).toMatchObject({ mode: 'enforce' });
});

it('a rule of its own that it switches off is off', () => {
  const policy = { ...bundle({}), digest: '', machine: 'm', acceptedAt: 0 };
  const meta = { ...META, id: 'team/x', pack: 'team', mode: 'enforce' as Mode };
  const file = { path: '/p:rules/x.md', name: 'rules/x.md', kind: 'rule', state: 'ok', rule: { meta, match: {} } };
  const team = layer(
    'team',
    { rules: { 'team/x': { enabled: false } } },
    { policy, files: [file] as unknown as Layer['files'] },
  );
  const layers = { root: '/', user: layer('user', {}), project: layer('project', {}), team };
  const rules = rulesOf(layers, PARTS as unknown as Parameters<typeof rulesOf>[1]);
  expect(rules.find(({ source }) => source === file.path)).toMatchObject({ mode: 'off', policy: 'acme@1' });
});

it('how often a held rule speaks is not for the machine to say, and options of the policy count', () => {
  const policy = { ...bundle({}), digest: '', machine: 'm', acceptedAt: 0 };
  const one = (options: object, more: object = {}): Config => ({
    rules: { 'test/one': { enabled: true, mode: 'enforce', options: { ...options }, ...more } },
  });
  const team = layer('team', one({ a: 1 }), { policy });
  const user = layer('user', one({ a: 2, b: 3 }, { throttle: { kind: 'once' }, priority: 1 }));
  const [held] = rulesOf(
    { root: '/', user, project: layer('project', {}), team },
    PARTS as unknown as Parameters<typeof rulesOf>[1],
  );
  expect(held?.options).toEqual({ a: 1, b: 3 });
  expect(held?.meta).not.toHaveProperty('throttle');
  expect(held?.meta).not.toHaveProperty('priority');
});

it('says nothing of rules that it does not name, and while its glass is broken', () => {
  expect(standing('advise', undefined, {}).with).not.toHaveProperty('policy');
  expect(standing('advise', 'enforce', {}, true).with).toMatchObject({ mode: 'advise' });
});
