import { relative } from 'node:path';
import type { RuleContext } from '../../engine/rule.ts';
import { readHead } from '../../git/head.ts';
import { findRepository } from '../../git/repository.ts';
import { CONTEXT_DIR } from './files.ts';
import type { MadeCommit } from './made-commits.ts';

const SUBJECT_CHARACTERS = 100;

/** What they are called, and where those of other repositories are. */
export function nameCommits(made: readonly MadeCommit[], root: string): string {
  return made.map((each) => nameCommit(each, root)).join(', ');
}

function nameCommit({ sha, top }: MadeCommit, root: string): string {
  const place = top === undefined ? '' : relative(root, top);
  const short = sha === undefined ? 'one commit' : shorten(sha);
  // A repository around the one that holds the context is the same project.
  return place === '' || /^[./]+$/.test(place) ? short : `${short} in ${place}`;
}

function shorten(sha: string): string {
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
  const newest = made.find(({ top, at }) => top === repository?.top && at !== undefined);
  if (!repository || newest?.sha === undefined || readHead(files, repository) !== newest.sha) return '';
  const changedAt = await facts.committedAt(root, CONTEXT_DIR);
  if (changedAt === undefined) return '';
  return `\n${shorten(newest.sha)} changes ${changedAt === newest.at ? '' : 'nothing in '}${CONTEXT_DIR}.`;
}

export function quoteSubjects(made: readonly MadeCommit[]): string {
  const subjects = made.flatMap(({ subject = '' }) => (subject === '' ? [] : [`\n> ${cut(subject)}`]));
  return subjects.length === 0 ? '' : `\nSubject:${subjects.join('')}`;
}

function cut(text: string): string {
  return text.length > SUBJECT_CHARACTERS ? `${text.slice(0, SUBJECT_CHARACTERS - 1)}…` : text;
}
