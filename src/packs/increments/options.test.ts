import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULTS, readOptions } from './options.ts';

it('are the defaults where nothing is written', () => {
  expect(readOptions({})).toEqual(readOptions(DEFAULTS));
  expect(readOptions({})).toMatchObject({
    activeStatuses: ['active', 'in-progress', 'planning', 'ready_for_review'],
    completeWhen: 'strict',
    scan: { windowMs: 2_000, maxIncrements: 50 },
    tuning: { ring: 100, majority: 50, minSamples: 20 },
    jobs: { quietMs: 150, maxWaitMs: 1_000, maxParallel: 2, burstCount: 5, burstWindowS: 10 },
    breaker: { failures: 5, windowS: 60, recoveryS: 30, successes: 3 },
    acSync: true,
    statusLine: true,
    statusline: { showContext: true, ascii: false },
    livingDocs: { enabled: true, root: '.specweave/docs/internal/specs' },
    guard: { require: 'facts', transitions: false },
    watch: false,
  });
  expect(readOptions({}).onChange).toBeUndefined();
});

it('are what the user wrote', () => {
  const options = readOptions({
    active_statuses: ['active'],
    tasks: { complete_when: 'status' },
    scan: { window_ms: 0 },
    jobs: { burst_max_wait_ms: 9_000, burst_quiet_ms: 900 },
    ac_sync: { enabled: false },
    living_docs: { root: './docs//specs/' },
    on_change: { command: ['tell', 'us'] },
    guard: { require: 'command', transitions: true },
  });
  expect(options).toMatchObject({
    activeStatuses: ['active'],
    completeWhen: 'status',
    scan: { windowMs: 0, maxIncrements: 50 },
    jobs: { quietMs: 150, burstMaxWaitMs: 9_000, burstQuietMs: 900 },
    acSync: false,
    livingDocs: { enabled: true, root: 'docs/specs' },
    onChange: ['tell', 'us'],
    guard: { require: 'command', transitions: true },
  });
});

it('are the defaults wherever a value is of the wrong kind', () => {
  const odd = fc.constantFrom(null, '', 'x', -1, Infinity, Number.NaN, [], [7], [''], {}, { enabled: 'yes', root: 7 });
  const keys = Object.keys(DEFAULTS);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...keys), odd)), (given) => {
      expect(readOptions(Object.fromEntries(given))).toEqual(readOptions({}));
    }),
  );
});
