import type { CodeRole, RoleCounts } from '../../engine/api/rule-graph.ts';
import type { FileFlag } from './facts.ts';

export type Role = CodeRole;

const ORDER: readonly Role[] = ['production', 'test', 'sample', 'generated', 'vendored'];

/** What says what a file is there for, before its place does. */
export const ROLE_FLAGS: ReadonlySet<FileFlag> = new Set(['product', 'test', 'sample', 'generated', 'vendored']);

/** What a file is by its flags and its place. What only its place says holds `unless` production code imports it. */
export interface PlacedRole {
  readonly role: Role;
  readonly unless: boolean;
}

const SUPPORT_DIRECTORY =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata|fixtures?|__fixtures__|mocks|__mocks__|testutils?)\//i;
const SUPPORT_FILE =
  /(?:^|\/)(?:conftest\.py|test[-_]?helpers?\.\w+|[^/]*[._-](?:fixtures?|mocks?|stub|stories)\.\w+)$/i;

/** A package of Java may be called `com.example`, and is the product all the same. */
const SAMPLE_DIRECTORY =
  /(?:^|(?<!\b(?:com|org|net|io|dev))\/)(?:docs?|documentation|_?examples?|samples?|demos?|playgrounds?|sandbox|tutorials?|snippets|bench|benches|benchmarks?)\//i;

/** By its name alone: what tests are built from, as fixtures and the projects they run on are. */
export function isTestSupport(path: string): boolean {
  return SUPPORT_DIRECTORY.test(path) || SUPPORT_FILE.test(path);
}

export function placedRole(path: string, flags: readonly FileFlag[]): PlacedRole {
  if (flags.includes('product')) return { role: 'production', unless: false };
  if (flags.includes('vendored')) return { role: 'vendored', unless: false };
  if (flags.includes('generated')) return { role: 'generated', unless: false };
  if (flags.includes('test')) return { role: 'test', unless: false };
  if (flags.includes('sample')) return { role: 'sample', unless: false };
  if (isTestSupport(path)) return { role: 'test', unless: true };
  if (SAMPLE_DIRECTORY.test(path)) return { role: 'sample', unless: true };
  return { role: 'production', unless: false };
}

/** Below a directory, and by its place there part of the product. */
export function isProductIn(path: string, directory: string): boolean {
  return path.startsWith(`${directory}/`) && placedRole(path.slice(directory.length + 1), []).role === 'production';
}

/** Production first. */
export function byRole(a: Role, b: Role): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

export function rolesOf(all: Iterable<{ readonly role: Role }>): RoleCounts {
  const roles: Partial<Record<Role, number>> = {};
  for (const { role } of all) roles[role] = (roles[role] ?? 0) + 1;
  return roles;
}
