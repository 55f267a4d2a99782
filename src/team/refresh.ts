import { messageOf } from '../text/message-of.ts';
import { fetchPolicy, readCheck, writeCheck } from './fetch-policy.ts';
import { recordAct } from './acts.ts';
import { acceptBundle, readKeptOr } from './kept-policy.ts';
import { teamDir } from './place.ts';
import type { AcceptOptions, KeptPolicy } from './kept-policy.ts';
import type { TeamSettings } from './place.ts';

export interface Refreshed {
  readonly kept?: KeptPolicy;
  readonly isNew: boolean;
  /** Why nothing was taken over; the one before stays in force. */
  readonly problem?: string;
}

/** Looks at the source, and takes over what may take the place of what is kept. */
export async function refreshPolicy(state: string, settings: TeamSettings, options: AcceptOptions): Promise<Refreshed> {
  const { files, now: at } = options;
  const dir = teamDir(state, settings);
  // What is not kept any more is fetched again, whatever its tag.
  const etag = readKeptOr(dir, settings, files) && readCheck(dir, files)?.etag;
  try {
    const fetched = await fetchPolicy(settings.policy, etag, files);
    if (fetched === 'unchanged') {
      writeCheck(dir, { at, ...(etag === undefined ? {} : { etag }) }, files);
      return { isNew: false };
    }
    const accepted = acceptBundle(fetched.text, dir, settings, options);
    writeCheck(dir, { at, ...(fetched.etag === undefined ? {} : { etag: fetched.etag }) }, files);
    const { name, version } = accepted.kept.bundle;
    if (accepted.isNew) recordAct({ at, did: 'accepted', policy: `${name}@${version}` }, state, files);
    return accepted;
  } catch (error) {
    const problem = `${settings.policy} ${messageOf(error)}`;
    try {
      // Without the tag: what was refused is looked at again.
      writeCheck(dir, { at, problem }, files);
    } catch {
      // A disk that is full or read-only: doctor looks for itself.
    }
    return { isNew: false, problem };
  }
}
