import type { ComponentChildren } from 'preact';
import type { DecisionDetail, DecisionRule } from '../cli/page/shapes.ts';
import { counted, formatCount, formatMoment, shortId, shortRoot } from './format.ts';
import { useData } from './load.ts';
import { Chip, Command, Problem, Section } from './parts.tsx';

const TIERS = ['not its event', 'filtered', 'held back', 'ran'];
const STOPS = new Set(['deny', 'ask']);

/** What `fairlead explain` tells, field by field. */
export function DecisionView({ id }: { readonly id: string }) {
  const { data, error } = useData<DecisionDetail>(`decision?id=${encodeURIComponent(id)}`, false);
  if (!data) return error === undefined ? null : <Problem error={error} />;
  return (
    <>
      {data.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <Decided data={data} />
      <Reading data={data} />
      <Rules data={data} />
      <Cost data={data} />
      <div class="commands">
        <Command label="The same in a terminal" text={`fairlead explain ${id}`} />
        {STOPS.has(data.action) && data.fate !== 'asked and allowed' && (
          <Command label="Let this call pass once" text={`fairlead allow-once ${id}`} />
        )}
      </div>
    </>
  );
}

function Decided({ data }: { readonly data: DecisionDetail }) {
  const { action, by, reason, about, said, heeds, fate, undo, at, session, agent, root, event, tool } = data;
  return (
    <section class={`card edge-${action}`} aria-label="What was decided">
      <div class="card-head">
        <Chip kind={action} />
        <span>
          {by.map((rule) => (
            <a key={rule} href={`#/rule/${encodeURIComponent(rule)}`}>
              {rule}
            </a>
          ))}
          {by.length === 0 && <span class="muted">no rule had an opinion</span>}
        </span>
        <span class="muted">{formatMoment(at)}</span>
      </div>
      {reason !== '' && <p class="reason">{reason}</p>}
      <dl class="fields">
        {about.map(({ label, text }) => (
          <Field key={label} name={label}>
            <code>{text}</code>
          </Field>
        ))}
        <Field name="event">
          {event} {tool}
        </Field>
        <Field name="where">
          {agent} in <span title={root}>{shortRoot(root)}</span>, session{' '}
          <a href={`#/session/${encodeURIComponent(session)}`}>{shortId(session)}</a>
        </Field>
        {fate !== undefined && <Field name="fate">{fate}</Field>}
        {heeds.map((text) => (
          <Field key={text} name="then">
            {text}
          </Field>
        ))}
        {said.map(({ to, rule, text, why }, index) => (
          <Field key={index} name={to === 'agent' || to === 'person' ? `to the ${to}` : to}>
            <a href={`#/rule/${encodeURIComponent(rule)}`}>{rule}</a>
            {why !== '' && <span class="muted"> {why}</span>}
            <p class="reason">{text}</p>
          </Field>
        ))}
        {undo !== undefined && (
          <Field name="copy">
            <Command text={`fairlead undo ${undo}`} />
          </Field>
        )}
      </dl>
    </section>
  );
}

function Field({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** How the command was read, and what it would do. */
function Reading({ data }: { readonly data: DecisionDetail }) {
  const { reading, unclear, effects } = data;
  if (reading.length + unclear.length + effects.length === 0) return null;
  return (
    <div class="halves">
      <Section title="Read as">
        <ol class="plain steps">
          {reading.map(({ number, text, about }) => (
            <li key={number}>
              <code>{text}</code>
              {about !== '' && <span class="muted"> {about}</span>}
            </li>
          ))}
          {unclear.map(({ label, text }, index) => (
            <li key={`unclear ${index}`}>
              <code>{text}</code> <span class="sign sign-loud">{label}</span>
            </li>
          ))}
        </ol>
      </Section>
      <Section title="It would">
        {effects.length === 0 && <p class="calm">It has no effect that a rule could listen to.</p>}
        <ul class="plain">
          {effects.map(({ what, target, scope, details }, index) => (
            <li key={index}>
              <strong>{what}</strong> <code>{target}</code>{' '}
              <span class="muted">{[scope, details].filter(Boolean).join(', ')}</span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

/** Those that ran one by one; the others, of which there are many, by name and reason on demand. */
function Rules({ data }: { readonly data: DecisionDetail }) {
  const ran = data.rules
    .filter(({ tier, failed }) => tier === 3 || failed)
    .toSorted((a, b) => Number(b.verdicts.length > 0) - Number(a.verdicts.length > 0));
  const others = data.rules.filter((rule) => !ran.includes(rule));
  return (
    <Section title="Rules" aside={<span class="muted">{counted(data.rules.length, 'rule')} listened</span>}>
      {ran.length === 0 && <p class="calm">None of them had to look at it.</p>}
      <ul class="cards">
        {ran.map((rule) => (
          <RuleCard key={rule.rule} rule={rule} />
        ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>
            {counted(others.length, 'rule')} stopped before, {formatCount(data.notListening)} listen to other events
          </summary>
          <ul class="plain">
            {others.map(({ rule, tier, reason }) => (
              <li key={rule}>
                <a href={`#/rule/${encodeURIComponent(rule)}`}>{rule}</a>{' '}
                <span class="muted">
                  {TIERS[tier]}: {reason}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function RuleCard({ rule: entry }: { readonly rule: DecisionRule }) {
  const { rule, mode, reason, failed, micros, verdicts } = entry;
  return (
    <li class={`card edge-${verdicts[0]?.kind ?? 'pass'}`}>
      <div class="card-head">
        <a href={`#/rule/${encodeURIComponent(rule)}`}>{rule}</a>
        <span class="muted">
          mode {mode}
          {micros !== undefined && `, ${formatCount(micros)} µs`}
        </span>
        {failed && <span class="failed">failed</span>}
      </div>
      {verdicts.length === 0 && <p class="muted">{reason}</p>}
      {verdicts.map(({ kind, variant, change, text, facts }, index) => (
        <div key={index}>
          <p>
            <Chip kind={kind} /> <span class="muted">{[variant, change].filter(Boolean).join('; ')}</span>
          </p>
          {text !== '' && <p class="reason">{text}</p>}
          {facts.length > 0 && (
            <dl class="fields">
              {facts.map((fact) => (
                <Field key={fact.label} name={fact.label}>
                  {fact.text}
                </Field>
              ))}
            </dl>
          )}
        </div>
      ))}
    </li>
  );
}

function Cost({ data }: { readonly data: DecisionDetail }) {
  const { micros, stages, chars, replyBytes } = data;
  const total = Math.max(
    1,
    stages.reduce((sum, stage) => sum + stage.micros, 0),
  );
  const shown = stages.filter((stage) => stage.micros > 0);
  let x = 0;
  return (
    <Section title="Cost" aside={<span class="muted">{formatCount(micros)} µs</span>}>
      <svg
        class="share"
        viewBox="0 0 640 14"
        role="img"
        aria-label={shown.map(({ stage, micros: took }) => `${stage} ${took} µs`).join(', ')}
      >
        {shown.map(({ stage, micros: took }, index) => {
          const width = (640 * took) / total;
          x += width;
          return (
            <rect
              key={stage}
              x={x - width}
              width={Math.max(1, width - 2)}
              height="14"
              rx="2"
              class={`part${index % 3}`}
            >
              <title>{`${stage} ${took} µs`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="muted">
        {shown.map(({ stage, micros: took }) => `${stage} ${formatCount(took)}`).join(' · ')}.{' '}
        {counted(chars, 'character')} for the model, {counted(replyBytes, 'byte')} in the reply.
      </p>
    </Section>
  );
}
