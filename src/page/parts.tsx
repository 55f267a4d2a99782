import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatAgo, formatCount, formatMoment } from './format.ts';

const COPIED_MS = 1_500;
const TICK_MS = 10_000;

/** A command, with a button that copies it: the page itself changes nothing. */
export function Command({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    setTimeout(() => setCopied(false), COPIED_MS);
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span class="command">
      {label !== undefined && <span class="command-label">{label}</span>}
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy: ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

export function Chip({ kind, label = kind }: { readonly kind: string; readonly label?: string }) {
  return <span class={`chip chip-${kind}`}>{label}</span>;
}

/** A call, what was decided about it, and why. */
export function CallCard(props: {
  readonly action: string;
  readonly label?: string;
  readonly isShadow?: boolean;
  readonly head: ComponentChildren;
  readonly what: string;
  readonly reason?: string;
  readonly children?: ComponentChildren;
}) {
  const { action, label = action, isShadow = false, head, what, reason = '', children } = props;
  return (
    <li class={`card edge-${action}${isShadow ? ' shadow' : ''}`}>
      <div class="card-head">
        <Chip kind={action} label={label} />
        {head}
      </div>
      <pre>{what}</pre>
      {reason !== '' && <p class="reason">{reason}</p>}
      {children}
    </li>
  );
}

/** Its rows are given; what is counted stands to the right. */
export function Table(props: {
  readonly name: string;
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly children: ComponentChildren;
}) {
  const { name, texts, numbers, children } = props;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            {texts.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {numbers.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Numbers({ counts }: { readonly counts: readonly number[] }) {
  return (
    <>
      {counts.map((count, index) => (
        <td key={index} class="number">
          {formatCount(count)}
        </td>
      ))}
    </>
  );
}

/** How long ago; the moment itself on demand. */
export function When({ at }: { readonly at: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatAgo(at, Math.max(now, at))}
    </time>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

export function Problem({ error }: { readonly error: string }) {
  return (
    <Empty title={error}>
      <p>
        Open the page again with <Command text="fairlead page" />
      </p>
    </Empty>
  );
}

export function Section(props: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section aria-label={props.title}>
      <header class="section-head">
        <h2>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

/** Bars of days as one picture with a name; what it shows is also in its title. */
export function Spark({ values, name }: { readonly values: readonly number[]; readonly name: string }) {
  const most = Math.max(1, ...values);
  return (
    <svg class="spark" viewBox={`0 0 ${values.length * 4} 16`} role="img" aria-label={name}>
      {values.map((value, index) => {
        const height = value === 0 ? 1 : 2 + (13 * value) / most;
        return (
          <rect key={index} x={index * 4} y={16 - height} width="3" height={height} class={value === 0 ? 'none' : ''} />
        );
      })}
    </svg>
  );
}

export function More({ isThere, onMore }: { readonly isThere: boolean; readonly onMore: () => void }) {
  return isThere ? (
    <button type="button" class="more" onClick={onMore}>
      Older
    </button>
  ) : null;
}
