import { spawnSync } from 'node:child_process';
import type { Environment } from '../platform/paths.ts';
import { CommandError } from './command.ts';

/** Opens a file in the person's editor and waits for its end; false when they have named none. The variable may hold arguments, so a shell reads it. */
export function editInEditor(path: string, env: Environment): boolean {
  const editor = env['VISUAL'] || env['EDITOR'];
  if (!editor) return false;
  const { status, error } =
    process.platform === 'win32'
      ? spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
      : spawnSync('sh', ['-c', `${editor} "$1"`, 'editor', path], { stdio: 'inherit' });
  if (error || status !== 0)
    throw new CommandError(
      `the editor (${editor}) ended with ${error?.message ?? `exit code ${status}`}; ${path} is as it left it`,
    );
  return true;
}
