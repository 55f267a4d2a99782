import { render } from 'preact';
import type { ReplayedCall, ReplayReport } from '../cli/page/shapes.ts';
import { counted, formatCount, formatMoment } from './format.ts';
import { CallCard, Numbers, Section, Table } from './parts.tsx';

const COUNTS = ['Fires', 'Blocks', 'Asks', 'Saves', 'Notes', 'Characters', 'Unknown'];

/** What the rules would have said, in a file that stands alone: all that it shows is in it. */
function Report({ report }: { readonly report: ReplayReport }) {
  const { headline, sidelines, stops, difference, rules, missing, unknowns } = report;
  return (
    <main>
      <h1>{headline}</h1>
      <p class="muted">{sidelines}</p>
      {difference && (
        <Section title={`${counted(difference.events, 'event')} decided otherwise by the other settings`}>
          {difference.kinds.length === 0 && <p class="calm">None.</p>}
          {difference.kinds.map(({ kind, count, calls }) => (
            <div key={kind} class="kind">
              <h3>
                {formatCount(count)} × {kind}
              </h3>
              <Calls calls={calls} />
            </div>
          ))}
        </Section>
      )}
      {!difference && stops.length > 0 && (
        <Section title="Stopped or asked about">
          <Calls calls={stops} />
        </Section>
      )}
      {rules.length > 0 && (
        <Section title="Rules">
          <Table name="What each rule said" texts={['Rule']} numbers={COUNTS}>
            {rules.map(({ rule, counts }) => (
              <tr key={rule}>
                <th scope="row">{rule}</th>
                <Numbers counts={counts} />
              </tr>
            ))}
          </Table>
        </Section>
      )}
      {missing.length > 0 && (
        <Section title="Unknown">
          <p>No transcript tells:</p>
          <ul>
            {missing.map(({ what, count }) => (
              <li key={what}>
                {what}: {formatCount(count)}
              </li>
            ))}
          </ul>
          <Calls calls={unknowns} />
        </Section>
      )}
    </main>
  );
}

function Calls({ calls }: { readonly calls: readonly ReplayedCall[] }) {
  return (
    <ul class="cards">
      {calls.map(({ at, action, rules, what, reason }, index) => (
        <CallCard
          key={index}
          action={action}
          what={what}
          reason={reason}
          head={
            <>
              <time dateTime={new Date(at).toISOString()}>{formatMoment(at)}</time>
              <span class="muted">{rules.join(', ')}</span>
            </>
          }
        />
      ))}
    </ul>
  );
}

const [place, data] = ['page', 'report'].map((id) => document.getElementById(id));
if (place && data) render(<Report report={JSON.parse(data.textContent) as ReplayReport} />, place);
