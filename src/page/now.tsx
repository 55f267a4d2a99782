import type { Day, Finding, LiveSession, Now, PolicyLine } from '../cli/page/shapes.ts';
import { counted, formatCount, formatDay, formatMoment, formatSpan, shortId, shortRoot } from './format.ts';
import { useData } from './load.ts';
import { Command, Empty, Problem, Section, When } from './parts.tsx';
import { StopCard } from './stops.tsx';

export function NowView() {
  const { data, error } = useData<Now>('now');
  // The doctor takes its time, and nothing else waits for it.
  const { data: findings = [] } = useData<readonly Finding[]>('findings');
  if (!data) return error === undefined ? null : <Problem error={error} />;
  const { live, asks, stops, days, policy } = data;
  const urgent = findings.filter(({ level }) => level === 'attention');
  const needs = asks.length + urgent.length;
  return (
    <>
      <Section title="Needs you" aside={<span class="muted">{needs === 0 ? 'nothing' : counted(needs, 'thing')}</span>}>
        {needs === 0 && <p class="calm">Nothing waits for you.</p>}
        <ul class="cards">
          {asks.map((ask) => (
            <StopCard key={ask.id} stop={ask} isShort />
          ))}
          {urgent.map(({ what, why, next }) => (
            <li key={what} class="card edge-ask">
              <p>{what}</p>
              <p class="muted">{why}</p>
              <p class="muted">
                Next: <span class="next">{next}</span>
              </p>
            </li>
          ))}
        </ul>
      </Section>
      {policy && <PolicyInForce line={policy} />}
      <Section title="At work" aside={<span class="muted">{counted(live.length, 'session')}</span>}>
        {live.length === 0 && (
          <Empty title="No agent is at work.">
            <p>
              Sessions show here as soon as an agent runs in a project that is wired: <Command text="fairlead init" />
            </p>
          </Empty>
        )}
        <ul class="cards">
          {live.map((session) => (
            <LiveCard key={session.session} session={session} />
          ))}
        </ul>
      </Section>
      <Section title="Last stops" aside={<a href="#/stops">all</a>}>
        {stops.length === 0 && <p class="calm">Nothing was stopped so far.</p>}
        <ul class="cards">
          {stops.map((stop) => (
            <StopCard key={stop.id} stop={stop} isShort />
          ))}
        </ul>
      </Section>
      <Section title="The last two weeks">
        <Days days={days} />
      </Section>
    </>
  );
}

function PolicyInForce({ line }: { readonly line: PolicyLine }) {
  const { policy, stage, ring, expires, glass } = line;
  return (
    <Section title="Policy" aside={<span class="muted">{policy}</span>}>
      <p class={glass ? 'notice' : 'calm'}>
        {glass
          ? `${policy} does not count until ${formatMoment(glass.until)}: ${glass.reason}`
          : `${policy} is in force here: ${stage}, ${ring === 0 ? 'in no ring' : `ring ${ring}`}. It expires ${expires}.`}
      </p>
    </Section>
  );
}

function LiveCard({ session }: { readonly session: LiveSession }) {
  const { agent, root, doing, last, first, events, denies, asks, notes, saves } = session;
  const parts = [
    counted(events, 'event'),
    denies > 0 ? `${formatCount(denies)} denied` : '',
    asks > 0 ? `${formatCount(asks)} asked` : '',
    saves > 0 ? counted(saves, 'save') : '',
    notes > 0 ? counted(notes, 'note') : '',
  ];
  return (
    <li class="card edge-live">
      <div class="card-head">
        <strong>{shortRoot(root)}</strong>
        <span class="muted">
          {agent}, <a href={`#/session/${encodeURIComponent(session.session)}`}>{shortId(session.session)}</a>
        </span>
        <When at={last} />
      </div>
      <pre>{doing}</pre>
      <p class="muted">
        {parts.filter(Boolean).join(', ')} in {formatSpan(last - first)}
      </p>
    </li>
  );
}

const [WIDTH, HEIGHT, BASE] = [640, 120, 96];

function Days({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ events }) => events));
  const step = WIDTH / days.length;
  const [total, stopped] = [
    days.reduce((sum, day) => sum + day.events, 0),
    days.reduce((sum, day) => sum + day.stops, 0),
  ];
  const name = `${counted(total, 'event')} and ${counted(stopped, 'stop')} in ${days.length} days`;
  return (
    <figure>
      <svg class="days" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={name}>
        {days.map(({ day, events, stops }, index) => {
          const height = events === 0 ? 1 : 3 + ((BASE - 18) * events) / most;
          const x = index * step;
          return (
            <g key={day}>
              <title>{`${formatDay(day)}: ${counted(events, 'event')}, ${counted(stops, 'stop')}`}</title>
              <rect
                x={x + 4}
                y={BASE - height}
                width={step - 8}
                height={height}
                rx="2"
                class={events === 0 ? 'none' : 'events'}
              />
              {stops > 0 && (
                <text x={x + step / 2} y={BASE - height - 5} text-anchor="middle" class="stops">
                  {stops}
                </text>
              )}
              {index % 2 === 1 && (
                <text x={x + step / 2} y={HEIGHT - 6} text-anchor="middle">
                  {formatDay(day)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption class="muted">{name}. A number above a bar counts the stops of that day.</figcaption>
    </figure>
  );
}
