import { useState } from 'preact/hooks';
import type { StopLine } from '../cli/page/shapes.ts';
import { formatClock, shortId, shortRoot } from './format.ts';
import { usePages } from './load.ts';
import { CallCard, Command, Empty, More, Problem, When } from './parts.tsx';

const KINDS = [
  ['', 'All'],
  ['deny', 'Denied'],
  ['ask', 'Asked'],
  ['shadow', 'Would have stopped'],
] as const;

export function StopsView({ rule, kind: first = '' }: { readonly rule?: string; readonly kind?: string }) {
  const [action, setAction] = useState(first);
  const query = new URLSearchParams({ ...(action && { action }), ...(rule !== undefined && { rule }) }).toString();
  const { rows, isLoaded, hasMore, error, more } = usePages<StopLine>(
    `stops${query && `?${query}`}`,
    'stops',
    ({ id }) => id,
  );
  if (error !== undefined && !isLoaded) return <Problem error={error} />;
  return (
    <>
      <div class="filters" role="group" aria-label="Which stops">
        {KINDS.map(([kind, name]) => (
          <button key={kind} type="button" aria-pressed={kind === action} onClick={() => setAction(kind)}>
            {name}
          </button>
        ))}
        {rule !== undefined && (
          <a class="filter" href="#/stops">
            {rule} ✕<span class="hidden"> show all rules</span>
          </a>
        )}
      </div>
      {isLoaded && rows.length === 0 && (
        <Empty title={action === 'shadow' ? 'No rule in shadow would have stopped anything.' : 'Nothing was stopped.'}>
          {action === 'shadow' ? (
            <p>
              A rule in shadow only records what it would do. Try one out so:{' '}
              <Command text={`fairlead rules mode ${rule ?? 'RULE'} shadow`} />
            </p>
          ) : (
            <p>
              A rule that stops or asks shows here. Try one out:{' '}
              <Command text={'fairlead explain -- "git push --force"'} />
            </p>
          )}
        </Empty>
      )}
      <ul class="cards">
        {rows.map((stop) => (
          <StopCard key={stop.id} stop={stop} />
        ))}
      </ul>
      <More isThere={hasMore} onMore={more} />
    </>
  );
}

export function StopCard({ stop, isShort = false }: { readonly stop: StopLine; readonly isShort?: boolean }) {
  const { id, action, isShadow, rules, what, reason, fate, passed, milder, judgement, at, session, agent, root } = stop;
  return (
    <CallCard
      action={action}
      label={isShadow ? `would ${action}` : action}
      isShadow={isShadow}
      what={what}
      reason={isShort ? '' : reason}
      head={
        <>
          <When at={at} />
          <span class="muted">
            {agent} in {shortRoot(root)}, session{' '}
            <a href={`#/session/${encodeURIComponent(session)}`}>{shortId(session)}</a>, {formatClock(at)}
          </span>
        </>
      }
    >
      <p class="muted">
        {rules.map((rule) => (
          <a key={rule} href={`#/rule/${encodeURIComponent(rule)}`}>
            {rule}
          </a>
        ))}
        {fate !== undefined && <span> · {fate}</span>}
        {judgement !== undefined && <span> · you said: {judgement}</span>}
        <span>
          {' '}
          · <a href={`#/decision/${id}`}>why</a>
        </span>
      </p>
      {!isShort && (
        <div class="commands">
          {!isShadow && !passed && <Command label="Let this call pass once" text={`fairlead allow-once ${id}`} />}
          {isShadow && <Command label="It would have been right" text={`fairlead rules judge ${id} right`} />}
          <Command
            label={isShadow ? 'It would have been wrong' : 'Say that it was wrong'}
            text={`fairlead rules judge ${id} wrong`}
          />
          {rules[0] !== undefined && isShadow && (
            <Command label="Let the rule act" text={`fairlead rules promote ${rules[0]}`} />
          )}
          {milder !== undefined && !isShadow && (
            <Command label="Make the rule milder" text={`fairlead rules mode ${milder} advise`} />
          )}
        </div>
      )}
    </CallCard>
  );
}
