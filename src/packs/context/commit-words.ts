import { relative } from 'node:path';
import { asPath, joined, own } from '../../engine/rule.ts';
import type { OwnWords, RuleContext } from '../../engine/rule.ts';
import { readHead } from '../../git/head.ts';
import { findRepository } from '../../git/repository.ts';
import { CONTEXT_DIR } from './files.ts';
import type { MadeCommit } from './made-commits.ts';

/** What they are called, and where those of other repositories are. */
export function nameCommits(made: readonly MadeCommit[], root: string): OwnWords {
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
export async function describeContext(
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

export function quoteSubjects(made: readonly MadeCommit[]): OwnWords {
  const subjects = made.flatMap(({ subject = '' }) => (subject === '' ? [] : [own`\n> ${subject}`]));
  return subjects.length === 0 ? own('') : own`\nSubject:${joined(subjects, '')}`;
}
