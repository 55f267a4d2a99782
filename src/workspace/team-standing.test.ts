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

it('says nothing of rules that it does not name, and while its glass is broken', () => {
  expect(standing('advise', undefined, {}).with).not.toHaveProperty('policy');
  expect(standing('advise', 'enforce', {}, true).with).toMatchObject({ mode: 'advise' });
});
