import { baseOf, recordsOf } from './compiled.ts';
import type { Compiled, LayerDeps, LayerFile, LayerKind, ParseRule } from './compiled.ts';
import { messageNamed, parseMessage } from './messages.ts';
import { parseConfig } from './parse.ts';
import type { ParsedConfig } from './parse.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { hashOf, scanLayer } from './scan.ts';
import type { Found, Scan, FileKind } from './scan.ts';
import { isSettled, sign } from './signature.ts';
import { scanProject, statusOf } from './trust.ts';
import { borrowingOf, isBorrowedName } from './borrowed-files.ts';
import { borrowedReaders } from './borrowed-readers.ts';
import type { ReaderOf } from './borrowed-readers.ts';
import { parseBorrowedSettings } from './borrowed-settings.ts';
import { glassPath, keptPath, MAX_GLASS_MS, readGlass } from '../../team/place.ts';
import { readKept } from '../../team/kept-policy.ts';
import type { TeamSettings } from '../../team/place.ts';
import type { Files } from '../../platform/files.ts';
import { messageOf } from '../../text/message-of.ts';

type PolicyScan = Scan & Pick<Compiled, 'policy' | 'glass'>;

/** The files of the policy that is kept, once its signature was checked. */
function scanPolicy(dir: string, settings: TeamSettings, files: Files, now: number): PolicyScan {
  const path = keptPath(dir);
  const signatures = [sign(path, files), sign(glassPath(dir), files)];
  const glass = readGlass(dir, files);
  const broken = glass && glass.until > now && glass.until <= now + MAX_GLASS_MS ? { glass } : {};
  try {
    const kept = readKept(dir, settings, files);
    if (!kept) throw new Error('is not there; `fairlead policy refresh` fetches the policy');
    const { bundle, digest, machine, acceptedAt } = kept;
    const { files: texts, ...head } = bundle;
    const found = Object.entries(texts).map(([name, text]) => ({
      path: `${path}:${name}`,
      name,
      kind: kindOf(name),
      bytes: new TextEncoder().encode(text),
    }));
    const policy = { ...head, digest, machine, acceptedAt };
    return { found, signatures, problems: [], policy, ...broken };
  } catch (error) {
    const problem: Problem = { file: path, line: 1, key: '', message: messageOf(error), severity: 'error' };
    return { found: [], signatures, problems: [problem], ...broken };
  }
}

function kindOf(name: string): FileKind {
  if (name === 'config.yaml') return 'config';
  return name.startsWith('rules/') ? 'rule' : 'message';
}

type LayerScan = Scan & Pick<Compiled, 'policy' | 'glass'>;
type Parsed = Pick<LayerFile, 'config' | 'rule' | 'message' | 'keys'> & { readonly problems: readonly Problem[] };

