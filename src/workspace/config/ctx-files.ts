import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { openScan } from './scan.ts';
import type { Scan } from './scan.ts';
import { sign } from './signature.ts';
import type { Signature } from './signature.ts';

/**
 * Files of ctx in a project's root, which the context pack takes over. Their names count from the root and begin with a
 * dot, which no name below `.fairlead` does.
 */
export const CONTEXT_DIR = '.context';
export const CTX_SETTINGS = '.ctxrc';
export const CTX_MESSAGES = `${CONTEXT_DIR}/hooks/messages`;

export function isCtxName(name: string): boolean {
  return name.startsWith('.');
}

/** The places whose absence means that a project brings none of them. */
export function ctxPlaces(root: string): readonly string[] {
  return [join(root, CTX_SETTINGS), join(root, CTX_MESSAGES)];
}

export function isCtxPath(root: string, path: string): boolean {
  return ctxPlaces(root).some((place) => path === place || path.startsWith(`${place}/`));
}

/** None of them is worth more than a warning: people who do not use the pack have such files too. */
export function scanCtx(root: string, files: Files): Scan {
  const { scan, isRefused, read, readTree } = openScan(root, files, files.realpath(root) ?? root);
  const places: Signature[] = [];
  for (const path of ctxPlaces(root)) {
    if (!files.exists(path)) places.push({ path });
    else if (isRefused(path)) places.push(sign(path, files, true));
    else if (path === join(root, CTX_SETTINGS)) read(CTX_SETTINGS, 'ctxrc');
    else readTree(CTX_MESSAGES, '.txt', 'ctx-message');
  }
  return {
    found: scan.found,
    signatures: [...places, ...scan.signatures],
    problems: scan.problems.map((problem) => ({ ...problem, severity: 'warning' })),
  };
}
