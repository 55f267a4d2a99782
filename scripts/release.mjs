// `npm run release VERSION`: makes a release and publishes nothing. All of it happens in a clone of the commit, because a
// working tree has files that git does not know and chunks of earlier builds; this repository changes at the very end.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildClients } from './build-clients.mjs';
import { COPIED_DATA } from './build.mjs';
import { root, scratch } from './prepare.mjs';
import { Mistake, runCommandLine } from './command-line.mjs';
import { bytesOf, installNode, run, tryPackage } from './try-package.mjs';

const HELP = `npm run release -- VERSION [--dry-run] [--checks-only]

VERSION is X.Y.Z, or patch, minor or major for the next one after the version in package.json.

  --dry-run      do everything but change this repository
  --checks-only  run the static checks instead of all tests, for a commit that CI has passed

Needs a clean tree on main and entries under "## Unreleased" in CHANGELOG.md. Clones the commit, sets the version,
runs the tests, builds the native clients and packs. Tries the package with an empty home on Node 20, 22 and 24: its demo, the
hooks, a reinstall, its removal. Writes a bill of materials. Then it commits the version and the changelog here and tags the commit. The package and the bill lie in .build/release/.
Nothing is pushed or published.`;
const PLUGINS = ['plugin/.claude-plugin/plugin.json', 'plugin/.codex-plugin/plugin.json'];
const RELEASED_FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md', ...PLUGINS];
const UNRELEASED = '## Unreleased';
const NODES = [20, 22, 24];
const MOST_BYTES = 12_000_000;

const numbersOf = (version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);

/** `wanted` is a version or the part to raise; a release must be newer than `current`. */
export function nextVersion(current, wanted) {
  const now = numbersOf(current);
  if (!now) throw new Mistake(`package.json has the version ${current}, which is not X.Y.Z`);
  const [major, minor, patch] = now;
  const raised = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  const next = Object.hasOwn(raised, wanted) ? raised[wanted] : numbersOf(wanted);
  if (!next) throw new Mistake(`"${wanted}" is not a version: write X.Y.Z, patch, minor or major`);
  const differing = next.findIndex((number, index) => number !== now[index]);
  if (differing === -1 || next[differing] < now[differing])
    throw new Mistake(`${next.join('.')} is not newer than ${current}`);
  return next.join('.');
}

/** What stands under Unreleased becomes the section of `version`; an empty Unreleased stays above it. */
export function releaseChangelog(text, version, day) {
  const lines = text.split('\n');
  const from = lines.indexOf(UNRELEASED);
  if (from === -1) throw new Mistake(`CHANGELOG.md has no line "${UNRELEASED}"`);
  if (lines.some((line) => line.startsWith('## ') && line.split(' ')[1] === version))
    throw new Mistake(`CHANGELOG.md has a section ${version} already`);
  const end = lines.findIndex((line, index) => index > from && line.startsWith('## '));
  const entries = lines.slice(from + 1, end === -1 ? lines.length : end);
  if (!entries.some((line) => line.startsWith('- ')))
    throw new Mistake(`CHANGELOG.md has no entry below "${UNRELEASED}": say what users will notice`);
  lines.splice(from + 1, 0, '', `## ${version} - ${day}`);
  return lines.join('\n');
}

/** The package that a file below node_modules belongs to, or undefined for other paths. */
export function packageOf(path) {
  const inside = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).split('/');
  if (!path.includes('node_modules/')) return undefined;
  return inside[0].startsWith('@') ? inside.slice(0, 2).join('/') : inside[0];
}

/** Leaves in npm's bill what reaches the user, by `name@version`: what an install brings, and what lies in dist/. */
export function billOfPackage(bill, shipped) {
  const components = bill.components.filter((one) => shipped.has(one['bom-ref']));
  const missing = [...shipped].filter((ref) => !components.some((one) => one['bom-ref'] === ref));
  if (missing.length > 0) throw new Mistake(`the bill of materials lacks ${missing.join(', ')}`);
  const refs = new Set([bill.metadata.component['bom-ref'], ...shipped]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...bill, components, dependencies };
}

/** Lets a long program talk to the terminal. */
function show(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) throw new Mistake(`${program} ${args.join(' ')} failed`);
}

const git = (...args) => run('git', args, { cwd: root }).trim();
const say = (line) => process.stderr.write(`release: ${line}\n`);
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function checkRepository(tag) {
  const problems = [];
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') problems.push(`the branch is ${branch}: releases are made on main`);
  if (git('status', '--porcelain') !== '') problems.push('there are uncommitted changes: commit or stash them');
  if (git('tag', '--list', tag) !== '') problems.push(`the tag ${tag} exists already`);
  if (problems.length > 0) throw new Mistake(problems.join('\n'));
}

