/** A piece of a picture, escaped and whole. */
export type Svg = string & { readonly is: 'svg' };

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with what is in it, one after the other. Attributes stand in the order in which they are given. */
export function element(name: string, attributes: Attributes, ...children: readonly (Svg | undefined)[]): Svg {
  let text = `<${name}`;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    text += ` ${attribute}="${typeof value === 'number' ? shortNumber(value) : escape(value)}"`;
  }
  const inner = children.join('');
  return (inner === '' ? `${text}/>` : `${text}>${inner}</${name}>`) as Svg;
}

export function plain(text: string): Svg {
  return escape(text) as Svg;
}

export function group(attributes: Attributes, ...children: readonly (Svg | undefined)[]): Svg {
  return element('g', attributes, ...children);
}

/** A box whose outline lies within these measures, on whole pixels. */
export function outline(
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  attributes: Attributes,
): Svg {
  return element('rect', { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, ...attributes });
}

/** What a reader gets when the pointer rests on the group. */
export function tooltip(text: string): Svg {
  return element('title', {}, plain(text));
}

/** Two decimals at most, so that the same picture has the same bytes on every machine. */
export function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** No character that XML has no place for, and none that turns the direction of what follows it. */
const UNFIT = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text: string): string {
  return text.replaceAll(UNFIT, '').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

/** As it is shown: viewers join blanks and leave out those at both ends. */
export function clean(text: string): string {
  return text.replaceAll(UNFIT, '').replaceAll(/\s+/g, ' ').trim();
}
