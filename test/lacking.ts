import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What some tests need beside Node, npm and git, and how to tell that it is here. */
const THINGS = {
  linux: () => process.platform === 'linux',
  root: () => process.getuid?.() === 0,
  mount: () => spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=100k', 'tmpfs', '/mnt']).status === 0,
  cc: () => hasProgram('cc'),
  fish: () => hasProgram('fish'),
  'graph-easy': () => hasProgram('graph-easy'),
  jq: () => hasProgram('jq'),
  mkfifo: () => hasProgram('mkfifo'),
  openssl: () => hasProgram('openssl'),
  ps: () => hasProgram('ps'),
  python3: () => hasProgram('python3'),
  'redis-server': () => hasProgram('redis-server'),
  script: () => hasProgram('script'),
  tmux: () => hasProgram('tmux'),
  zsh: () => hasProgram('zsh'),
} as const;

export type Thing = keyof typeof THINGS;

const answers = new Map<Thing, boolean>();

/** Whether this machine lacks one of them: `it.skipIf(lacks('cc'))`. `npm test` counts what is skipped and says why. */
export const lacks = (...things: readonly Thing[]): boolean => things.some((thing) => !isHere(thing));

/** What is not here, for the one who reads the report. */
export const missing = (): readonly Thing[] => (Object.keys(THINGS) as Thing[]).filter((thing) => !isHere(thing));

function isHere(thing: Thing): boolean {
  const known = answers.get(thing);
  if (known !== undefined) return known;
  const answer = THINGS[thing]();
  answers.set(thing, answer);
  return answer;
}

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, name), constants.X_OK);
      return dir !== '';
    } catch {
      return false;
    }
  });
}
