import { statSync } from 'node:fs';
import { nodeFiles } from './files.ts';
import { userId } from './private-dir.ts';

/** The text of a file that holds a secret, or why it is not used: what others can read is no secret. */
export function readPrivateText(
  path: string,
  mostBytes: number,
): { readonly text: string } | { readonly problem: string } {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return { problem: `${path} is missing` };
  if (found.size > mostBytes) return { problem: `${path} is too long` };
  if (process.platform !== 'win32' && found.uid !== userId()) return { problem: `${path} belongs to another user` };
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    return { problem: `${path} can be read by others; \`chmod 600\` closes it` };
  const text = nodeFiles.readText(path, mostBytes);
  return text === undefined ? { problem: `${path} cannot be read` } : { text };
}
