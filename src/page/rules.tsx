import { useState } from 'preact/hooks';
import type { RuleDetail, RuleLine, Rules } from '../cli/page/shapes.ts';
import { counted, formatCount, formatShare } from './format.ts';
import { useData } from './load.ts';
import { Command, Empty, Numbers, Problem, Section, Spark, Table } from './parts.tsx';
import { StopsView } from './stops.tsx';

const KINDS = [
  ['spoke', 'Spoke', ({ fires }: RuleLine) => fires > 0],
  ['loud', 'Loud', ({ sign }: RuleLine) => sign === 'loud'],
  ['inert', 'Inert', ({ sign }: RuleLine) => sign === 'inert'],
  ['shadow', 'In shadow', ({ mode, would }: RuleLine) => mode === 'shadow' || would > 0],
  ['all', 'All', () => true],
] as const;

export function RulesView() {
  const { data, error } = useData<Rules>('rules');
  const [chosen, setKind] = useState<string>();
  if (!data) return error === undefined ? null : <Problem error={error} />;
  const kind = chosen ?? (data.rules.some(({ fires }) => fires > 0) ? 'spoke' : 'all');
  const [, , test] = KINDS.find(([each]) => each === kind) ?? KINDS[4];
  const rows = data.rules.filter(test);
  return (
    <>
      <p class="muted">
        The rules in <code>{data.project}</code> over the last {data.days} days, in all projects.
      </p>
      <div class="filters" role="group" aria-label="Which rules">
        {KINDS.map(([each, name, counts]) => (
          <button key={each} type="button" aria-pressed={each === kind} onClick={() => setKind(each)}>
            {name} <span class="muted">{data.rules.filter(counts).length}</span>
          </button>
        ))}
      </div>
      {rows.length === 0 && <Empty title="No rule is like that." />}
      {rows.length > 0 && <RuleTable rows={rows} />}
    </>
  );
}

const share = (value: number | undefined): string => (value === undefined ? '–' : formatShare(value));
const micros = (value: number | undefined): string => (value === undefined ? '–' : formatCount(value));

const HEADS = [
  'Fires',
  'Denied',
  'Asked',
  'Would stop',
  'Saved',
  'Notes',
  'Followed',
  'Right',
  'p50 µs',
  'p95 µs',
  'Characters',
];

function RuleTable({ rows }: { readonly rows: readonly RuleLine[] }) {
  return (
    <Table name="Rules" texts={['Rule', 'Mode', '14 days']} numbers={HEADS}>
      {rows.map((line) => (
        <tr key={line.rule} class={line.mode === 'off' ? 'off' : ''}>
          <th scope="row" title={line.summary}>
            <a href={`#/rule/${encodeURIComponent(line.rule)}`}>{line.rule}</a>
            {line.sign !== undefined && <span class={`sign sign-${line.sign}`}>{line.sign}</span>}
            {line.failed > 0 && <span class="sign sign-loud">{counted(line.failed, 'failure')}</span>}
          </th>
          <td>{line.mode}</td>
          <td>
            <Spark
              values={line.fireDays}
              name={`${line.rule}: ${counted(line.fires, 'fire')} in ${line.fireDays.length} days`}
            />
          </td>
          <Numbers counts={[line.fires, line.denies, line.asks, line.would, line.saves, line.notes]} />
          <td class="number">{share(line.followed)}</td>
          <td class="number">{share(line.right)}</td>
          <td class="number">{micros(line.p50)}</td>
          <td class="number">{micros(line.p95)}</td>
          <td class="number">{formatCount(line.chars)}</td>
        </tr>
      ))}
    </Table>
  );
}

export function RuleView({ id }: { readonly id: string }) {
  const { data, error } = useData<RuleDetail>(`rule?id=${encodeURIComponent(id)}`, false);
  if (!data) return error === undefined ? null : <Empty title={error} />;
  return (
    <>
      <p>{data.summary}</p>
      <p class="muted">
        Pack {data.pack}, mode {data.mode}, {data.source}.
      </p>
      <div class="commands">
        <Command label="All about it" text={`fairlead rules show ${id}`} />
        <Command label="Try its examples" text={`fairlead rules test ${id}`} />
        {data.mayLoosen && <Command label="Make it milder" text={`fairlead rules mode ${id} advise`} />}
      </div>
      {data.messages.length > 0 && (
        <Section title="What it says">
          <dl class="texts">
            {data.messages.map(({ variant, text }) => (
              <div key={variant}>
                <dt>{variant}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {data.examples.length > 0 && (
        <Section title="Its examples">
          <ul class="plain">
            {data.examples.map(({ kind, text }, index) => (
              <li key={index}>
                <span class="muted">{kind}</span> <code>{text}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Its stops">
        <StopsView rule={id} kind={data.mode === 'shadow' ? 'shadow' : ''} />
      </Section>
    </>
  );
}
