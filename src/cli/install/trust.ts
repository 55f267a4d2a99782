import type { Installer, Scope } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { CliWorld } from '../command.ts';
import type { FileChange } from './file-change.ts';
import { planDistrusting, planTrusting } from './plan.ts';
import type { SettingsChange } from './plan.ts';
import type { Target } from './target.ts';

export interface AgentFile {
  readonly installer: Installer;
  /** Its file of hooks. */
  readonly path: string;
}

/** The changes by which a person agrees to the hooks that these changes leave, where agents want that. */
export function planTrust(
  files: readonly AgentFile[],
  scope: Scope,
  target: Target,
  changes: readonly FileChange[],
  world: CliWorld,
): readonly SettingsChange[] {
  return files.flatMap(({ installer, path }) => {
    const settings = installer.trust?.(scope, target, nodeFiles);
    const text = changes.find((change) => change.path === path)?.after ?? nodeFiles.readText(path);
    return (settings && text !== undefined && planTrusting(settings, scope, { path, text }, world)) || [];
  });
}

/** The changes that take out what was agreed to that way. */
export function planDistrust(
  installers: readonly Installer[],
  scopes: readonly Scope[],
  target: Pick<Target, 'root' | 'home' | 'env'>,
  world: Pick<CliWorld, 'paths'>,
): readonly SettingsChange[] {
  return installers.flatMap((installer) =>
    scopes.flatMap((scope) => {
      const settings = installer.trust?.(scope, target, nodeFiles);
      return (settings && planDistrusting(settings, scope, world)) || [];
    }),
  );
}

/** Why an agent does not call all of our entries in one of its files, and what a person does about it. */
export function whyNotTrusted(
  { installer, path }: AgentFile,
  scope: Scope,
  target: Pick<Target, 'root' | 'home' | 'env'>,
): { readonly objections: readonly string[]; readonly byHand: string; readonly settings: string } | undefined {
  const trust = installer.trust?.(scope, target, nodeFiles);
  const text = nodeFiles.readText(path);
  if (!trust || text === undefined) return undefined;
  const objections = trust.objections(nodeFiles.readText(trust.path) ?? '', { path, text });
  return objections.length === 0 ? undefined : { objections, byHand: trust.byHand, settings: trust.path };
}
