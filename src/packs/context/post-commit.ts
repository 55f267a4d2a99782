import { relative } from 'node:path';
import { defineRule, record } from '../../engine/rule.ts';
import { readShell } from '../../shell/read.ts';
import { readGitLine } from './commit-calls.ts';
import { CONTEXT_DIR } from './files.ts';
import { findMade, readHeads } from './made-commits.ts';
import type { Heads, MadeCommit } from './made-commits.ts';
import { tell } from './nudge.ts';
import { readGroup, textsIn } from './options.ts';
import { contextRoot } from './place.ts';
import { CHECK_NAMES, QA, standingOf } from './qa-state.ts';
import type { QaState } from './qa-state.ts';
import { readVersion } from './version-sources.ts';
import type { FoundVersion } from './version-sources.ts';

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

const SUBJECT_CHARACTERS = 100;

export default defineRule({
  id: 'context/post-commit',
  pack: 'context',
  summary: 'After a commit, offers to keep what was decided or learned, and says which version files disagree.',
  on: [{ event: ['tool.before', 'tool.after'], tool: ['shell'], words: ['commit'], optionWords: 'commit.aliases' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, main: true },
  priority: 70,
  state: {
    /** By the id of the call that is about to commit. */
    heads: record<Heads>('context.pre_head', { ttl: '1h' }),
    qa: QA,
  },
  options: { commit: DEFAULTS },
  messages: {
    nudge:
      'Committed: {commit}{subject}\nWhat was decided or learned on the way can be kept: `fairlead context add decision "<title>"`, `fairlead context add learning "<title>"`.{checks}\n{pushed}\nNext: fairlead context add decision "<title>"',
    'version-drift':
      'Version files disagree ({fileVersion}, {pluginVersion}, {marketplaceVersion}):\n{versions}\nNext: give these files the same version, in a commit of its own',
  },
  expect: [
    { paths: ['.context/**'], within: 15 },
    { tool: 'shell', words: ['context add'], within: 15 },
  ],
  examples: { pass: ['git commit-tree HEAD', 'git commit -m "Parse the file"', 'echo git commit'] },
  check({ name, cwd, tool }, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const { files, state, workspace } = context;
    const { aliases, version_sources } = readGroup(context.options.commit, DEFAULTS);
    const place = { cwd, home: workspace.home, root: workspace.root };
    const { commits, pushes } = readGitLine(readShell(tool?.command ?? '', place), textsIn(aliases));
    if (!tool || commits.length === 0) return context.pass('nothing that makes a commit');

    if (name === 'tool.before') {
      if (tool.id !== undefined) state.heads.set(readHeads(files, commits), tool.id);
      return context.pass('before the commit');
    }
    if (tool.background === true) return context.pass('it still runs');
    const before = (tool.id !== undefined && state.heads.get(tool.id)) || {};
    if (tool.id !== undefined) state.heads.clear(tool.id);
    const made = findMade(files, commits, before, tool.outputText ?? '');
    if (made.length === 0) return context.pass('no commit was made');

    const told = tell(context, {
      variant: 'nudge',
      values: {
        commit: made.map((each) => nameCommit(each, root)).join(', '),
        subject: quoteSubjects(made),
        checks: describeChecks(state.qa.get()),
        pushed: pushes ? 'A push was part of the same command.' : 'Nothing was pushed.',
      },
      relayed: { commits: made.length },
    });
    const sources = textsIn(version_sources).map((source) => readVersion(files, root, source));
    const found = sources.filter((each) => each !== undefined);
    if (new Set(found.map(({ version }) => version)).size < 2) return told;
    const values = { ...versionsByPlace(sources), versions: listVersions(found) };
    return [told, tell(context, { variant: 'version-drift', values, relayed: { sources: found.length } })];
  },
});

function nameCommit({ sha, top }: MadeCommit, root: string): string {
  const place = top === undefined ? '' : relative(root, top);
  const short = sha?.slice(0, 7) ?? 'one commit';
  // A repository around the one that holds the context is the same project.
  return place === '' || /^[./]+$/.test(place) ? short : `${short} in ${place}`;
}

function quoteSubjects(made: readonly MadeCommit[]): string {
  const subjects = made.flatMap(({ subject = '' }) => (subject === '' ? [] : [`\n> ${cut(subject)}`]));
  return subjects.length === 0 ? '' : `\nSubject:${subjects.join('')}`;
}

function cut(text: string): string {
  return text.length > SUBJECT_CHARACTERS ? `${text.slice(0, SUBJECT_CHARACTERS - 1)}…` : text;
}

/** Nothing is known while nobody looks at checks. */
function describeChecks(state: QaState | undefined): string {
  const open = state ? CHECK_NAMES.filter((check) => standingOf(state, check) !== 'passed') : [];
  return open.length === 0 ? '' : `\nNot seen to pass since the last edit: ${open.join(', ')}.`;
}

/** Under the names that texts of a project's own know the first three by. */
function versionsByPlace(sources: readonly (FoundVersion | undefined)[]) {
  const [fileVersion = 'none', pluginVersion = 'none', marketplaceVersion = 'none'] = sources.map(
    (each) => each?.version,
  );
  return { fileVersion, pluginVersion, marketplaceVersion };
}

function listVersions(found: readonly FoundVersion[]): string {
  return found.map(({ path, version }) => `> ${path}: ${version}`).join('\n');
}
