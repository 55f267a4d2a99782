import { useEffect, useRef } from 'preact/hooks';
import type { SymbolAround, SymbolNode } from '../cli/page/shapes.ts';
import { counted, cutMiddle } from './format.ts';

const [NODE_WIDTH, NODE_HEIGHT, ROW, COLUMN] = [196, 42, 54, 262];
const [TOP, PAD] = [34, 8];
const [NAME_SIGNS, PATH_SIGNS] = [25, 32];
const ORDER = [-2, -1, 0, 1];
const HEADS: Readonly<Record<number, string>> = { [-2]: 'call its callers', [-1]: 'call it', 0: '', 1: 'it calls' };

interface Placed extends SymbolNode {
  readonly x: number;
  readonly y: number;
}

/** A step in the picture was the last one: what comes next begins at its middle. */
let isWalking = false;

/** Every node leads to its own picture; arrows move between them. */
export function WalkPicture(props: { readonly data: SymbolAround; readonly placeOf: (key: string) => string }) {
  const { data, placeOf } = props;
  const picture = useRef<SVGSVGElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { placed, width, height, heads } = layOut(data);
  const byKey = new Map(placed.map((node) => [node.key, node]));
  const centre = placed.find(({ column }) => column === 0);
  useEffect(() => {
    // Where not all has room, what is asked about is in sight.
    if (frame.current && centre) frame.current.scrollLeft = centre.x - (frame.current.clientWidth - NODE_WIDTH) / 2;
    if (isWalking) picture.current?.querySelector<SVGAElement>('.centre a')?.focus({ preventScroll: true });
    isWalking = false;
  }, [data.symbol.key]);
  const move = (event: KeyboardEvent) => {
    const links = [...(picture.current?.querySelectorAll<SVGAElement>('a') ?? [])];
    const from = placed[links.indexOf(document.activeElement as unknown as SVGAElement)];
    const to = from && neighbour(from, placed, event.key);
    if (!to) return;
    event.preventDefault();
    links[placed.indexOf(to)]?.focus();
  };
  const name = `${data.symbol.name}: ${counted(data.totals['-1'] ?? 0, 'caller')}, calls ${counted(data.totals['1'] ?? 0, 'symbol')}`;
  return (
    <div class="picture" ref={frame} tabIndex={0} role="region" aria-label="Picture">
      <svg
        ref={picture}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={name}
        onKeyDown={move}
      >
        {heads.map(({ x, text }) => (
          <text key={x} x={x + NODE_WIDTH / 2} y="20" text-anchor="middle" class="head">
            {text}
          </text>
        ))}
        {data.edges.map(({ from, to, sites }) => {
          const [start, end] = [byKey.get(from), byKey.get(to)];
          return start && end ? <Edge key={`${from} ${to}`} start={start} end={end} sites={sites} /> : null;
        })}
        {placed.map((node) => (
          <Node key={node.key} node={node} href={placeOf(node.key)} />
        ))}
      </svg>
    </div>
  );
}

function Node({ node, href }: { readonly node: Placed; readonly href: string }) {
  const { x, y, name, kind, path, line, column, isTest } = node;
  const where = column === 0 ? '' : `, ${column < 0 ? HEADS[column] : 'called'}`;
  return (
    <g class={`node${column === 0 ? ' centre' : ''}${isTest ? ' test' : ''}`}>
      <title>{`${name}\n${path}:${line}`}</title>
      <a
        href={href}
        aria-label={`${name}, ${isTest ? 'test, ' : ''}${kind} in ${path} line ${line}${where}`}
        aria-current={column === 0 ? 'true' : undefined}
        onClick={() => (isWalking = column !== 0)}
      >
        <rect x={x} y={y} width={NODE_WIDTH} height={NODE_HEIGHT} rx="7" />
      </a>
      <text x={x + 10} y={y + 18} class="name" aria-hidden="true">
        {cutMiddle(name, NAME_SIGNS)}
      </text>
      <text x={x + 10} y={y + 33} class="place" aria-hidden="true">
        {cutMiddle(`${path}:${line}`, PATH_SIGNS)}
      </text>
    </g>
  );
}

function Edge({ start, end, sites }: { readonly start: Placed; readonly end: Placed; readonly sites: number }) {
  const isBack = start.x >= end.x;
  const [x1, x2] = isBack ? [start.x, end.x + NODE_WIDTH] : [start.x + NODE_WIDTH, end.x];
  // Two that call each other have two lines.
  const shift = isBack ? 9 : 0;
  const [y1, y2] = [start.y + NODE_HEIGHT / 2 + shift, end.y + NODE_HEIGHT / 2 + shift];
  const middle = (x1 + x2) / 2;
  return (
    <g class={`edge${isBack ? ' back' : ''}`}>
      <path
        d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
        stroke-width={Math.min(4, 1 + Math.log2(sites))}
      />
      <circle cx={x2} cy={y2} r="3" />
    </g>
  );
}

/** The nearest in the column beside, or the next in its own. */
function neighbour(from: Placed, placed: readonly Placed[], key: string): Placed | undefined {
  const nearest = (nodes: readonly Placed[]) =>
    nodes.toSorted(
      (a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x) || Math.abs(a.y - from.y) - Math.abs(b.y - from.y),
    )[0];
  if (key === 'ArrowLeft') return nearest(placed.filter(({ x }) => x < from.x));
  if (key === 'ArrowRight') return nearest(placed.filter(({ x }) => x > from.x));
  if (key === 'ArrowUp') return nearest(placed.filter(({ x, y }) => x === from.x && y < from.y));
  return key === 'ArrowDown' ? nearest(placed.filter(({ x, y }) => x === from.x && y > from.y)) : undefined;
}

/** Columns from left to right, each around the middle; those of the first stand near what they call. */
function layOut({ nodes, edges, totals }: SymbolAround) {
  const columns = ORDER.filter((column) => nodes.some((node) => node.column === column));
  const inColumn = (column: number) => nodes.filter((node) => node.column === column);
  const rows = Math.max(...columns.map((column) => inColumn(column).length));
  const height = TOP + PAD + rows * ROW;
  const placed: Placed[] = [];
  for (const column of columns.toReversed()) {
    const x = PAD + columns.indexOf(column) * COLUMN;
    const own = column === -2 ? inColumn(column).toSorted((a, b) => meanOf(a) - meanOf(b)) : inColumn(column);
    const from = TOP + ((rows - own.length) * ROW) / 2;
    placed.push(...own.map((node, index) => ({ ...node, x, y: from + index * ROW })));
  }
  function meanOf({ key }: SymbolNode): number {
    const ends = edges
      .filter(({ from }) => from === key)
      .map(({ to }) => placed.find((node) => node.key === to)?.y ?? 0);
    return ends.reduce((sum, y) => sum + y, 0) / Math.max(1, ends.length);
  }
  const heads = columns.map((column) => {
    const [shown, all] = [inColumn(column).length, totals[String(column)] ?? 0];
    const more = all > shown ? ` (${shown} of ${all})` : '';
    return { x: PAD + columns.indexOf(column) * COLUMN, text: column === 0 ? '' : `${HEADS[column]}${more}` };
  });
  // From left to right and from top to bottom, as the keyboard goes.
  const inOrder = placed.toSorted((a, b) => a.x - b.x || a.y - b.y);
  return { placed: inOrder, width: 2 * PAD + (columns.length - 1) * COLUMN + NODE_WIDTH, height, heads };
}
