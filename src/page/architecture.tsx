import { useState } from 'preact/hooks';
import type { Architecture, DistrictLine } from '../cli/page/shapes.ts';
import { counted, cutMiddle } from './format.ts';

const [CARD_WIDTH, CARD_HEIGHT, STEP_X, STEP_Y] = [150, 46, 165, 84];
const [LEFT, TOP, PER_ROW, NAME_SIGNS, BAND_GAP] = [12, 30, 6, 18, 40];

interface Placed extends DistrictLine {
  readonly x: number;
  readonly y: number;
}

/** Who imports whom, from top to bottom. A part that is chosen stands out with what it is joined to. */
export function ArchitecturePicture({
  data,
  placeOf,
}: {
  readonly data: Architecture;
  readonly placeOf: (path: string) => string;
}) {
  const [chosen, choose] = useState<string>();
  const { cards, bands, width, height } = layOut(data);
  const byId = new Map(cards.map((card) => [card.id, card]));
  const joined = new Set(
    data.edges.filter(({ from, to }) => from === chosen || to === chosen).flatMap(({ from, to }) => [from, to]),
  );
  const toggle = (id: string) => choose(id === chosen ? undefined : id);
  const selected = chosen === undefined ? undefined : byId.get(chosen);
  return (
    <>
      <div
        class={`picture map${chosen === undefined ? '' : ' has-chosen'}`}
        tabIndex={0}
        role="region"
        aria-label="Picture"
      >
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={`The parts of the project, and who imports whom: ${counted(cards.length, 'part')}`}
        >
          {bands.map(({ name, y }) => (
            <text key={name} x={LEFT} y={y} class="head">
              {name}
            </text>
          ))}
          {data.edges.map(({ from, to, imports, isCycle }) => {
            const [start, end] = [byId.get(from), byId.get(to)];
            if (!start || !end) return null;
            const isOn = from === chosen || to === chosen;
            return (
              <path
                key={`${from} ${to}`}
                class={`flow${isCycle ? ' cycle' : ''}${isOn ? ' on' : ''}`}
                d={curve(start, end)}
                stroke-width={Math.min(6, 1 + Math.log2(imports) / 1.5)}
              />
            );
          })}
          {cards.map((card) => (
            <g
              key={card.id}
              class={`node${card.id === chosen ? ' centre' : ''}${chosen !== undefined && !joined.has(card.id) && card.id !== chosen ? ' aside' : ''}`}
            >
              <title>{card.name}</title>
              <rect
                x={card.x}
                y={card.y}
                width={CARD_WIDTH}
                height={CARD_HEIGHT}
                rx="7"
                role="button"
                tabIndex={0}
                aria-pressed={card.id === chosen}
                aria-label={`${card.name}, ${counted(card.modules, 'module')}`}
                onClick={() => toggle(card.id)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' && event.key !== ' ') return;
                  event.preventDefault();
                  toggle(card.id);
                }}
              />
              <text x={card.x + 10} y={card.y + 19} class="name" aria-hidden="true">
                {cutMiddle(card.name, NAME_SIGNS)}
              </text>
              <text x={card.x + 10} y={card.y + 35} class="place" aria-hidden="true">
                {counted(card.modules, 'module')}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <p class="muted">
        Lines lead from who imports to what is imported, the thicker the more.
        {data.cycles > 0 &&
          ` Dashed lines are part of a circle; there ${data.cycles === 1 ? 'is one' : `are ${data.cycles}`}.`}
        {data.moreImports > 0 && ` ${counted(data.moreImports, 'lighter import')} not drawn.`}
        {!selected && ' Choose a part to see what is in it.'}
      </p>
      {selected && <Part card={selected} data={data} placeOf={placeOf} onChoose={choose} />}
    </>
  );
}

function Part(props: {
  readonly card: DistrictLine;
  readonly data: Architecture;
  readonly placeOf: (path: string) => string;
  readonly onChoose: (id: string) => void;
}) {
  const { card, data, placeOf, onChoose } = props;
  const names = new Map(data.layers.flatMap(({ cards }) => cards).map(({ id, name }) => [id, name]));
  const sides = [
    ['Imported by', data.edges.filter(({ to }) => to === card.id).map(({ from, imports }) => ({ id: from, imports }))],
    ['Imports', data.edges.filter(({ from }) => from === card.id).map(({ to, imports }) => ({ id: to, imports }))],
  ] as const;
  return (
    <div class="card" aria-live="polite">
      <div class="card-head">
        <strong>{card.name}</strong>
        <span class="muted">
          {counted(card.modules, 'module')}, {counted(card.functions, 'function')}, imported{' '}
          {counted(card.importsIn, 'time')}, imports {counted(card.importsOut, 'time')}
        </span>
      </div>
      <dl class="fields">
        {card.top.length > 0 && <dt>{card.districts > 1 ? 'Among them' : 'Main files'}</dt>}
        <dd>
          <ul class="plain">
            {card.top.map((path) => (
              <li key={path}>{card.districts > 1 ? path : <a href={placeOf(path)}>{path}</a>}</li>
            ))}
          </ul>
        </dd>
        {sides.map(([title, others]) =>
          others.length === 0 ? null : (
            <>
              <dt>{title}</dt>
              <dd class="inline-list">
                {others.map(({ id, imports }) => (
                  <button key={id} type="button" onClick={() => onChoose(id)}>
                    {names.get(id)} <span class="muted">{imports}</span>
                  </button>
                ))}
              </dd>
            </>
          ),
        )}
      </dl>
    </div>
  );
}

function curve(start: Placed, end: Placed): string {
  const [x1, x2] = [start.x + CARD_WIDTH / 2, end.x + CARD_WIDTH / 2];
  if (start.y < end.y) {
    const [y1, y2] = [start.y + CARD_HEIGHT, end.y];
    const middle = (y1 + y2) / 2;
    return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
  }
  // Beside it or back up: a bow above both.
  const [y1, y2] = [start.y, start.y === end.y ? end.y : end.y + CARD_HEIGHT];
  const bow = start.y === end.y ? y1 - 24 : (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${bow} ${x2} ${bow} ${x2} ${y2}`;
}

function layOut({ layers }: Architecture) {
  const cards: Placed[] = [];
  const bands: { name: string; y: number }[] = [];
  let y = 0;
  for (const { name, cards: own } of layers) {
    if (own.length === 0) continue;
    bands.push({ name, y: y + 18 });
    own.forEach((card, index) => {
      const row = Math.floor(index / PER_ROW);
      cards.push({ ...card, x: LEFT + (index % PER_ROW) * STEP_X, y: y + TOP + row * STEP_Y });
    });
    y += TOP + Math.ceil(own.length / PER_ROW) * STEP_Y + BAND_GAP - (STEP_Y - CARD_HEIGHT);
  }
  const most = Math.max(...layers.map(({ cards: own }) => Math.min(PER_ROW, own.length)));
  return { cards, bands, width: 2 * LEFT + (most - 1) * STEP_X + CARD_WIDTH, height: y - BAND_GAP + 8 };
}
