import { useEffect, useState } from 'preact/hooks';
import type { Architecture, FoundSymbols, GraphRoots, SymbolAround } from '../cli/page/shapes.ts';
import { ArchitecturePicture } from './architecture.tsx';
import { counted, formatCount, quoted, shortRoot } from './format.ts';
import { useData } from './load.ts';
import { Command, Empty, Problem, Section, When } from './parts.tsx';
import { WalkPicture } from './walk.tsx';

const TYPING_MS = 150;

const graphPlace = (root: string, key = ''): string =>
  `#/graph/${encodeURIComponent(root)}${key === '' ? '' : `/${encodeURIComponent(key)}`}`;

/** The map of a project, a search in it, and around a symbol a picture to walk in. */
export function GraphView({ of, symbol }: { readonly of: string; readonly symbol: string }) {
  const { data, error } = useData<GraphRoots>('graphs');
  if (!data) return error === undefined ? null : <Problem error={error} />;
  const { here, isIndexing, roots } = data;
  const chosen = roots.find(({ root }) => root === of) ?? roots[0];
  const isHereKnown = roots.some(({ root }) => root === here);
  if (!chosen)
    return (
      <Empty title="No project has a code graph so far.">
        {isIndexing && <p>One is being made of {shortRoot(here)}.</p>}
        <p>
          Make one, in the directory of a project: <Command text="fairlead graph index" />
        </p>
      </Empty>
    );
  return (
    <>
      <div class="graph-bar">
        <label>
          <span class="bar-label">Project</span>
          <select
            value={chosen.root}
            onChange={({ currentTarget }) => (location.hash = graphPlace(currentTarget.value))}
          >
            {roots.map(({ root }) => (
              <option key={root} value={root}>
                {shortRoot(root)}
              </option>
            ))}
          </select>
        </label>
        <Search key={`${chosen.root} ${symbol}`} root={chosen.root} />
      </div>
      <p class="muted">
        <code>{chosen.root}</code>
        {chosen.files !== undefined && `, ${counted(chosen.files, 'file')}`}
        {chosen.indexedAt !== undefined && (
          <>
            , indexed <When at={chosen.indexedAt} />
          </>
        )}
        . The page shows the graph as it is stored.
      </p>
      {!isHereKnown && (
        <p class="notice">
          {shortRoot(here)} has no code graph{isIndexing ? ' yet: one is being made.' : '. Make one: '}
          {!isIndexing && <Command text={`fairlead graph index --root ${quoted(here)}`} />}
        </p>
      )}
      {symbol === '' ? <Map root={chosen.root} /> : <Around root={chosen.root} wanted={symbol} />}
    </>
  );
}

/** What was typed, once nobody types any more. */
function useSettled(text: string): string {
  const [settled, set] = useState(text);
  useEffect(() => {
    const waiting = setTimeout(() => set(text), TYPING_MS);
    return () => clearTimeout(waiting);
  }, [text]);
  return settled;
}

function Search({ root }: { readonly root: string }) {
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const go = (key: string) => {
    setText('');
    location.hash = graphPlace(root, key);
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          document.querySelector<HTMLAnchorElement>('.found a')?.click();
        }}
      >
        <label>
          <span class="bar-label">Symbol</span>
          <input
            type="search"
            value={text}
            autocomplete="off"
            spellcheck={false}
            placeholder="a name, or words of it"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </form>
      {query !== '' && text.trim() !== '' && <Results root={root} query={query} onGo={go} />}
    </search>
  );
}

