import { widthOf } from './text.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Shape extends Box {
  readonly is: 'rect' | 'dot' | 'text' | 'line';
  readonly fill: string;
  readonly text: string;
  readonly size: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface PictureRead {
  readonly width: number;
  readonly height: number;
  /** In the order in which they are painted. */
  readonly shapes: readonly Shape[];
  readonly texts: readonly string[];
  readonly tooltips: readonly string[];
  readonly title: string;
  readonly desc: string;
}

const TOKEN = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>|([^<]+)|(<)/gi;

/** Reads back what our own drawing writes: absolute places, no transforms. Throws where it is not well formed. */
export function readPicture(svg: string): PictureRead {
  const open: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const shapes: Shape[] = [];
  const tooltips: string[] = [];
  const found = { width: 0, height: 0, title: '', desc: '' };
  for (const [whole, closing, name = '', attributeText = '', selfClosing, text, stray] of svg
    .trimEnd()
    .matchAll(TOKEN)) {
    if (stray !== undefined) throw new Error(`not well formed: ${svg.slice(svg.indexOf(whole), 60)}`);
    if (text !== undefined) {
      const last = open.at(-1);
      if (last === undefined || /&(?!(amp|lt|gt|quot);)/.test(text)) throw new Error(`not escaped: ${text}`);
      last.text += unescape(text);
    } else if (closing === '/') {
      const ended = open.pop();
      if (ended?.name !== name) throw new Error(`</${name}> ends <${ended?.name}>`);
      finish(ended);
    } else {
      const attributes = Object.fromEntries(
        [...attributeText.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, unescape(value ?? '')]),
      );
      if ('transform' in attributes) throw new Error('a transform cannot be read');
      const started = { name, attributes, text: '' };
      if (selfClosing === '/') finish(started);
      else open.push(started);
    }
  }
  if (open.length > 0) throw new Error('not closed');
  const texts = shapes.filter(({ is }) => is === 'text').map(({ text }) => text);
  return { ...found, shapes, texts, tooltips };

  function finish({ name, attributes, text }: (typeof open)[number]): void {
    const number = (key: string): number => Number(attributes[key] ?? 0);
    if (name === 'svg') Object.assign(found, { width: number('width'), height: number('height') });
    else if (name === 'title' && attributes['id'] === 'title') found.title = text;
    else if (name === 'title') tooltips.push(text);
    else if (name === 'desc') found.desc = text;
    else if (name === 'text') shapes.push(readText(attributes, text));
    else if (name === 'path' || name === 'line') shapes.push(readLine(name, attributes));
    else if (name === 'rect' || name === 'circle') {
      const r = number('r');
      const box =
        name === 'rect'
          ? { x: number('x'), y: number('y'), width: number('width'), height: number('height') }
          : { x: number('cx') - r, y: number('cy') - r, width: 2 * r, height: 2 * r };
      shapes.push({
        is: name === 'rect' ? 'rect' : 'dot',
        ...box,
        fill: attributes['fill'] ?? '',
        text: '',
        size: 0,
        points: [],
      });
    }
  }
}

function readText(attributes: Record<string, string>, text: string): Shape {
  const size = Number(attributes['font-size']);
  const bold = attributes['font-weight'] === '700';
  const width = widthOf(text, { size, bold });
  if (Math.abs(Number(attributes['textLength']) - width) > 0.01) throw new Error(`no length: ${text}`);
  const anchor = attributes['text-anchor'] ?? 'start';
  const x = Number(attributes['x']) - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
  // From the top of the tallest letters to the bottom of the lowest.
  const box = { x, y: Number(attributes['y']) - 0.76 * size, width, height: 0.98 * size };
  return { is: 'text', ...box, fill: attributes['fill'] ?? '', text, size, points: [] };
}

function readLine(name: string, attributes: Record<string, string>): Shape {
  const number = (key: string): number => Number(attributes[key] ?? 0);
  const points =
    name === 'line'
      ? between([number('x1'), number('y1')], [number('x2'), number('y2')])
      : pointsOf(attributes['d'] ?? '');
  const fill = attributes['fill'] ?? '';
  const isStroked = attributes['stroke'] !== undefined && attributes['stroke'] !== 'none';
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  return { is: 'line', ...box, fill, text: '', size: 0, points: isStroked || fill !== 'none' ? points : [] };
}

type Point = readonly [x: number, y: number];
const STEPS = 60;

function between(from: Point, to: Point): Point[] {
  return curve([from, from, to, to]);
}

