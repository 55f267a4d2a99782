import { counted, keptLines } from '../graph/index.ts';
import { waitFor } from './ask.ts';
import type { Call } from './call.ts';
import { countLines, skippedLine } from './count-lines.ts';
import { keepPicture } from './keep-picture.ts';
import { Refusal } from './refusal.ts';

/** Makes the index of a root, or brings it up to date, and keeps a picture of the whole. */
export async function indexRoot(call: Call): Promise<string> {
  const { given, root, projects } = call;
  const isForced = given.boolean('force') === true;
  const isVerified = given.boolean('verify') === true;
  if (isForced && isVerified) throw new Refusal('index takes force or verify, not both');
  const how = isForced ? 'force' : isVerified ? 'verify' : undefined;
  const result = await waitFor(await projects.index(root.path, how, call.onProgress), call);
  const counts = projects.graph(root.path).open()?.counts;
  if (counts === undefined || counts.files === 0)
    return [
      `pending: ${root.path} has no file in a language that is known, so there is nothing to index yet`,
      ...skippedLine(result.skipped ?? {}),
    ].join('\n');
  const kept = await keepPicture(call, { what: 'architecture' });
  return [
    root.path,
    `${counted(result.parsed, 'file')} read, ${result.removed} gone, in ${(result.tookMs / 1_000).toFixed(1)} s`,
    ...result.notices.map((notice) => `${notice}; it was made anew`),
    ...countLines(counts, result.skipped ?? {}),
    ...keptLines(kept),
    'stable',
  ].join('\n');
}
