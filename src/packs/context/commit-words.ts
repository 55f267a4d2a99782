import { relative } from 'node:path';
import type { RuleContext } from '../../engine/rule.ts';
import { readHead } from '../../git/head.ts';
import { findRepository } from '../../git/repository.ts';
import { shorten } from '../../text/shorten.ts';
import { CONTEXT_DIR } from './files.ts';
import type { MadeCommit } from './made-commits.ts';

const SUBJECT_CHARACTERS = 100;

/** What they are called, and where those of other repositories are. */
export function nameCommits(made: readonly MadeCommit[], root: string): string {
  return made.map((each) => nameCommit(each, root)).join(', ');
}

function nameCommit({ sha, top }: MadeCommit, root: string): string {
  const place = top === undefined ? '' : relative(root, top);
  const short = sha === undefined ? 'one commit' : shortName(sha);
  // A repository around the one that holds the context is the same project.
  return place === '' || /^[./]+$/.test(place) ? short : `${short} in ${place}`;
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
): Promise<string> {
  const repository = findRepository(files, root);
  const newest = made.find(({ top }) => top === repository?.top);
  if (!repository || newest?.sha === undefined || readHead(files, repository) !== newest.sha) return '';
  const changing = await facts.lastCommit(root, CONTEXT_DIR);
  if (changing === undefined) return '';
  return `\n${shortName(newest.sha)} changes ${changing.sha === newest.sha ? '' : 'nothing in '}${CONTEXT_DIR}.`;
}

export function quoteSubjects(made: readonly MadeCommit[]): string {
  const subjects = made.flatMap(({ subject = '' }) =>
    subject === '' ? [] : [`\n> ${shorten(subject, SUBJECT_CHARACTERS)}`],
  );
  return subjects.length === 0 ? '' : `\nSubject:${subjects.join('')}`;
}
