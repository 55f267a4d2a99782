import { join } from 'node:path';
import type { RuleFiles } from '../../engine/rule.ts';
import { isMap } from './options.ts';
import type { Check } from './qa-checks.ts';

type Reader = Pick<RuleFiles, 'readText' | 'stat'>;

const MAX_BYTES = 1 << 20;
const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;
const BY_FILE = [
  ['Cargo.toml', { lint: 'cargo clippy', test: 'cargo test' }],
  ['go.mod', { lint: 'go vet ./...', test: 'go test ./...' }],
  ['pyproject.toml', { lint: 'ruff check', test: 'pytest' }],
] as const;

/** The step that is open: the commands of the checks that are missing, as far as the project tells them. */
export function nextStep(files: Reader, root: string, missing: readonly Check[]): string {
  const known = missing.flatMap((check) => commandFor(files, root, check) ?? []);
  if (known.length > 0) return known.join(' && ');
  return missing.length === 0 ? 'go on' : `run this project's ${missing.map(({ name }) => name).join(' and ')}`;
}

function commandFor(files: Reader, root: string, { name, own }: Check): string | undefined {
  const written = own.find((pattern) => !pattern.includes('*'));
  if (written !== undefined) return written;
  const has = (file: string) => files.stat(join(root, file))?.kind === 'file';
  if (hasScript(files.readText(join(root, 'package.json'), MAX_BYTES), name)) {
    const runner = LOCK_FILES.find(([file]) => has(file))?.[1] ?? 'npm';
    return runner === 'npm' && name === 'test' ? 'npm test' : `${runner} run ${name}`;
  }
  const makefile = files.readText(join(root, 'Makefile'), MAX_BYTES);
  if (makefile !== undefined && new RegExp(`^${name}[ \\t]*:(?!=)`, 'm').test(makefile)) return `make ${name}`;
  return BY_FILE.find(([file]) => has(file))?.[1][name];
}

function hasScript(text: string | undefined, name: string): boolean {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const scripts = isMap(value) ? value['scripts'] : undefined;
    return isMap(scripts) && typeof scripts[name] === 'string';
  } catch {
    return false;
  }
}
