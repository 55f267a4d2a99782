import { useState } from 'preact/hooks';
import type { CopyLine, Told } from '../cli/page/shapes.ts';
import { counted, formatBytes, shortId, shortRoot } from './format.ts';
import { useData } from './load.ts';
import { Command, Empty, Problem, When } from './parts.tsx';

export function UndoView() {
  const { data, error } = useData<readonly CopyLine[]>('copies');
  if (!data) return error === undefined ? null : <Problem error={error} />;
  if (data.length === 0)
    return (
      <Empty title="No copy was made so far.">
        <p>Before a call destroys what nothing else brings back, a copy of it is kept. It shows here.</p>
      </Empty>
    );
  return (
    <ul class="cards">
      {data.map((copy) => (
        <CopyCard key={copy.number} copy={copy} />
      ))}
    </ul>
  );
}

function CopyCard({ copy }: { readonly copy: CopyLine }) {
  const [isOpen, setOpen] = useState(false);
  const { number, at, root, session, command, names, files, bytes } = copy;
  return (
    <li class="card edge-save">
      <div class="card-head">
        <strong>Copy {number}</strong>
        <When at={at} />
        <span class="muted">
          {shortRoot(root)}, session <a href={`#/session/${encodeURIComponent(session)}`}>{shortId(session)}</a>
        </span>
      </div>
      <pre>{command}</pre>
      <p class="muted">
        {names.join(', ')}: {counted(files, 'file')}, {formatBytes(bytes)}
      </p>
      <div class="commands">
        <Command label="Bring it back" text={`fairlead undo ${number}`} />
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide what differs' : 'Show what differs'}
        </button>
      </div>
      {isOpen && <Difference number={number} />}
    </li>
  );
}

function Difference({ number }: { readonly number: number }) {
  const { data, error } = useData<Told>(`copy?number=${number}`, false);
  return (
    <pre class="told" tabIndex={0} aria-label={`What copy ${number} holds`}>
      {data?.text ?? error ?? 'Comparing …'}
    </pre>
  );
}
