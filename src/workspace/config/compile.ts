import { baseOf } from './layer.ts';
import type { Compiled, LayerDeps, LayerFile, LayerKind, ParseRule } from './layer.ts';
import { parseMessage } from './messages.ts';
import { parseConfig } from './parse.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { hashOf, scanLayer } from './scan.ts';
import type { Found } from './scan.ts';
import { isSettled, sign } from './signature.ts';
import { scanProject, statusOf, trustPath } from './trust.ts';

type Parsed = Pick<LayerFile, 'config' | 'rule' | 'message'> & { readonly problems: readonly Problem[] };

/** Reads and checks a layer's directory. This module brings the YAML parser, so it is loaded only when something changed. */
export async function compileLayer(
  kind: LayerKind,
  dir: string,
  deps: LayerDeps,
  previous?: Compiled,
): Promise<Compiled> {
  const isProject = kind === 'project';
  const now = deps.now();
  const record = isProject ? [sign(trustPath(deps.state), deps.files)] : [];
  const scan = isProject ? scanProject(dir, deps.files) : scanLayer(baseOf(kind, dir), deps.files);
  const signatures = [...record, ...scan.signatures];
  const trust = isProject ? statusOf(dir, scan, deps) : undefined;
  const state = trust?.state ?? (scan.found.length === 0 ? 'absent' : 'trusted');
  const compiled = {
    kind,
    dir,
    state,
    ...(trust ? { trust } : {}),
    signatures,
    settled: isSettled(signatures, now),
    compiledAt: now,
  };

  if (state !== 'trusted') {
    const files = scan.found.map(({ path, name, kind: of }) => ({ path, name, kind: of, state: 'skipped' as const }));
    return { ...compiled, files, problems: scan.problems };
  }

  const parseRule = scan.found.some(({ kind: of }) => of === 'rule') ? await ruleParser(deps) : noParser;
  const before = new Map(previous?.state === 'trusted' ? previous.files.map((file) => [file.name, file]) : []);
  const problems = [...scan.problems];
  const files = scan.found.map((found): LayerFile => {
    const sha256 = found.bytes === undefined ? undefined : hashOf(found.bytes);
    const file = { path: found.path, name: found.name, kind: found.kind, ...(sha256 === undefined ? {} : { sha256 }) };
    const { problems: own, ...parsed } = parseFound(found, kind, parseRule);
    problems.push(...own);
    if (hasContent(parsed)) return { ...file, state: 'ok', ...parsed };
    const last = before.get(found.name);
    // An older version of a project's file is not what the user accepted.
    const mayKeep = found.kind !== 'message' && (!isProject || last?.sha256 === sha256);
    if (last === undefined || !mayKeep || !hasContent(last)) return { ...file, state: 'broken' };
    const { config, rule } = last;
    return { ...file, state: 'kept', ...(config ? { config } : {}), ...(rule ? { rule } : {}) };
  });
  return { ...compiled, files: dropDuplicates(files, problems), problems };
}

/** A parser that cannot be loaded makes every rule file a problem, and nothing else. */
async function ruleParser({ loadRuleParser }: LayerDeps): Promise<ParseRule> {
  try {
    return await loadRuleParser();
  } catch {
    return noParser;
  }
}

function noParser(): never {
  throw new Error('the reader of rule files could not be loaded');
}

/** Two rules of one name would share throttles, state and settings; the first file has it. */
function dropDuplicates(files: readonly LayerFile[], problems: Problem[]): readonly LayerFile[] {
  const owners = new Map<string, string>();
  return files.map(({ rule, ...file }) => {
    if (rule === undefined) return file;
    const owner = owners.get(rule.meta.id);
    if (owner === undefined) {
      owners.set(rule.meta.id, file.name);
      return { ...file, rule };
    }
    const message = `the rule \`${rule.meta.id}\` is already in ${owner}; give this one another name`;
    problems.push({ file: file.path, line: 1, key: 'name', message, severity: 'error' });
    return { ...file, state: 'broken' };
  });
}

function hasContent({ config, rule, message }: Omit<Parsed, 'problems'>): boolean {
  return config !== undefined || rule !== undefined || message !== undefined;
}

/** One file's failure is its own: whatever goes wrong here becomes a problem of this file. */
function parseFound({ path, name, kind, bytes }: Found, namespace: LayerKind, parseRule: ParseRule): Parsed {
  if (bytes === undefined) return { problems: [] };
  const fail = (message: string): Parsed => ({
    problems: [{ file: path, line: 1, key: '', message, severity: kind === 'message' ? 'warning' : 'error' }],
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('is not UTF-8 text');
  }
  try {
    if (kind === 'config') return parseConfig(text, path);
    if (kind === 'message') return parseMessage(text, { file: path, name: name.slice('messages/'.length) });
    return parseRule(text, { file: path, namespace });
  } catch (error) {
    return fail(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
