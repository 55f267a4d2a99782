import { useState } from 'preact/hooks';
import type { Session, SessionLine, TimelineRow } from '../cli/page/shapes.ts';
import { counted, formatClock, formatCount, formatMoment, formatSpan, shortId, shortRoot } from './format.ts';
import { useData, usePages } from './load.ts';
import { Chip, Command, Empty, More, Problem, Section, When } from './parts.tsx';

export function SessionsView() {
  const { rows, isLoaded, hasMore, error, more } = usePages<SessionLine>(
    'sessions',
    'sessions',
    ({ session }) => session,
  );
  if (error !== undefined && !isLoaded) return <Problem error={error} />;
  if (isLoaded && rows.length === 0)
    return (
      <Empty title="No session was heard of.">
        <p>
          Wire a project, then start an agent in it: <Command text="fairlead init" />
        </p>
      </Empty>
    );
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Sessions">
        <table>
          <thead>
            <tr>
              <th scope="col">Session</th>
              <th scope="col">Project</th>
              <th scope="col">Agent</th>
              <th scope="col">Last event</th>
              <th scope="col" class="number">
                Lasted
              </th>
              <th scope="col" class="number">
                Events
              </th>
              <th scope="col" class="number">
                Denied
              </th>
              <th scope="col" class="number">
                Asked
              </th>
              <th scope="col" class="number">
                Notes
              </th>
              <th scope="col" class="number">
                Engine ms
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((line) => (
              <tr key={line.session}>
                <th scope="row">
                  <a href={`#/session/${encodeURIComponent(line.session)}`}>{shortId(line.session)}</a>
                </th>
                <td title={line.root}>{shortRoot(line.root)}</td>
                <td>{line.agent}</td>
                <td>
                  <When at={line.last} />
                </td>
                <td class="number">{formatSpan(line.last - line.first)}</td>
                {[line.events, line.denies, line.asks, line.notes, line.ms].map((count, index) => (
                  <td key={index} class="number">
                    {formatCount(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More isThere={hasMore} onMore={more} />
    </>
  );
}

const SAID = new Set(['deny', 'ask', 'note', 'warn', 'save', 'rewrite']);
const ENDS = new Set(['tool.after', 'tool.failed']);

export function SessionView({ id }: { readonly id: string }) {
  const path = `session?id=${encodeURIComponent(id)}`;
  const { data } = useData<Session>(path);
  const { rows, isLoaded, hasMore, error, more } = usePages<TimelineRow>(path, 'rows', (row) => String(row.n));
  const [isOnlySaid, setOnlySaid] = useState(false);
  if (error !== undefined && !isLoaded) return <Problem error={error} />;
  if (!data) return null;
  const { line, prompts } = data;
  const shown = paired(rows).filter(({ row }) => !isOnlySaid || SAID.has(row.outcome) || row.event === 'prompt.submit');
  return (
    <>
      <p class="muted">
        {line.agent} in <span title={line.root}>{shortRoot(line.root)}</span>, {formatMoment(line.first)}, for{' '}
        {formatSpan(line.last - line.first)}: {counted(line.events, 'event')}, {formatCount(line.denies)} denied,{' '}
        {formatCount(line.asks)} asked, {counted(line.saves, 'save')}, {counted(line.notes, 'note')},{' '}
        {counted(line.chars, 'character')} for the model, {line.ms} ms in the engine.
      </p>
      {prompts.length > 0 && <Context prompts={prompts} />}
      <div class="filters" role="group" aria-label="Which events">
        <button type="button" aria-pressed={!isOnlySaid} onClick={() => setOnlySaid(false)}>
          Everything
        </button>
        <button type="button" aria-pressed={isOnlySaid} onClick={() => setOnlySaid(true)}>
          What was said
        </button>
      </div>
      <ol class="timeline">
        {shown.map(({ row, tookMs, hasFailed }) => (
          <Moment key={row.n} row={row} tookMs={tookMs} hasFailed={hasFailed} />
        ))}
      </ol>
      <More isThere={hasMore} onMore={more} />
    </>
  );
}

interface Paired {
  readonly row: TimelineRow;
  readonly tookMs?: number;
  readonly hasFailed: boolean;
}

/** What came before a call and after it is one line, unless something was said after it; the newest first. */
function paired(rows: readonly TimelineRow[]): readonly Paired[] {
  const ends = new Map<string, TimelineRow>();
  const begun = new Set(
    rows.flatMap(({ event, call }) => (event === 'tool.before' && call !== undefined ? [call] : [])),
  );
  for (const row of rows) if (ENDS.has(row.event) && row.call !== undefined) ends.set(row.call, row);
  return rows
    .filter(({ event, call = '', outcome }) => !(ENDS.has(event) && begun.has(call) && outcome === 'pass'))
    .map((row) => {
      const end = row.event === 'tool.before' ? ends.get(row.call ?? '') : undefined;
      const hasFailed = (end ?? row).event === 'tool.failed';
      return end ? { row, tookMs: end.at - row.at, hasFailed } : { row, hasFailed };
    });
}

function Moment({
  row,
  tookMs,
  hasFailed,
}: {
  readonly row: TimelineRow;
  readonly tookMs: number | undefined;
  readonly hasFailed: boolean;
}) {
  const { at, event, tool, what, outcome, rules, said, heeds, fate, undo, id, micros, subagent } = row;
  return (
    <li class={`moment edge-${outcome}${event === 'prompt.submit' ? ' prompt' : ''}`}>
      <div class="card-head">
        <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
          {formatClock(at)}
        </time>
        <span class="event">{event === 'prompt.submit' ? 'prompt' : tool || event}</span>
        {subagent && <span class="muted">sub-agent</span>}
        {outcome !== 'pass' && <Chip kind={outcome} />}
        {hasFailed && <span class="failed">failed</span>}
        <span class="muted">
          {tookMs !== undefined && `${formatSpan(tookMs)} · `}
          {formatCount(micros)} µs
        </span>
        <a href={`#/decision/${id}`} aria-label={`Why, decision ${id}`}>
          why
        </a>
      </div>
      {what !== '' && <pre>{what}</pre>}
      {said.map((text, index) => (
        <p key={index} class="reason">
          {text}
        </p>
      ))}
      {(rules.length > 0 || fate !== undefined) && (
        <p class="muted">
          {rules.map((rule) => (
            <a key={rule} href={`#/rule/${encodeURIComponent(rule)}`}>
              {rule}
            </a>
          ))}
          {fate !== undefined && <span> · {fate}</span>}
        </p>
      )}
      {heeds.map((text) => (
        <p key={text} class="muted">
          {text}
        </p>
      ))}
      {undo !== undefined && <Command label="A copy was kept" text={`fairlead undo ${undo}`} />}
    </li>
  );
}

function Context({ prompts }: { readonly prompts: Session['prompts'] }) {
  const [width, height] = [640, 80];
  const step = width / Math.max(1, prompts.length - 1);
  const points = prompts.map(
    ({ pct }, index) => `${(index * step).toFixed(1)},${(height - 4 - (pct * (height - 8)) / 100).toFixed(1)}`,
  );
  const last = prompts.at(-1);
  const name = last
    ? `The context was ${last.pct} % full at prompt ${last.prompt}: ${counted(last.tokens, 'token')}`
    : '';
  return (
    <Section title="Context" aside={<span class="muted">{name}</span>}>
      <svg class="days" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={name}>
        <line x1="0" x2={width} y1={height - 4} y2={height - 4} class="axis" />
        <polyline points={points.join(' ')} class="line" />
      </svg>
    </Section>
  );
}
