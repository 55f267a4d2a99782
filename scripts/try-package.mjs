// Tries a packed package as somebody would who has nothing of ours: an empty home, no variables but those a shell has, no install
// scripts. A release does so on each Node that it promises; `npm run try-package` packs what is built here and tries it on this one.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildClients, TARGETS } from './build-clients.mjs';
import { Mistake, runCommandLine } from './command-line.mjs';
import { prepare, root } from './prepare.mjs';

const ruleOn = (word, action) => `---\nevent: bash\nwords: [${word}]\naction: ${action}\n---\nNot by \`{command}\`.\n`;
const RULES = { 'no-deploy': ruleOn('deploy', 'deny'), 'ask-seed': ruleOn('seed', 'ask') };
const NPM = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Runs a program to its end; returns what it printed. */
export function run(program, args, { cwd, env = process.env, input = '' } = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd, env, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    shell: program === 'npm' && process.platform === 'win32',
  });
  const said = `${stdout ?? ''}${stderr ?? ''}`.trim();
  if (error) throw new Mistake(`${program} could not be started (${error.message})`);
  if (status !== 0) throw new Mistake(`${program} ${args.join(' ')} failed${said ? `:\n${said}` : ''}`);
  return stdout ?? '';
}

const OF_THE_NETWORK = /^(?:(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|npm_config_registry)$/i;

/** Where packages come from, and how to get there, are the person's own settings, which an empty home does not have. */
function npmSettings() {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_THE_NETWORK.test(name))),
    npm_config_cache: run('npm', ['config', 'get', 'cache']).trim(),
    npm_config_userconfig: run('npm', ['config', 'get', 'userconfig']).trim(),
  };
}

const MACHINE = `${process.platform}-${process.arch}`;

/** The newest Node of a major version, as a package of npm has it. */
export function installNode(major, place) {
  const dir = join(place, `node-${major}`);
  mkdirSync(dir);
  run('npm', ['install', ...NPM, '--no-package-lock', '--prefix', dir, `node-${MACHINE}@${major}`]);
  return join(dir, 'node_modules', `node-${MACHINE}`, 'bin', 'node');
}

