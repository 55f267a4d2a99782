import { clean, counted, graphPaths, readInitRecord, readStatus, ROOT_REASONS, scopeText } from '../graph/index.ts';
import type { GraphStatus } from '../graph/index.ts';
import type { Call } from './call.ts';
import { countLines } from './count-lines.ts';
import type { ToolRoot } from './find-root.ts';
import { callFor } from './wording.ts';

const REASONS: Readonly<Record<ToolRoot['reason'], string>> = {
  ...ROOT_REASONS,
  active: 'a session that was started here works there',
  'single-child': 'the only project here',
};

export async function graphStatus(call: Call): Promise<string> {
  return (await statusLines(call)).join('\n');
}

/** What is known of a root, whether or not there is an index. */
export async function statusLines(call: Call): Promise<string[]> {
  const { root, world } = call;
  const { walk } = await world.settingsAt(root.path);
  const found = readStatus(
    { path: root.path, reason: 'explicit' },
    { state: world.state, files: world.files, look: true, walk },
  );
  return [
    `${root.path} (${REASONS[root.reason]})`,
    `state: ${stateOf(found)}`,
    ...(found.scope ? [scopeText(found.scope)] : []),
    ...attemptLine(call),
    ...(found.counts ? countLines(found.counts, found.skipped) : []),
    ...(found.holder ? [`process ${found.holder.pid} writes there`] : []),
    ...(found.counts ? [`${found.bytes} bytes, format ${found.format}`] : [nextStep(call, found)]),
  ];
}

function stateOf({ counts, problem, stale, holder }: GraphStatus): string {
  if (counts)
    return stale > 0 ? `stale: ${counted(stale, 'file')} changed, read again with the next question` : 'stable';
  if (holder) return 'partial, being indexed';
  return `pending, ${problem === undefined ? 'there is no index' : `the index is of no use: ${problem}`}`;
}

function attemptLine({ root, world }: Call): string[] {
  const record = readInitRecord(world.files, graphPaths(world.state, root.path), root.path);
  if (record === undefined) return [];
  const { state, reason, startedAt, endedAt, failures, error } = record;
  const when = new Date(endedAt ?? startedAt).toISOString();
  const failed =
    state === 'failed' ? `, failed ${counted(failures, 'time')}: ${clean(error ?? 'no reason given')}` : '';
  return [`last attempt: ${endedAt === undefined ? 'begun' : 'ended'} ${when}, because of ${reason}${failed}`];
}

function nextStep({ root }: Call, { holder }: GraphStatus): string {
  return holder ? 'questions wait for it' : `${callFor('graph', 'index', '', {}, root)} makes one`;
}
