// The agent clients that whole-session tests and benches drive. The numbers are part of what they prove, and without them
// npm on an older Node would quietly take an older client.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
  copilot: {
    package: '@github/copilot',
    version: '1.0.102',
    folder: 'client-copilot',
    variable: 'FAIRLEAD_E2E_COPILOT',
    programsIn: (modules) => below(join(modules, '@github')).map((dir) => join(dir, 'copilot')),
  },
  kimi: {
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    folder: 'client-kimi',
    variable: 'FAIRLEAD_E2E_KIMI',
    programsIn: (modules) => [join(modules, '@moonshot-ai', 'kimi-code', 'dist', 'main.mjs')],
    node: '22.19.0',
  },
  qwen: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    folder: 'client-qwen',
    variable: 'FAIRLEAD_E2E_QWEN',
    programsIn: (modules) => [join(modules, '@qwen-code', 'qwen-code', 'cli-entry.js')],
    node: '22.0.0',
  },
  opencode: {
    package: 'opencode-ai',
    // The newest that is published for both kinds of processors.
    version: '1.18.18',
    folder: 'client-opencode',
    variable: 'FAIRLEAD_E2E_OPENCODE',
    programsIn: (modules) =>
      below(modules)
        .filter((dir) => /opencode-(?!ai$)/.test(dir.slice(modules.length)))
        .map((dir) => join(dir, 'bin', 'opencode')),
  },
};

/** For clients that this Node is too old for. */
const NEWER_NODE = '22.23.3';

/** The Node that runs a client: this one, unless the client needs a newer one. */
export function nodeFor(agent) {
  const least = CLIENTS[agent].node?.split('.').map(Number) ?? [0];
  const own = process.versions.node.split('.').map(Number);
  const at = least.findIndex((number, index) => number !== own[index]);
  if (at < 0 || least[at] < own[at]) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(scratch, `node-${NEWER_NODE}`);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) install(folder, name, NEWER_NODE);
  return program;
}

/** Installs a client unless that very version is there already, any other one beside it; returns its path. */
export function installClient(agent = 'claude-code', version = CLIENTS[agent].version) {
  const client = CLIENTS[agent];
  const { package: name } = client;
  const folder = join(scratch, version === client.version ? client.folder : `${client.folder}-${version}`);
  const findProgram = () => client.programsIn(join(folder, 'node_modules')).find((path) => existsSync(path));
  const present = findProgram();
  const node = nodeFor(agent);
  if (present !== undefined && versionOf(present, folder, node) === version) return present;
  install(folder, name, version);
  const program = findProgram();
  if (program === undefined)
    throw new Error(`${name}@${version} has no program for ${process.platform}-${process.arch}`);
  const found = versionOf(program, folder, node);
  if (found !== version) throw new Error(`${program} says it is version "${found}", not ${version}`);
  return program;
}

function install(folder, name, version) {
  console.log(`installing ${name} ${version} into .build/${basename(folder)}`);
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
}

function below(dir) {
  return existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : [];
}

function versionOf(program, home, node) {
  const words = /\.m?js$/.test(program) ? [node, program] : [program];
  const { stdout } = spawnSync(words[0], [...words.slice(1), '--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
  });
  return /\d+\.\d(?:[\w.-]*\w)?/.exec(stdout ?? '')?.[0];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) installClient(process.argv[2]);