function setVersion(clone, version, changelog) {
  run('npm', ['version', version, '--no-git-tag-version'], { cwd: clone });
  for (const path of PLUGINS.map((name) => join(clone, name)))
    writeFileSync(path, readFileSync(path, 'utf8').replace(/("version": )"[^"]*"/, `$1"${version}"`));
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
}

function pack(clone, out) {
  const printed = run('npm', ['pack', '--json', '--pack-destination', out], { cwd: clone });
  return join(out, JSON.parse(printed)[0].filename);
}

/** `npm sbom --omit dev` leaves out packages that a tool needs too, and all whose data the build copies into dist/. */
function writeBill(clone, path, installed) {
  const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: clone }));
  const bundled = Object.keys(readJson(join(clone, 'dist', 'meta.json')).inputs);
  const names = [...bundled, ...COPIED_DATA.map((file) => `node_modules/${file}`)].map(packageOf);
  const inDist = names
    .filter((name) => name !== undefined)
    .map((name) => `${name}@${readJson(join(clone, 'node_modules', name, 'package.json')).version}`);
  const own = billOfPackage(bill, new Set([...installed, ...inDist]));
  writeFileSync(path, `${JSON.stringify(own, null, 2)}\n`);
  return own.components.length;
}

/** On every Node that the package promises to run on, one after the other. */
async function tryOnEach(file, version, place, clone) {
  const payload = readJson(join(clone, 'test', 'fixtures', 'claude-code', 'PreToolUse', 'bash.json'));
  let installed = [];
  for (const major of NODES) {
    const node = installNode(major, place);
    const tried = await tryPackage({ file, version, node, place: join(place, `tried-${major}`), payload });
    installed = tried.installed;
    say(`on Node ${run(node, ['--version']).trim()}: ${tried.seen.join('; ')}`);
  }
  return installed;
}

/** Also says what the bytes are. */
function checkSize(file, place) {
  const { size } = statSync(file);
  const dir = join(place, 'unpacked');
  mkdirSync(dir);
  run('tar', ['-xzf', file, '-C', dir]);
  const parts = bytesOf(join(dir, 'package')).slice(0, 6);
  say(`${megabytes(size)} packed; unpacked ${parts.map(([part, bytes]) => `${part} ${megabytes(bytes)}`).join(', ')}`);
  if (size > MOST_BYTES) throw new Mistake(`the package has ${megabytes(size)}, more than ${megabytes(MOST_BYTES)}`);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function commitAndTag(clone, version, commit) {
  if (git('rev-parse', 'HEAD') !== commit || git('status', '--porcelain') !== '')
    throw new Mistake('the repository changed meanwhile, so what was tested is not what would be tagged');
  for (const file of RELEASED_FILES) copyFileSync(join(clone, file), join(root, file));
  git('commit', '--quiet', '-m', `Release ${version}`, '--', ...RELEASED_FILES);
  git('tag', '--annotate', `v${version}`, '-m', `Release ${version}`);
}

async function release({ wanted, dryRun, checksOnly }) {
  const version = nextVersion(readJson(join(root, 'package.json')).version, wanted);
  const tag = `v${version}`;
  checkRepository(tag);
  const day = new Date().toISOString().slice(0, 10);
  const changelog = releaseChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, day);
  const commit = git('rev-parse', 'HEAD');
  const out = join(scratch, 'release');
  const place = mkdtempSync(join(tmpdir(), 'fairlead-release-'));
  // npm calls the package in the bill by the name of its directory.
  const clone = join(place, 'fairlead');
  try {
    say(`${version} of ${commit.slice(0, 12)}, in ${place}`);
    run('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    setVersion(clone, version, changelog);
    say(checksOnly ? 'npm run check' : 'npm test');
    show('npm', checksOnly ? ['run', '--silent', 'check'] : ['test', '--silent'], clone);
    run('npm', ['run', 'build'], { cwd: clone });
    const clients = buildClients({ root: clone });
    say(`built the native client for ${Object.keys(clients).join(', ')}`);
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const file = pack(clone, out);
    say(`packed ${file}`);
    checkSize(file, place);
    const installed = await tryOnEach(file, version, place, clone);
    const bill = join(out, `fairlead-${version}.cdx.json`);
    say(`wrote ${bill}, ${writeBill(clone, bill, installed)} packages`);
    if (dryRun) say(`a dry run: nothing was committed, and there is no tag ${tag}`);
    else {
      commitAndTag(clone, version, commit);
      say(`committed and tagged ${tag}; look at it with git show ${tag}, then push it with git push --follow-tags`);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function main([wanted, ...more], values) {
  if (wanted === undefined || more.length > 0) return false;
  if (!existsSync(join(root, '.git'))) throw new Mistake('this is no clone of the repository');
  await release({ wanted, dryRun: values['dry-run'], checksOnly: values['checks-only'] });
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const flag = { type: 'boolean', default: false };
  const options = { 'dry-run': flag, 'checks-only': flag };
  process.exitCode = await runCommandLine({ name: 'release', help: HELP, options }, main);
}
