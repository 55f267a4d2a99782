import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { loadBorrowed } from '../../packs/load-borrowed.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import type { UserRule } from '../../user-rules/parse.ts';
import { loadLayer } from './layer.ts';
import type { LayerDeps, LayerKind } from './compiled.ts';

export let top: string;
export let home: string;
export let project: string;
export let state: string;

/** Gives each test of a file directories of its own. */
export function useDirectories(): void {
  let count = 0;
  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-layer-')));
  });
  beforeEach(() => {
    const dir = join(top, String((count += 1)));
    [home, project, state] = [join(dir, 'config'), join(dir, 'project'), join(dir, 'state')];
    for (const path of [home, project]) mkdirSync(path, { recursive: true });
  });
  afterAll(() => rmSync(top, { recursive: true, force: true }));
}

export const ALIASES = { toolAliases: {}, eventAliases: {} };
export const rule = (name: string) =>
  `---\nname: ${name}\nevent: tool.before\ntool: shell\nwords: [deploy]\n---\nDeploy from the pipeline.\n`;
export const idsOf = ({ rules }: { readonly rules: readonly UserRule[] }) => rules.map(({ meta }) => meta.id);

/** A clock ahead of the files, so that every file counts as settled. */
export function depsWith(files: Files = nodeFiles, now = () => Date.now() + 60_000): LayerDeps {
  return {
    files,
    state,
    now,
    build: 'test',
    loadBorrowed,
    loadRuleParser: () => Promise.resolve((text, place) => parseUserRule(text, { ...place, ...ALIASES })),
  };
}

export function put(dir: string, name: string, text: string | Uint8Array): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export const load = (kind: LayerKind = 'user', deps = depsWith()) =>
  loadLayer(kind, kind === 'user' ? home : project, deps);

/** Counts how often a layer is read from its own files rather than from the compiled form. */
export function countingFiles(): { files: Files; reads: string[] } {
  const reads: string[] = [];
  const readBytes: Files['readBytes'] = (path, max) => {
    reads.push(path);
    return nodeFiles.readBytes(path, max);
  };
  return { files: { ...nodeFiles, readBytes }, reads };
}
