import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import type { Place } from '../engine/engine.ts';
import { createWired, unguardedSince } from './wired.ts';
import type { Wired } from './wired.ts';

const TEXT = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/bin/fairlead-client"}]}]}}';
const NOW = new Date(2026, 0, 1, 16, 8).getTime();

let dir: string;
let state: string;
let local: string;
let watch: Wired;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-wired-')));
  state = join(dir, 'state');
  local = join(dir, 'project', '.claude', 'settings.local.json');
  put(local, TEXT);
  record({ [local]: { scope: 'local' } });
  const given = { isOff: () => false, onFailure: (_: string, error: unknown) => expect.fail(String(error)) };
  watch = createWired({ files: nodeFiles, state, resident: true, keeps: true, now: () => NOW, ...given });
  watch.look();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What every session hears. */
function notices(): readonly string[] {
  return watch.told({ policy: { notices: [] } } as unknown as Place).policy.urgent ?? [];
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function record(records: object): void {
  put(join(state, 'installs.json'), JSON.stringify(records));
}

it('puts a file back that is gone, and says so', () => {
  expect(notices()).toEqual([]);
  rmSync(dirname(local), { recursive: true });
  watch.look();
  expect(readFileSync(local, 'utf8')).toBe(TEXT);
  expect(notices()).toEqual([
    `${local} did not call Fairlead at 16:08, and does again since 16:08. A person who wants it gone runs \`fairlead uninstall\`.`,
  ]);
  watch.look();
  expect(notices()).toHaveLength(1);
});

it('puts back what an edit since has made of it', () => {
  const edited = TEXT.replace('{', '{"model":"opus",');
  writeFileSync(local, edited);
  watch.look();
  rmSync(local);
  watch.look();
  expect(readFileSync(local, 'utf8')).toBe(edited);
});

it('leaves another file in its place alone, and says since when nobody is guarded', () => {
  writeFileSync(local, '{"model":"opus"}');
  watch.look();
  expect(readFileSync(local, 'utf8')).toBe('{"model":"opus"}');
  expect(notices()).toEqual([expect.stringMatching(/^Unguarded since 16:08: .* no longer calls Fairlead\./)]);
  const since = (project: string) => unguardedSince(nodeFiles, state, NOW + 60_000, project);
  expect([since(join(dir, 'project')), since(join(dir, 'other'))]).toEqual(['16:08', undefined]);
  writeFileSync(local, TEXT);
  expect(since(join(dir, 'project'))).toBeUndefined();
});

it('leaves a link in its place alone', () => {
  rmSync(local);
  symlinkSync(join(dir, 'elsewhere'), local);
  watch.look();
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
  expect(notices()).toEqual([expect.stringMatching(/^Unguarded since/)]);
});

it('a look of a command notes what it finds and puts nothing back', () => {
  rmSync(local);
  expect(unguardedSince(nodeFiles, state, NOW, join(dir, 'project'))).toBe('16:08');
  expect(existsSync(local)).toBe(false);
  watch.look();
  expect(existsSync(local)).toBe(true);
});

it('leaves alone what a person has taken out, and a project that is gone', () => {
  rmSync(join(dir, 'project'), { recursive: true });
  watch.look();
  expect(existsSync(join(dir, 'project'))).toBe(false);
  record({});
  mkdirSync(join(dir, 'project'));
  watch.look();
  expect([existsSync(local), notices()]).toEqual([false, []]);
});

it('keeps what it keeps to the person alone', () => {
  expect(statSync(join(state, 'wired.json')).mode & 0o077).toBe(0);
});

it('knows which files call us, by what is in them', () => {
  const other = join(dir, 'other', '.claude', 'settings.json');
  const none = join(dir, 'none', '.claude', 'settings.json');
  put(other, TEXT);
  put(none, '{}');
  expect(watch.at([other, none])).toEqual([local, other]);
});
