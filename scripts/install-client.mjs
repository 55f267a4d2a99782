// The agent clients that whole-session tests and benches drive. The numbers are part of what they prove, and without them
// npm on an older Node would quietly take an older client.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './prepare.mjs';

/** By agent. The program is in a package of its own, one for each platform, of which npm takes those that fit. */
export const CLIENTS = {
  'claude-code': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    folder: 'client',
    variable: 'FAIRLEAD_E2E_CLIENT',
    programsIn: (modules) => below(join(modules, '@anthropic-ai')).map((dir) => join(dir, 'claude')),
  },
  codex: {
    package: '@openai/codex',
    version: '0.166.0',
    folder: 'client-codex',
    variable: 'FAIRLEAD_E2E_CODEX',
    programsIn: (modules) =>
      below(join(modules, '@openai'))
        .flatMap((dir) => below(join(dir, 'vendor')))
        .map((dir) => join(dir, 'bin', 'codex')),
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    folder: 'client-gemini',
    variable: 'FAIRLEAD_E2E_GEMINI',
    programsIn: (modules) => [join(modules, '@google', 'gemini-cli', 'bundle', 'gemini.js')],
  },
};

/** Installs a client unless that very version is there already; returns its path. */
export function installClient(agent = 'claude-code') {
  const client = CLIENTS[agent];
  const { package: name, version } = client;
  const folder = join(scratch, client.folder);
  const findProgram = () => client.programsIn(join(folder, 'node_modules')).find((path) => existsSync(path));
  const present = findProgram();
  if (present !== undefined && versionOf(present, folder) === version) return present;
  console.log(`installing ${name} ${version} into .build/${client.folder}`);
  const { status, error, stderr } = spawnSync(
    'npm',
    [
      ...['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'],
      `${name}@${version}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  if (error) throw new Error(`npm could not be started (${error.message})`);
  if (status !== 0) throw new Error(`${name}@${version} could not be installed:\n${stderr.trim()}`);
  const program = findProgram();
  if (program === undefined)
    throw new Error(`${name}@${version} has no program for ${process.platform}-${process.arch}`);
  const found = versionOf(program, folder);
  if (found !== version) throw new Error(`${program} says it is version "${found}", not ${version}`);
  return program;
}

function below(dir) {
  return existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : [];
}

function versionOf(program, home) {
  const words = program.endsWith('.js') ? [process.execPath, program] : [program];
  const { stdout } = spawnSync(words[0], [...words.slice(1), '--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
  });
  return /\d+\.\d[\w.-]*/.exec(stdout ?? '')?.[0];
}
