import { relative, join } from 'node:path';
import { asPath, callName, defineRule, joined, own, record, compileGlob, matchGlob } from '../../engine/rule.ts';
import type { OwnWords, RuleFiles, RuleContext } from '../../engine/rule.ts';
import { readShell } from '../../shell/read.ts';
import { readGitLine } from './commit-calls.ts';
import { CONTEXT_DIR } from './files.ts';
import { findMade, readHeads } from './made-commits.ts';
import type { Heads, MadeCommit } from './made-commits.ts';
import { tell } from './nudge.ts';
import type { Told } from './nudge.ts';
import { readGroup, textsIn, isMap } from './options.ts';
import { contextRoot } from './place.ts';
import { CHECK_DEFAULTS, checksIn } from './qa-checks.ts';
import type { Check } from './qa-checks.ts';
import { COMMITTED, ofPrompt, QA, readQa, standingOf } from './qa-state.ts';
import type { QaState } from './qa-state.ts';
import { readHead } from '../../git/head.ts';
import { findRepository } from '../../git/repository.ts';

interface Reader {
  readText(path: string, maxBytes?: number): string | undefined;
  list(dir: string, max: number): readonly string[];
}

/** A version as one file of the project has it. */
interface FoundVersion {
  readonly path: string;
  readonly version: string;
}

/** Anything else in such a file is not shown as a version. */
const VERSION = /^[\w.+-]{1,60}$/;
const MAX_BYTES = 1 << 20;
const MAX_LISTED = 2_000;

/**
 * The version that a source names: the first line of a file, or with `path#/json/pointer` the text at a place in it. A
 * part of the path with `*` stands for the first entry it matches. Undefined when there is none of either.
 */
export function readVersion(files: Reader, root: string, source: string): FoundVersion | undefined {
  const [pattern = '', pointer] = splitOnce(source, '#');
  const path = followPattern(files, root, pattern);
  const text = path === undefined ? undefined : files.readText(join(root, path), MAX_BYTES);
  if (path === undefined || text === undefined) return undefined;
  const version = pointer === undefined ? text.trim().split('\n', 1)[0]?.trim() : valueAt(text, pointer);
  return version === undefined || !VERSION.test(version) ? undefined : { path, version };
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

function followPattern(files: Reader, root: string, pattern: string): string | undefined {
  let path = '';
  for (const part of pattern.split('/')) {
    const name = part.includes('*') ? firstMatch(files.list(join(root, path), MAX_LISTED), part) : part;
    if (name === undefined) return undefined;
    path = join(path, name);
  }
  return path.startsWith('..') ? undefined : path;
}

function firstMatch(names: readonly string[], pattern: string): string | undefined {
  const glob = compileGlob(pattern);
  return names.find((name) => matchGlob(glob, [name], [name]));
}

/** RFC 6901; a version is a text. */
function valueAt(text: string, pointer: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value)
      ? value[Number(key)]
      : isMap(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
  }
  return typeof value === 'string' ? value.trim() : undefined;
}

/** What they are called, and where those of other repositories are. */
function nameCommits(made: readonly MadeCommit[], root: string): OwnWords {
  return joined(
    made.map((each) => nameCommit(each, root)),
    ', ',
  );
}

function nameCommit({ sha, top }: MadeCommit, root: string): OwnWords {
  const place = top === undefined ? '' : relative(root, top);
  const short = own(sha === undefined ? 'one commit' : shortName(sha));
  // A repository around the one that holds the context is the same project.
  return place === '' || /^[./]+$/.test(place) ? short : own`${short} in ${asPath(place)}`;
}

function shortName(sha: string): string {
  return sha.slice(0, 7);
}

/**
 * Whether the commit that HEAD is at changes the context; nothing where the context belongs to another repository, or the
 * history does not answer in time.
 */
async function describeContext(
  { facts, files }: Pick<RuleContext, 'facts' | 'files'>,
  root: string,
  made: readonly MadeCommit[],
): Promise<OwnWords> {
  const repository = findRepository(files, root);
  const newest = made.find(({ top }) => top === repository?.top);
  if (!repository || newest?.sha === undefined || readHead(files, repository) !== newest.sha) return own('');
  const changing = await facts.lastCommit(root, CONTEXT_DIR);
  if (changing === undefined) return own('');
  return own(`\n${shortName(newest.sha)} changes ${changing.sha === newest.sha ? '' : 'nothing in '}${CONTEXT_DIR}.`);
}

function quoteSubjects(made: readonly MadeCommit[]): OwnWords {
  const subjects = made.flatMap(({ subject = '' }) => (subject === '' ? [] : [own`\n> ${subject}`]));
  return subjects.length === 0 ? own('') : own`\nSubject:${joined(subjects, '')}`;
}