/** Reads and checks a layer's directory. This module brings the YAML parser, so it is loaded only when something changed. */
export async function compileLayer(
  kind: LayerKind,
  dir: string,
  deps: LayerDeps,
  previous?: Compiled,
): Promise<Compiled> {
  const isProject = kind === 'project';
  const now = deps.now();
  const record = recordsOf(kind, deps);
  const scan = scanOf(kind, dir, deps, now);
  // A policy that is damaged or gone stays in force as it was.
  if (previous?.policy && scan.policy === undefined) return staying(previous, scan, now);
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
    ...(scan.policy && { policy: scan.policy }),
    ...(scan.glass && { glass: scan.glass }),
  };

  // A person accepts what `.fairlead` holds and what it borrows in one go, but a change of one leaves the other in force.
  const isInForce = (name: string) => (isBorrowedName(name) ? trust?.context : state) === 'trusted';
  const isRead = ({ name, kind: of }: Found) => of === 'rule' && isInForce(name);
  const parseRule = scan.found.some(isRead) ? await ruleParser(deps) : noParser;
  const inForce = scan.found.filter(({ name }) => isInForce(name));
  const readerOf = await borrowedReaders(inForce, deps.loadBorrowed);
  const before = new Map(previous?.state === 'trusted' ? previous.files.map((file) => [file.name, file]) : []);
  const problems = [...scan.problems];
  const files = scan.found.map((found): LayerFile => {
    const { path, name, kind: of } = found;
    if (!isInForce(name)) return { path, name, kind: of, state: 'skipped' };
    const sha256 = found.bytes === undefined ? undefined : hashOf(found.bytes);
    const file = { path, name, kind: of, ...(sha256 === undefined ? {} : { sha256 }) };
    const { problems: own, ...parsed } = parseFound(found, { namespace: kind, parseRule, readerOf });
    problems.push(...own);
    if (parsed.message?.problem !== undefined) return { ...file, state: 'broken', ...parsed };
    if (hasContent(parsed)) return { ...file, state: 'ok', ...parsed };
    const last = before.get(name);
    // An older version of a project's file is not what the user accepted.
    const mayKeep = (of === 'config' || of === 'rule') && (!isProject || last?.sha256 === sha256);
    if (last === undefined || !mayKeep || !hasContent(last)) return { ...file, state: 'broken' };
    const { config, rule } = last;
    return { ...file, state: 'kept', ...(config ? { config } : {}), ...(rule ? { rule } : {}) };
  });
  return { ...compiled, files: dropDuplicates(files, problems), problems };
}

function staying(before: Compiled, { signatures, problems, glass }: LayerScan, now: number): Compiled {
  const { glass: _glass, ...previous } = before;
  return {
    ...previous,
    ...{ signatures, problems, settled: isSettled(signatures, now), compiledAt: now },
    ...(glass && { glass }),
  };
}

function scanOf(kind: LayerKind, dir: string, { files, team }: LayerDeps, now: number): LayerScan {
  if (kind === 'project') return scanProject(dir, files);
  if (kind === 'user') return scanLayer(baseOf(kind, dir), files);
  if (!team) throw new Error('the layer of a team is read by its settings');
  return scanPolicy(dir, team, files, now);
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
function parseFound(
  { path, name, kind, bytes }: Found,
  { namespace, parseRule, readerOf }: { namespace: LayerKind; parseRule: ParseRule; readerOf: ReaderOf },
): Parsed {
  const isMessage = kind === 'message' || kind === 'borrowed-message';
  const about = isMessage ? messageNamed(name, readerOf) : undefined;
  // A message that cannot be read is not silent, and leaves no word to the layers below.
  const withProblem = (problem: string) => (about ? { message: { ...about, text: '', problem } } : {});
  if (bytes === undefined) return { ...withProblem('cannot be read'), problems: [] };
  const fail = (message: string): Parsed => ({
    ...withProblem(message),
    problems: [
      {
        file: path,
        line: 1,
        key: '',
        message,
        severity: isMessage || kind === 'borrowed-settings' ? 'warning' : 'error',
      },
    ],
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('is not UTF-8 text');
  }
  try {
    if (isMessage) return parseMessage(text, { file: path, name }, readerOf);
    if (kind === 'config')
      return namespace === 'user' ? parseConfig(text, path) : withoutAddresses(parseConfig(text, path), namespace);
    if (kind === 'rule') return parseRule(text, { file: path, namespace });
    const borrowing = borrowingOf(name);
    if (!borrowing) return fail('belongs to no pack');
    const { config, problems, ...keys } = parseBorrowedSettings(text, path, borrowing.pack, readerOf(borrowing));
    return { ...(config && { config, keys }), problems };
  } catch (error) {
    return fail(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Where the record of all projects goes is the person's to say; where the state of a team goes, also its policy's. */
function withoutAddresses(parsed: ParsedConfig, namespace: LayerKind): ParsedConfig {
  if (!parsed.config) return parsed;
  const { telemetry: _foreign, state, ...config } = parsed.config;
  const { team, ...own } = state ?? {};
  const kept = { ...own, ...(namespace === 'team' && team ? { team } : {}) };
  return { ...parsed, config: { ...config, ...(Object.keys(kept).length > 0 ? { state: kept } : {}) } };
}
