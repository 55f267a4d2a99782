// The agent client that whole-session tests and benches drive. The number is part of what they prove, and without it
// npm on an older Node would quietly take an older client.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './prepare.mjs';

const PACKAGE = '@anthropic-ai/claude-code';
const VERSION = '2.1.325';
const folder = join(scratch, 'client');

/** Installs the client unless that very version is there already; returns its path. */
export function installClient() {
  const present = findProgram();
  if (present !== undefined && versionOf(present) === VERSION) return present;
  console.log(`installing ${PACKAGE} ${VERSION} into .build/client`);
  const { status, error, stderr } = spawnSync(
    'npm',
    [
      ...['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'],
      `${PACKAGE}@${VERSION}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  if (error) throw new Error(`npm could not be started (${error.message})`);
  if (status !== 0) throw new Error(`${PACKAGE}@${VERSION} could not be installed:\n${stderr.trim()}`);
  const program = findProgram();
  if (program === undefined)
    throw new Error(`${PACKAGE}@${VERSION} has no program for ${process.platform}-${process.arch}`);
  const found = versionOf(program);
  if (found !== VERSION) throw new Error(`${program} says it is version "${found}", not ${VERSION}`);
  return program;
}

/** The program is in a package of its own, one for each platform, of which npm takes those that fit. */
function findProgram() {
  const scope = join(folder, 'node_modules', '@anthropic-ai');
  const names = existsSync(scope) ? readdirSync(scope) : [];
  return names.map((name) => join(scope, name, 'claude')).find((path) => existsSync(path));
}

function versionOf(program) {
  const { stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  return /^\d[\w.-]*/.exec(stdout ?? '')?.[0];
}