/** What somebody does with the package on one Node, from its installation to its removal; returns what was seen. */
export async function tryPackage({ file, version, node, place, payload }) {
  const [home, project, prefix] = ['home', 'project', 'prefix'].map((name) => join(place, name));
  for (const dir of [home, project]) mkdirSync(dir, { recursive: true });
  const env = { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: home };
  const npm = (verb) =>
    run('npm', [verb, '--global', '--prefix', prefix, ...NPM, verb === 'install' ? file : 'fairlead'], {
      cwd: project,
      env: { ...env, PATH: process.env['PATH'], ...npmSettings() },
    });
  const program = join(prefix, 'lib', 'node_modules', 'fairlead');
  const fairlead = (...args) => run(node, [join(program, 'bin', 'fairlead'), ...args], { cwd: project, env });
  const seen = [];
  try {
    npm('install');
    const told = fairlead('--version').trim();
    expect('its version', told.split(/\s+/).includes(version), told);
    const played = JSON.parse(fairlead('demo', '--json'));
    expect('the demo', played.length > 0, played);
    seen.push(`demo of ${played.length} events`);
    run('git', ['init', '-q'], { cwd: project, env });
    const wired = fairlead('init', '--agent', 'claude-code', '--yes').replaceAll(/\s+/g, ' ');
    const client = /by (the native client \([^)]*\)|Node)/.exec(wired)?.[1] ?? wired;
    expect('the client', !(MACHINE in TARGETS) || client.includes('of this package'), client);
    seen.push(`init, by ${client}`);
    const rules = join(home, '.config', 'fairlead', 'rules');
    mkdirSync(rules, { recursive: true });
    for (const [name, text] of Object.entries(RULES)) writeFileSync(join(rules, `${name}.md`), text);
    writeFileSync(join(project, 'code.ts'), 'export const one = () => two();\nexport const two = () => 2;\n');
    fairlead('graph', 'index');
    const callers = fairlead('graph', 'callers', 'two');
    expect('the code graph', callers.includes('one'), callers);
    const call = callsOf({ project, env, payload });
    expectDecision('a rule', call('npm run deploy'), 'deny');
    expectDecision('a rule that asks', call('npm run seed'), 'ask');
    expectDecision('the guard', call('rm -rf /'), 'deny');
    expectDecision('what no rule stops', call('ls'), 'none');
    npm('install');
    expectDecision('a rule after a reinstall', call('npm run deploy'), 'deny');
    npm('uninstall');
    await engineEnds(home);
    expectDecision('the first call after removal', call('npm run deploy'), 'ask');
    expectDecision('the second', call('npm run deploy'), 'none');
    expectDecision('the first of another session', call('ls', 'another'), 'ask');
    npm('install');
    expectDecision('a rule after it was installed again', call('npm run deploy'), 'deny');
    seen.push('a denial, an ask, a reinstall, a removal and an installation again');
    return { seen, installed: installedWith(program) };
  } finally {
    await engineEnds(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function expect(what, isSo, found) {
  if (!isSo) throw new Mistake(`${what} of the package is not as it should be: ${JSON.stringify(found)}`);
}

function expectDecision(what, { decision, out }, wanted) {
  if (decision !== wanted) throw new Mistake(`${what} ended in "${decision}" and not in "${wanted}": ${out}`);
}

/** Sends calls as the agent does: by what `init` has written. */
function callsOf({ project, env, payload }) {
  const { hooks } = JSON.parse(readFileSync(join(project, '.claude', 'settings.local.json'), 'utf8'));
  const { command, args } = hooks.PreToolUse[0].hooks[0];
  let count = 0;
  return (line, session = 'one') => {
    const sent = { ...payload, session_id: session, cwd: project, tool_input: { command: line } };
    const input = JSON.stringify({ ...sent, tool_use_id: `call-${(count += 1)}` });
    const own = { ...env, CLAUDE_CODE_SESSION_ID: session, CLAUDE_PROJECT_DIR: project };
    const out = run(command, args, { cwd: project, env: own, input });
    const decision = out === '' ? 'none' : (JSON.parse(out).hookSpecificOutput?.permissionDecision ?? 'none');
    return { out, decision };
  };
}

/** The engine goes on for a while without its package, in case it is an update; here it is asked to end. */
async function engineEnds(home) {
  const about = join(home, '.local', 'state', 'fairlead', 'run', 'daemon.json');
  if (!existsSync(about)) return;
  process.kill(JSON.parse(readFileSync(about, 'utf8')).pid, 'SIGTERM');
  for (let look = 0; existsSync(about) && look < 200; look += 1) await sleep(50);
}

/** What came with a package, as `name@version`. */
function installedWith(dir) {
  const modules = join(dir, 'node_modules');
  const names = existsSync(modules) ? readdirSync(modules).filter((name) => !name.startsWith('.')) : [];
  const own = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  );
  return own.flatMap((name) => {
    const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
    return [`${name}@${version}`, ...installedWith(join(modules, name))];
  });
}

/** The bytes of an unpacked package by its largest parts. */
export function bytesOf(dir) {
  const sizes = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(dir.length + 1);
    const part = path.startsWith('dist/')
      ? path
          .split('/')
          .slice(0, path.split('/').length > 2 ? 2 : 1)
          .join('/')
      : path.split('/')[0];
    sizes[part] = (sizes[part] ?? 0) + statSync(join(dir, path)).size;
  }
  return Object.entries(sizes).sort(([, a], [, b]) => b - a);
}

const NOT_PACKED = new Set(['.build', '.git', 'node_modules'].map((name) => join(root, name)));

/** The built clone as a package, for this Node; out of a copy, since the clients of a package change what others here install. */
async function tryThis() {
  const place = mkdtempSync(join(tmpdir(), 'fairlead-try-'));
  try {
    await prepare();
    const copy = join(place, 'clone');
    cpSync(root, copy, { recursive: true, filter: (path) => !NOT_PACKED.has(path) });
    buildClients({ root: copy });
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', place], { cwd: copy }));
    const payload = JSON.parse(readFileSync(join(root, 'test/fixtures/claude-code/PreToolUse/bash.json'), 'utf8'));
    const { filename, version, size } = packed;
    const how = { file: join(place, filename), version, node: process.execPath, place, payload };
    const { seen } = await tryPackage(how);
    console.log([`${filename}, ${size} bytes`, ...seen].join('\n'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const help = 'npm run try-package: packs what is built here and tries it with an empty home.';
  process.exitCode = await runCommandLine({ name: 'try-package', help }, tryThis);
}