function Results(props: { readonly root: string; readonly query: string; readonly onGo: (key: string) => void }) {
  const { root, query, onGo } = props;
  const words = new URLSearchParams({ root, query }).toString();
  const { data, error } = useData<FoundSymbols>(`symbols?${words}`, false);
  if (!data) return error === undefined ? null : <p class="found">{error}</p>;
  return (
    <div class="found">
      <p class="muted" role="status">
        {data.total === 0 ? 'No symbol is called like that.' : counted(data.total, 'symbol')}
        {data.symbols.length < data.total && `, the best ${data.symbols.length}`}
      </p>
      <ul class="plain">
        {data.symbols.map(({ key, name, kind, path, line, callers }) => (
          <li key={key}>
            <a href={graphPlace(root, key)} onClick={() => onGo(key)}>
              {name}
            </a>
            <span class="muted">
              {kind} · {path}:{line} · {counted(callers, 'caller')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Map({ root }: { readonly root: string }) {
  const { data, error } = useData<Architecture>(`architecture?${new URLSearchParams({ root }).toString()}`, false);
  if (!data) return error === undefined ? <Waiting /> : <Unusable root={root} />;
  const cards = data.layers.reduce((sum, layer) => sum + layer.cards.length, 0);
  if (cards === 0) return <Empty title="There is no code in it that was read." />;
  return (
    <Section title="Architecture" aside={<span class="muted">{counted(data.modules, 'module')}</span>}>
      <ArchitecturePicture data={data} placeOf={(path) => graphPlace(root, path)} />
    </Section>
  );
}

function Waiting() {
  return (
    <p class="calm" role="status">
      Reading the graph …
    </p>
  );
}

function Unusable({ root }: { readonly root: string }) {
  return (
    <Empty title="This graph cannot be used: another version made it, or it is damaged.">
      <p>
        Make it anew: <Command text={`fairlead graph index --root ${quoted(root)}`} />
      </p>
    </Empty>
  );
}

function Around({ root, wanted }: { readonly root: string; readonly wanted: string }) {
  const { data, error } = useData<SymbolAround>(
    `symbol?${new URLSearchParams({ root, key: wanted }).toString()}`,
    false,
  );
  if (!data)
    return error === undefined ? (
      <Waiting />
    ) : (
      <Empty title="There is no such symbol, or more than one.">
        <p>
          Look for it above, or see <a href={graphPlace(root)}>the whole project</a>.
        </p>
      </Empty>
    );
  const { symbol, totals, possible, complete, isStale, files, tests } = data;
  const least = complete ? '' : 'at least ';
  const reach = (totals['-1'] ?? 0) + (totals['-2'] ?? 0);
  return (
    <>
      {symbol.signature !== '' && <pre class="signature">{symbol.signature}</pre>}
      {symbol.doc !== '' && <p class="muted">{symbol.doc}</p>}
      <p class="muted">
        {symbol.kind} in {symbol.path}:{symbol.line}. A change may touch {least}
        {counted(reach, 'symbol')} within two calls, in {counted(files.total, 'file')}, and{' '}
        {counted(tests.total, 'test')}.{possible > 0 && ` ${counted(possible, 'more call')} may lead here.`}
        {isStale && ' Files of it changed since they were indexed.'} <a href={graphPlace(root)}>The whole project</a>
      </p>
      <WalkPicture data={data} placeOf={(key) => graphPlace(root, key)} />
      <div class="commands">
        <Command label="All callers" text={`fairlead graph callers ${quoted(symbol.key)} --root ${quoted(root)}`} />
        <Command label="As a picture" text={`fairlead graph draw ${quoted(symbol.key)} --root ${quoted(root)}`} />
      </div>
      <div class="halves">
        <Section title="Files it reaches" aside={<span class="muted">{formatCount(files.total)}</span>}>
          <ul class="plain">
            {files.items.map(({ path, symbols }) => (
              <li key={path}>
                <a href={graphPlace(root, path)}>{path}</a> <span class="muted">{counted(symbols, 'symbol')}</span>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Tests among them" aside={<span class="muted">{formatCount(tests.total)}</span>}>
          {tests.total === 0 && <p class="calm">No test is known to reach it.</p>}
          <ul class="plain">
            {tests.items.map(({ key, name, path, line }) => (
              <li key={key}>
                <a href={graphPlace(root, key)}>{name}</a>{' '}
                <span class="muted">
                  {path}:{line}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}
