import { cpSync, mkdirSync } from 'node:fs';
import { nodeFiles } from '../../platform/files.ts';
import { basename, join, resolve } from '../../platform/paths.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';

const PARTS = ['config.yaml', 'rules', 'messages'];

/** Copies what holds for a run to where a person's own settings lie. */
export function plantPolicy(given: string, config: string, { cwd }: Pick<CliWorld, 'cwd'>): void {
  const path = resolve(cwd, given);
  const kind = nodeFiles.stat(path)?.kind;
  mkdirSync(join(config, 'rules'), { recursive: true });
  if (kind === 'dir') {
    const found = PARTS.filter((name) => nodeFiles.exists(join(path, name)));
    if (found.length === 0)
      throw new CommandError(`${path} has no ${PARTS.join(', ')}; a policy is laid out as .fairlead is`);
    for (const name of found) cpSync(join(path, name), join(config, name), { recursive: true });
  } else if (kind === 'file' && /\.ya?ml$/.test(path)) cpSync(path, join(config, 'config.yaml'));
  else if (kind === 'file' && path.endsWith('.md')) cpSync(path, join(config, 'rules', basename(path)));
  else
    throw new CommandError(
      `there is no policy at ${path}: a directory, a .yaml file of settings, or a .md file of a rule`,
    );
}
