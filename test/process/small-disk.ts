import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { Home } from './daemon-home.ts';

const mounted: string[] = [];

/** Called where the tests are described, because hooks belong to a file. */
export function unmountAfterEach(): void {
  afterEach(() => {
    for (const dir of mounted.splice(0)) spawnSync('umount', ['-l', dir]);
  });
}

/** Gives the state of a home a disk of its own, of three megabytes; needs Linux, root and mount. */
export function mountSmall({ state }: Home): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=700', 'tmpfs', state]).status).toBe(0);
  mounted.push(state);
}

const fillerIn = ({ state }: Home): string => join(state, 'filler');

/** To the last byte. */
export function fill(home: Home): void {
  spawnSync('dd', ['if=/dev/zero', `of=${fillerIn(home)}`, 'bs=512'], { stdio: 'ignore' });
  expect(existsSync(fillerIn(home))).toBe(true);
}

export function makeRoom(home: Home): void {
  rmSync(fillerIn(home));
}
