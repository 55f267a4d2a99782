import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PackViewName } from '../cli/page/shapes.ts';
import { DecisionView } from './decision.tsx';
import { GraphView } from './graph.tsx';
import { enter, listen, useData } from './load.ts';
import { NowView } from './now.tsx';
import { Command } from './parts.tsx';
import { PackPageView } from './pack.tsx';
import { RulesView, RuleView } from './rules.tsx';
import { SessionsView, SessionView } from './sessions.tsx';
import { StopsView } from './stops.tsx';
import { UndoView } from './undo.tsx';

const OWN = [
  ['now', 'Now'],
  ['stops', 'Stops'],
  ['sessions', 'Sessions'],
  ['rules', 'Rules'],
  ['undo', 'Undo'],
  ['graph', 'Graph'],
] as const;

/** `#/session/ID` is the view and what it is of; a third part says which of its parts. */
function placeIn(hash: string): readonly [view: string, of: string, part: string] {
  const [, view = 'now', of = '', part = ''] = hash.split('/');
  try {
    return [view, decodeURIComponent(of), decodeURIComponent(part)];
  } catch {
    return [view, '', ''];
  }
}

const PARENTS: Readonly<Record<string, string>> = { session: 'sessions', rule: 'rules', decision: 'stops' };

/** Those of packs follow, where they are on. */
type Views = readonly (readonly [name: string, label: string])[];

function Page() {
  const { data: packs = [] } = useData<readonly PackViewName[]>('packs');
  const views: Views = [...OWN, ...packs.map(({ pack, title }) => [`pack/${pack}`, title] as const)];
  const known = useRef(views);
  known.current = views;
  const [[view, of, part], setPlace] = useState(placeIn(location.hash));
  const [isConnected, setConnected] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const go = () => {
      setPlace(placeIn(location.hash));
      heading.current?.focus();
      scrollTo(0, 0);
    };
    const press = (event: KeyboardEvent) => {
      const isTyping = isField(event.target) || event.ctrlKey || event.metaKey || event.altKey;
      const chosen = known.current[Number(event.key) - 1];
      if (!isTyping && chosen) location.hash = `#/${chosen[0]}`;
    };
    addEventListener('hashchange', go);
    addEventListener('keydown', press);
    listen(setConnected);
    return () => {
      removeEventListener('hashchange', go);
      removeEventListener('keydown', press);
    };
  }, []);
  const title = titleOf(views, view, of, part);
  useEffect(() => {
    document.title = `${title} · Fairlead`;
  }, [title]);
  const current = view === 'pack' ? `pack/${of}` : (PARENTS[view] ?? view);
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), heading.current?.focus())}>
        To the content
      </a>
      <nav aria-label="Views">
        <span class="brand">Fairlead</span>
        {views.map(([name, label], index) => (
          <a
            key={name}
            href={`#/${name}`}
            aria-current={name === current ? 'page' : undefined}
            aria-keyshortcuts={String(index + 1)}
          >
            {label}
          </a>
        ))}
        <span class={`pulse${isConnected ? '' : ' lost'}`} role="status">
          {isConnected ? 'live' : 'not connected'}
        </span>
      </nav>
      <main id="content">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {!isConnected && (
          <p class="notice">
            The process behind this page has ended. Open it again with <Command text="fairlead page" />
          </p>
        )}
        <View view={view} of={of} part={part} />
      </main>
    </>
  );
}

/** Keys that are pressed there are for it. */
function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

function titleOf(views: Views, view: string, of: string, part: string): string {
  if (view === 'session') return `Session ${of}`;
  if (view === 'rule') return of;
  if (view === 'decision') return `Decision ${of}`;
  if (view === 'graph' && part !== '') return part.slice(part.indexOf('#') + 1);
  const name = view === 'pack' ? `pack/${of}` : view;
  return views.find(([each]) => each === name)?.[1] ?? 'Nothing here';
}

function View({ view, of, part }: { readonly view: string; readonly of: string; readonly part: string }) {
  if (view === 'now') return <NowView />;
  if (view === 'stops') return <StopsView />;
  if (view === 'sessions') return <SessionsView />;
  if (view === 'session') return <SessionView id={of} />;
  if (view === 'rules') return <RulesView />;
  if (view === 'rule') return <RuleView id={of} />;
  if (view === 'pack') return <PackPageView pack={of} />;
  if (view === 'graph') return <GraphView of={of} symbol={part} />;
  if (view === 'undo') return <UndoView />;
  if (view === 'decision') return <DecisionView id={of} />;
  return (
    <p>
      There is no such view. <a href="#/now">Go to what is going on now.</a>
    </p>
  );
}

const place = document.getElementById('page');
if (place) void enter().finally(() => render(<Page />, place));
