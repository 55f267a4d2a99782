import { expect, it } from 'vitest';
import { modesAt } from './install.ts';

const ROOT = '/home/dev/project';
const USER = '/home/dev/.claude/settings.json';
const SHARED = `${ROOT}/.claude/settings.json`;
const LOCAL = `${ROOT}/.claude/settings.local.json`;

/** As measured: contracts, section 16.1. */
it.each<[Record<string, string>, string]>([
  [{}, 'auto in a terminal, default with -p, as nothing is set'],
  [{ [USER]: 'auto' }, `auto in a terminal, auto with -p, by ${USER}`],
  [{ [SHARED]: 'auto' }, 'auto in a terminal, default with -p, as nothing is set'],
  [{ [SHARED]: 'plan', [USER]: 'auto' }, `plan in a terminal, plan with -p, by ${SHARED}`],
  [{ [LOCAL]: 'acceptEdits', [SHARED]: 'plan' }, `acceptEdits in a terminal, acceptEdits with -p, by ${LOCAL}`],
])('%j', (set, starts) => {
  const readText = (path: string) =>
    set[path] === undefined ? undefined : JSON.stringify({ permissions: { defaultMode: set[path] } });
  const files = { readText, stat: () => undefined, exists: () => false, list: () => [] };
  const [[, mode] = [], [, holds] = []] = modesAt({ root: ROOT, home: '/home/dev', env: {} }, files);
  expect(mode).toBe(starts);
  expect(holds).toMatch(/^a denial in every mode; a question is a dialog in a terminal, .* a denial, as with -p; /);
});
