import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearSwitch, readSwitch, watchSwitch, writeSwitch } from './switch.ts';
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

describe('the switch as an engine that stays watches it', () => {
  it('is looked at by an event only where the last look is some time ago', () => {
    const { isOff } = watchSwitch(nodeFiles, folder, 2_000);
    expect(isOff(0)).toBe(false);
    writeSwitch(nodeFiles, folder, { since: 5 });
    expect([isOff(1_999), isOff(2_000)]).toEqual([false, true]);
  });

  it('counts from the next look between events', () => {
    const { isOff, look } = watchSwitch(nodeFiles, folder, 2_000);
    expect(isOff(0)).toBe(false);
    writeSwitch(nodeFiles, folder, { since: 5 });
    look(10);
    expect(isOff(11)).toBe(true);
  });

  it.each([
    ['by hand', () => void clearSwitch(nodeFiles, folder), 12],
    ['by its end', () => {}, 100],
  ])('passes nothing unseen once it is on again %s', (_, turnOn, now) => {
    const { isOff } = watchSwitch(nodeFiles, folder, 2_000);
    writeSwitch(nodeFiles, folder, { since: 5, until: 100 });
    expect(isOff(11)).toBe(true);
    turnOn();
    expect(isOff(now)).toBe(false);
  });

  it('is looked at when the clock was set back', () => {
    const { isOff } = watchSwitch(nodeFiles, folder, 2_000);
    expect(isOff(10_000)).toBe(false);
    writeSwitch(nodeFiles, folder, { since: 5 });
    expect(isOff(3_000)).toBe(true);
  });
});
