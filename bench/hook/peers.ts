import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SAFETY_NET = 'cc-safety-net';
const SAFETY_NET_VERSION = '2.4.5';

/** Installs the peer on first use and tells its argv; a string says why it could not. */
export function installSafetyNet(scratch: string): readonly string[] | string {
  const folder = join(scratch, 'peers');
  const installed = join(folder, 'node_modules', SAFETY_NET);
  const manifest = join(installed, 'package.json');
  if (versionIn(manifest) !== SAFETY_NET_VERSION) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const { status, error } = spawnSync(
      'npm',
      ['install', `${SAFETY_NET}@${SAFETY_NET_VERSION}`, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'],
      { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (status !== 0) return `npm could not install it${error ? ` (${error.message})` : ''}`;
  }
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Readonly<Record<string, string>> };
  const script = bin[SAFETY_NET];
  if (script === undefined) return 'the package has no program of that name';
  // Its own hook verb for this agent, by Node directly: without what a shell or npx would add.
  return [process.execPath, join(installed, script), 'hook', '--coding-cli'];
}

function versionIn(manifest: string): string | undefined {
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version;
}