function curve([a, b, c, d]: readonly [Point, Point, Point, Point]): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const t = i / STEPS;
    const at = (k: 0 | 1): number =>
      (1 - t) ** 3 * a[k] + 3 * (1 - t) ** 2 * t * b[k] + 3 * (1 - t) * t ** 2 * c[k] + t ** 3 * d[k];
    return [at(0), at(1)];
  });
}

/** Of a path with absolute M, L, H, V, C, Q and Z. */
function pointsOf(d: string): Point[] {
  const points: Point[] = [];
  let at: Point = [0, 0];
  let start: Point = [0, 0];
  for (const [, command = '', rest = ''] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const values = [...rest.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(Number);
    const point = (i: number): Point => [values[i] as number, values[i + 1] as number];
    if (command === 'M') points.push((start = at = point(0)));
    else if (command === 'Z') points.push(...between(at, start));
    else if (command === 'H' || command === 'V') {
      const to: Point = command === 'H' ? [values[0] as number, at[1]] : [at[0], values[0] as number];
      points.push(...between(at, to));
      at = to;
    } else {
      const each = { L: 2, Q: 4, C: 6 }[command];
      if (each === undefined) throw new Error(`${command} of a path cannot be read`);
      for (let i = 0; i < values.length; i += each) {
        const to = point(i + each - 2);
        if (command === 'L') points.push(...between(at, to));
        else if (command === 'C') points.push(...curve([at, point(i), point(i + 2), to]));
        else points.push(...curve([at, point(i), point(i), to]));
        at = to;
      }
    }
  }
  return points;
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** Everything about a picture that would keep a person from reading it at 100 %; empty when there is nothing. */
export function faultsOf(svg: string): string[] {
  const picture = readPicture(svg);
  const { shapes, width, height } = picture;
  const faults: string[] = [];
  if (picture.title === '' || picture.desc === '') faults.push('no title or description');
  const page = shapes[0];
  if (page?.is !== 'rect' || page.width !== width || page.height !== height) faults.push('no opaque page');
  const texts = shapes.filter(({ is }) => is === 'text');
  for (const shape of shapes)
    if (shape.x < -0.01 || shape.y < -0.01 || right(shape) > width + 0.01 || bottom(shape) > height + 0.01)
      faults.push(`clipped: ${shape.is} ${shape.text}`);
  const boxes = shapes.filter((shape) => shape.is === 'rect' && isFilled(shape));
  for (const [i, box] of boxes.entries())
    for (const other of boxes.slice(i + 1))
      if (overlap(box, other) && !holds(box, other) && !holds(other, box))
        faults.push(`boxes over each other at ${box.x},${box.y} and ${other.x},${other.y}`);
  for (const [i, text] of texts.entries()) {
    if (text.size < 12) faults.push(`${text.size} px: ${text.text}`);
    for (const other of texts.slice(i + 1))
      if (overlap(text, other)) faults.push(`over each other: ${text.text} | ${other.text}`);
  }
  for (const [at, text] of shapes.entries()) {
    if (text.is !== 'text') continue;
    const under = shapes.slice(0, at).findLast((shape) => isFilled(shape) && contains(shape, middleOf(text)));
    const ratio = contrastOf(text.fill, under?.fill ?? '#ffffff');
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${text.text}`);
    if (under !== undefined && under !== page && !holds(under, text)) faults.push(`out of its box: ${text.text}`);
    for (const [order, line] of shapes.entries()) {
      if (line.is !== 'line') continue;
      const isHidden = (point: Point): boolean =>
        shapes.slice(order + 1, at).some((cover) => isFilled(cover) && contains(cover, point));
      if (line.points.some((point) => contains(text, point) && !(order < at && isHidden(point))))
        faults.push(`on a line: ${text.text}`);
    }
  }
  return faults;
}

const right = ({ x, width }: Box): number => x + width;
const bottom = ({ y, height }: Box): number => y + height;
const middleOf = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];
const isFilled = ({ is, fill }: Shape): boolean => (is === 'rect' || is === 'dot') && fill !== 'none' && fill !== '';

function contains(box: Box, [x, y]: Point): boolean {
  return x > box.x && x < right(box) && y > box.y && y < bottom(box);
}

function holds(outer: Box, inner: Box): boolean {
  return inner.x >= outer.x && right(inner) <= right(outer) && inner.y >= outer.y && bottom(inner) <= bottom(outer);
}

function overlap(a: Box, b: Box): boolean {
  return a.x < right(b) && b.x < right(a) && a.y < bottom(b) && b.y < bottom(a);
}

function contrastOf(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  if (!/^#[\da-f]{6}$/.test(colour)) throw new Error(`${colour} is no plain colour`);
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