const QA_DEFAULTS = { checks: CHECK_DEFAULTS };
const DEFAULTS = {
  /** Subcommands of git, or programs, that commit as well. */
  aliases: [] as readonly string[],
  version_sources: [
    'VERSION',
    // The directory is named after the agent whose plugin it holds.
    '.*-plugin/plugin.json#/version',
    '.*-plugin/marketplace.json#/plugins/0/version',
  ] as readonly string[],
};

export default defineRule({
  id: 'context/post-commit',
  pack: 'context',
  summary: 'After a commit, offers to keep what was decided or learned, and says which version files disagree.',
  on: [{ event: ['tool.before', 'tool.after'], tool: ['shell'], words: ['commit'], optionWords: 'commit.aliases' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, main: true },
  priority: 70,
  // Facts keep a limit of their own.
  budgetMs: 1_000,
  state: {
    /** By the id of the call that is about to commit. */
    heads: record<Heads>('context.pre_head', { ttl: '1h' }),
    qa: QA,
    committed: COMMITTED,
  },
  options: { commit: DEFAULTS, qa: QA_DEFAULTS },
  messages: {
    nudge:
      'Committed: {commit}{subject}{context}\nWhat was decided or learned on the way can be kept: `fairlead context add decision "<title>"`, `fairlead context add learning "<title>"`.{checks}\n{pushed}\nNext: fairlead context add decision "<title>"',
    'version-drift':
      'Version files disagree ({fileVersion}, {pluginVersion}, {marketplaceVersion}):\n{versions}\nNext: give these files the same version, in a commit of its own',
  },
  expect: [
    { paths: ['.context/**'], within: 15 },
    { tool: 'shell', words: ['context add'], within: 15 },
  ],
  examples: { pass: ['git commit-tree HEAD', 'git commit -m "Parse the file"', 'echo git commit'] },
  check({ name, cwd, tool, promptId }, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const { files, state, workspace } = context;
    const { aliases, version_sources } = readGroup(context.options.commit, DEFAULTS);
    const place = { cwd, home: workspace.home, root: workspace.root };
    const { commits, pushes } = readGitLine(readShell(tool?.command ?? '', place), textsIn(aliases));
    if (!tool || commits.length === 0) return context.pass('nothing that makes a commit');

    if (name === 'tool.before') {
      state.heads.set(readHeads(files, commits), callName(tool));
      return context.pass('before the commit');
    }
    if (tool.background === true) return context.pass('it still runs');
    const before = state.heads.get(callName(tool)) ?? {};
    state.heads.clear(callName(tool));
    const made = findMade(files, commits, before, tool.outputText ?? '');
    if (made.length === 0) return context.pass('no commit was made');

    const { checks } = readGroup(context.options.qa, QA_DEFAULTS);
    const known = state.qa.get();
    const qa = known && ofPrompt(readQa(known), promptId ?? `turn ${context.turn}`);
    state.committed.set({ at: context.now });
    const speak = async () => {
      const told = tell(context, {
        variant: 'nudge',
        values: {
          commit: nameCommits(made, root),
          subject: quoteSubjects(made),
          context: await describeContext(context, root, made),
          checks: describeChecks(qa, checksIn(checks)),
          pushed: own(pushes ? 'A push was part of the same command.' : 'Nothing was pushed.'),
        },
        relayed: { commits: made.length },
      });
      const drift = findDrift(files, root, textsIn(version_sources));
      return drift ? [told, tell(context, { variant: 'version-drift', ...drift })] : told;
    };
    return speak();
  },
});

/** Nothing is known while nobody looks at checks; what was said of them before the commit is not said again. */
function describeChecks(state: QaState | undefined, checks: readonly Check[]): OwnWords {
  const open =
    state && state.shown !== true
      ? checks.map(({ name }) => name).filter((name) => standingOf(state, name) !== 'passed')
      : [];
  return own(open.length === 0 ? '' : `\nNot seen to pass since the last edit: ${open.join(', ')}.`);
}

const NONE = own('none');

/** What there is to say where the files that hold the version disagree. */
function findDrift(files: RuleFiles, root: string, sources: readonly string[]): Omit<Told, 'variant'> | undefined {
  const versions = sources.map((source) => readVersion(files, root, source));
  const found = versions.filter((each) => each !== undefined);
  if (new Set(found.map(({ version }) => version)).size < 2) return undefined;
  // Texts of a project's own know the first three by these names.
  const [fileVersion = NONE, pluginVersion = NONE, marketplaceVersion = NONE] = versions.map((each) =>
    each === undefined ? NONE : asPath(each.version),
  );
  const listed = joined(
    found.map(({ path, version }) => own`> ${asPath(path)}: ${asPath(version)}`),
    '\n',
  );
  return {
    values: { fileVersion, pluginVersion, marketplaceVersion, versions: listed },
    relayed: { sources: found.length },
  };
}
