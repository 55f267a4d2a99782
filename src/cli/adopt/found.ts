import { createHash } from 'node:crypto';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type { Installer, Scope, SettingsProblem } from '../../adapters/installer.ts';
import type { ForeignHook } from '../../adapters/adopting.ts';
import { knownWords } from '../../adapters/registry.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { translateHookify } from '../../user-rules/hookify.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import { PROJECT_DIR } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';
import { targetOf } from '../install/target.ts';
import type { Target } from '../install/target.ts';
import { shown } from '../known-rules.ts';

/** A hook of somebody else's that is in force here, or a rule of another program, and what can be done about it. */
export interface Found {
  readonly number: number;
  readonly name: string;
  readonly agent: string;
  readonly event: string;
  readonly matcher?: string;
  /** What it starts. */
  readonly command: string;
  /** For people. */
  readonly from: string;
  readonly file: string;
  readonly proposal: 'translate' | 'wrap' | 'leave';
  /** Why it is left, or what will not be quite the same. */
  readonly why?: string;
  /** Of a hook: in whose settings, and where there. */
  readonly scope?: Scope;
  readonly hook?: ForeignHook;
  /** Of a rule: where ours goes, and its text. */
  readonly rule?: { readonly path: string; readonly text: string };
}

type Row = Omit<Found, 'number'>;

export function findAdoptable(dir: string | undefined, world: CliWorld): readonly Found[] {
  const target = targetOf(dir, world);
  const rows = INSTALLERS.flatMap((installer) => [
    ...hooksOf(installer, target, world),
    ...(target.isProject ? rulesOf(installer, target, world) : []),
  ]);
  const taken = new Map<string, number>();
  return rows.map((row, at) => {
    const count = (taken.get(row.name) ?? 0) + 1;
    taken.set(row.name, count);
    return { ...row, name: count === 1 ? row.name : `${row.name}-${count}`, number: at + 1 };
  });
}

interface Source {
  readonly path: string;
  readonly from: string;
  readonly scope?: Scope;
  /** Of a person, a project or the administrator; plugins have hooks alone. */
  readonly isSettings?: true;
  readonly objection?: string;
}

const SHARED = 'the file is shared: others who have it would lose the hook';

function hooksOf(installer: Installer, target: Target, world: CliWorld): Row[] {
  const { adopting, agent } = installer;
  if (!adopting) return [];
  const sources = sourcesOf(installer, target, world);
  const off = switchIn(sources, installer);
  return sources.flatMap(({ path, from, scope, objection }) => {
    const text = nodeFiles.readText(path);
    if (text === undefined) return [];
    const problems = scope === undefined ? [] : installer.read(text).problems;
    return adopting.list(text).map((hook): Row => {
      const { event, matcher, shown: command } = hook;
      const why = ignoredBy(problems, hook) ?? off ?? objection ?? hook.objection;
      return {
        ...{ name: nameOf(command), agent, event, command, from, file: path, hook },
        ...(matcher === undefined ? {} : { matcher }),
        ...(scope === undefined ? {} : { scope }),
        ...(why === undefined ? { proposal: 'wrap' } : { proposal: 'leave', why }),
      };
    });
  });
}

function ignoredBy(problems: readonly SettingsProblem[], { path }: ForeignHook): string | undefined {
  if (problems.some(({ disables }) => disables === 'file'))
    return 'the agent ignores the whole file, because something in it is wrong';
  const found = problems.find((each) => `${each.path}.`.startsWith(`${path}.`));
  return found && `the agent ignores it: ${found.path.slice(path.length + 1)} ${found.message}`;
}

/** What of the settings keeps all hooks from running. */
function switchIn(sources: readonly Source[], installer: Installer): string | undefined {
  for (const { path, from, isSettings } of sources) {
    const { switches = [] } = isSettings ? installer.read(nodeFiles.readText(path) ?? '{}') : {};
    const [name] = switches.filter((each) => !each.startsWith('env.'));
    if (name !== undefined) return `${from} sets ${name}, so the agent runs no hooks`;
  }
  return undefined;
}

