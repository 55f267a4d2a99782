import { countLanguages, ROOT_REASONS, scopeText } from '../../graph/index.ts';
import type { ActiveRoot, GraphCounts, GraphStatus } from '../../graph/index.ts';
import type { CliWorld } from '../command.ts';
import { counted, formatBytes, formatSpan, formatTime, paint } from '../table.ts';
import { commandFor } from './show-answer.ts';

export function showStatus(world: CliWorld, found: GraphStatus, active: ActiveRoot | undefined): void {
  const { root, reason, counts, skipped, bytes, format, indexedAt, holder } = found;
  world.out(`${paint(world, 'bold', root)}  (${ROOT_REASONS[reason]})\n`);
  const row = (name: string, value: string) => world.out(`  ${name.padEnd(10)}  ${value}\n`);
  const showHolder = () => {
    if (holder) row('writer', `process ${holder.pid}, for ${formatSpan(Date.now() - holder.since)}`);
  };
  if (!counts) {
    const why = found.problem ? `: ${found.problem}` : '';
    const how = holder
      ? 'One is being made.'
      : `\`${indexing(found)}\` makes one${isAside(found) ? ' all the same' : ''}.`;
    world.out(`There is no code graph${why}. ${how}\n`);
    if (found.initialisation.reason !== undefined || isAside(found)) row('state', stateOf(found));
    showAttempt(world, found);
    showHolder();
    showActive(world, active);
    return;
  }
  row('state', stateOf(found));
  showCounts(world, counts, skipped);
  row('size', `${formatBytes(bytes)}, format ${format}`);
  if (indexedAt !== undefined) row('written', formatTime(indexedAt));
  showAttempt(world, found);
  showHolder();
  showActive(world, active);
}

/** Nothing marks it as a project, so that it is never indexed unless somebody asks. */
function isAside({ state }: GraphStatus): boolean {
  return state === 'pending';
}

function indexing(found: GraphStatus): string {
  const { root: path, reason } = found;
  return commandFor({ path, reason: isAside(found) ? 'explicit' : reason }, 'index', '', {});
}

function stateOf(found: GraphStatus): string {
  const { initialisation, counts, stale, scope } = found;
  const { state, files, failures = 0, error = 'no reason given' } = initialisation;
  const part = scope ? `; ${scopeText(scope)}` : '';
  const behind = `${stale > 0 ? `; stale: ${counted(stale, 'file')}` : ''}${part}`;
  if (state === 'failed') {
    const last = counts ? '; the last good index is used' : '';
    return `failed ${counted(failures, 'time')}: ${error}${last}${behind}`;
  }
  if (isAside(found)) return `pending: ${ROOT_REASONS.none}`;
  return `${state}${state === 'pending' && files === 0 ? ': no file in a language that is known' : behind}`;
}

/** Why, when and with what end a root was last indexed, and when that is tried again. */
function showAttempt(world: CliWorld, found: GraphStatus): void {
  const { reason, startedAt, endedAt, retryAt, state } = found.initialisation;
  if (reason === undefined || startedAt === undefined) return;
  const took = endedAt === undefined ? 'not ended' : `took ${((endedAt - startedAt) / 1_000).toFixed(1)} s`;
  world.out(`  attempt     ${formatTime(startedAt)}, ${took}, because ${ATTEMPTED[reason]}\n`);
  if (state !== 'pending' && state !== 'failed') return;
  const explicit = `\`${indexing(found)}\``;
  world.out(
    retryAt === undefined
      ? `  next        only with ${explicit}\n`
      : `  next        with what an agent does there from ${formatTime(retryAt)} on, or ${explicit}\n`,
  );
}

function showActive(world: CliWorld, active: ActiveRoot | undefined): void {
  if (active === undefined) return;
  const { root, at } = active;
  world.out(`  session     one that was started here works in ${root} since ${formatTime(at)}\n`);
}

const ATTEMPTED: Readonly<Record<NonNullable<GraphStatus['initialisation']['reason']>, string>> = {
  'session-start': 'a session started there',
  file: 'an agent used a file of it',
  path: 'an agent searched there',
  cwd: 'an agent worked there',
  'single-child': 'it is the only project where an agent works',
  explicit: 'it was asked for',
};

export function showCounts(world: CliWorld, counts: GraphCounts, skipped: Readonly<Record<string, number>>): void {
  const { files, symbols, edges, possible, unresolved, outside } = counts;
  const row = (name: string, value: string) => world.out(`  ${name.padEnd(10)}  ${value}\n`);
  row('files', `${files}, with ${counted(symbols, 'symbol')}`);
  for (const of of countLanguages(counts))
    row('', `${of.name}: ${counted(of.files, 'file')}, ${counted(of.symbols, 'symbol')}`);
  row('edges', `${edges}; ${possible} possible, ${unresolved} unresolved, ${outside} lead out of the project`);
  showSkipped(world, { ...skipped, ...counts.skipped });
}

export function showSkipped(world: CliWorld, skipped: Readonly<Record<string, number>>): void {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0);
  if (reasons.length > 0)
    world.out(`  left out    ${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')}\n`);
}
