import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** The kill switch: a plain file, so that it works when nothing else does. */
export interface Switch {
  readonly since: number;
  /** Absent: until `fairlead on`. */
  readonly until?: number;
}

function switchPath(stateDir: string): string {
  return join(stateDir, 'off');
}

/** A file that cannot be read as a switch still means off: someone put it there. */
export function readSwitch(files: Files, stateDir: string, now: number): Switch | undefined {
  const path = switchPath(stateDir);
  if (!files.exists(path)) return undefined;
  let found: Partial<Switch> = {};
  try {
    found = (JSON.parse(files.readText(path, 1_000) ?? '{}') as Partial<Switch> | null) ?? {};
  } catch {
    // Kept empty: off without an end.
  }
  if (typeof found.until === 'number' && found.until <= now) return undefined;
  return { since: found.since ?? 0, ...(typeof found.until === 'number' ? { until: found.until } : {}) };
}

/** Whether nothing is answered: the switch is off, and no policy holds rules. */
export function isSwitchedOff(files: Files, stateDir: string, now: number): boolean {
  return readSwitch(files, stateDir, now) !== undefined && !isHeld(files, stateDir, now);
}

export interface SwitchWatch {
  isOff(now: number): boolean;
  look(now: number): boolean;
}

/**
 * For a process that stays, and looks by itself between events: an event looks at the file only where that is `everyMs` ago,
 * or where it was off, since nothing may pass unseen once it is on again.
 */
export function watchSwitch(files: Files, stateDir: string, everyMs: number): SwitchWatch {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let off = false;
  function look(now: number): boolean {
    off = isSwitchedOff(files, stateDir, now);
    lookedAt = now;
    return off;
  }
  return { look, isOff: (now) => (off || Math.abs(now - lookedAt) >= everyMs ? look(now) : false) };
}

function heldPath(stateDir: string): string {
  return join(stateDir, 'held');
}

/** Whether a team's policy keeps rules from being switched off. */
export function isHeld(files: Files, stateDir: string, now: number): boolean {
  const text = files.readText(heldPath(stateDir), 1_000);
  return text !== undefined && !(Number(text) > now);
}

/** `from`: the end of the time in which the policy does not count; undefined where nothing is held. */
export function writeHeld(files: Files, stateDir: string, from: number | undefined): void {
  const path = heldPath(stateDir);
  if (from === undefined) {
    files.remove(path);
    return;
  }
  const text = `${from}\n`;
  if (files.readText(path, 1_000) === text) return;
  files.makeDir(stateDir, 0o700);
  files.writeAtomic(path, text, 0o600);
}

export function writeSwitch(files: Files, stateDir: string, value: Switch): void {
  files.makeDir(stateDir, 0o700);
  files.writeAtomic(switchPath(stateDir), `${JSON.stringify(value)}\n`, 0o600);
}

export function clearSwitch(files: Files, stateDir: string): boolean {
  const was = files.exists(switchPath(stateDir));
  files.remove(switchPath(stateDir));
  return was;
}