/** Files of settings that hold no hooks for the agent because it cannot read them. */
export function unreadable(dir: string | undefined, world: CliWorld): readonly string[] {
  const target = targetOf(dir, world);
  return INSTALLERS.filter(({ adopting }) => adopting).flatMap((installer) =>
    sourcesOf(installer, target, world).flatMap(({ path, from, isSettings }) => {
      const text = isSettings ? nodeFiles.readText(path) : undefined;
      const whole = text === undefined || text.trim() === '' ? [] : installer.read(text).problems;
      return whole
        .filter((each) => each.path === '')
        .map(({ message }) => `${from} cannot be read, by the agent either: ${message}`);
    }),
  );
}

function sourcesOf(installer: Installer, target: Target, world: CliWorld): readonly Source[] {
  const { machineRoot = '' } = world;
  const own = SCOPES.flatMap((scope): Source[] => {
    const path = installer.settingsPath(scope, target);
    if (path === undefined) return [];
    return [
      { path, scope, isSettings: true, from: shown(world, path), ...(scope === 'project' && { objection: SHARED }) },
    ];
  });
  const policies = installer
    .policyPaths(process.platform, (dir) => nodeFiles.list(machineRoot + dir))
    .map((path): Source => ({
      path: machineRoot + path,
      from: path,
      isSettings: true,
      objection: "the machine's administrator wrote it",
    }));
  const extensions = (installer.adopting?.extensions(target, nodeFiles) ?? []).map(({ name, path }): Source => {
    return {
      path,
      from: `plugin ${name}`,
      objection: `it belongs to the plugin ${name}, which brings it back with each update`,
    };
  });
  // In a home directory one file stands for two scopes.
  const byPath = new Map(
    [...own, ...policies, ...extensions].map((each) => [canonicalPath(nodeFiles, each.path), each]),
  );
  return [...byPath.values()];
}

function rulesOf({ agent, otherRules }: Installer, target: Target, world: CliWorld): Row[] {
  const taken = new Set<string>();
  return (otherRules?.(target) ?? []).flatMap(({ kind, dir, isRule }) =>
    nodeFiles
      .list(dir)
      .filter(isRule)
      .map((file): Row => {
        const path = join(dir, file);
        const translation = translateHookify(nodeFiles.readText(path) ?? '', path, (wanted) => freeIn(taken, wanted));
        const { name } = translation;
        const base = { name, agent, command: `rule ${name}`, from: `${kind}, ${shown(world, path)}`, file: path };
        if ('refusal' in translation) return { ...base, event: '', proposal: 'leave', why: translation.refusal };
        const { event, text, remarks } = translation;
        const rule = { path: join(target.root, PROJECT_DIR, 'rules', `${name}.md`), text };
        const why = objectionTo(rule);
        if (why !== undefined) return { ...base, event, proposal: 'leave', why };
        return { ...base, event, proposal: 'translate', rule, ...(remarks.length > 0 && { why: remarks.join('; ') }) };
      }),
  );
}

/** Names that differ in case alone are one file on some machines. */
function freeIn(taken: Set<string>, wanted: string): string {
  let name = wanted;
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wanted}-${count}`;
  taken.add(name.toLowerCase());
  return name;
}

function objectionTo({ path, text }: { readonly path: string; readonly text: string }): string | undefined {
  if (nodeFiles.exists(path)) return 'the project has a rule of this name';
  const { problems } = parseUserRule(text, { file: path, namespace: 'project', ...knownWords() });
  return problems.find(({ severity }) => severity === 'error')?.message;
}

/** The script that it starts, else the program. */
function nameOf(command: string): string {
  const words = command.split(/[\s"']+/).map((word) => word.split('/').at(-1) ?? '');
  const script = words.find((word) => /^[\w-]+\.(?:sh|bash|py|[cm]?[jt]s|rb|pl|php)$/.test(word));
  return (script ?? words.find((word) => /^[\w.-]+$/.test(word)) ?? 'hook').slice(0, 40);
}

/** Of a file and what is taken out of it. */
export function setIdOf(file: string, before: string): string {
  return createHash('sha256').update(`${file}\n${before}`).digest('hex').slice(0, 10);
}
