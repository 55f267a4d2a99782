import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearSwitch, readSwitch, writeSwitch } from './switch.ts';
import { nodeFiles } from '../platform/files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-switch-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the switch', () => {
  it('is on when nobody turned it off', () => {
    expect(readSwitch(nodeFiles, folder, 0)).toBeUndefined();
    expect(clearSwitch(nodeFiles, folder)).toBe(false);
  });

  it('stays off until it is turned on', () => {
    writeSwitch(nodeFiles, join(folder, 'state'), { since: 5 });
    expect(readSwitch(nodeFiles, join(folder, 'state'), 1e15)).toEqual({ since: 5 });
    expect(clearSwitch(nodeFiles, join(folder, 'state'))).toBe(true);
    expect(readSwitch(nodeFiles, join(folder, 'state'), 6)).toBeUndefined();
  });

  it('turns itself on again after its time', () => {
    writeSwitch(nodeFiles, folder, { since: 5, until: 100 });
    expect(readSwitch(nodeFiles, folder, 99)).toEqual({ since: 5, until: 100 });
    expect(readSwitch(nodeFiles, folder, 100)).toBeUndefined();
  });

  it.each(['', 'off', '{"until":"soon"}', '[]', 'null'])('is off when its file holds %j', (content) => {
    writeFileSync(join(folder, 'off'), content);
    expect(readSwitch(nodeFiles, folder, 10)).toEqual({ since: 0 });
  });
});
