import type { Expression } from '../model/expression.ts';

export function linesOf(text: string): number[] {
  const lines = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return lines;
}

/** Line and column as they are shown, both from 1. */
export function placeIn(lines: readonly number[], at: number): string {
  let line = lines.length - 1;
  while ((lines[line] ?? 0) > at) line--;
  return `${line + 1}:${at - (lines[line] ?? 0) + 1}`;
}

/** An expression as one would write it, more or less. */
export function show(expression: Expression | undefined): string {
  const list = (of: readonly Expression[], by: string): string => of.map(show).join(by);
  if (expression === undefined) return '-';
  switch (expression.is) {
    case 'name':
      return expression.name;
    case 'member':
      return `${show(expression.of)}.${expression.name}`;
    case 'part':
      return `${show(expression.of)}[${expression.n}]`;
    case 'element':
    case 'each':
    case 'await':
    case 'entered':
      return `${expression.is}(${show(expression.of)})`;
    case 'call':
    case 'new': {
      const types = expression.types ? `<${list(expression.types, ', ')}>` : '';
      return `${expression.is === 'new' ? 'new ' : ''}${show(expression.of)}${types}(${list(expression.args, ', ')})`;
    }
    case 'either':
      return `(${list(expression.of, ' | ')})`;
    case 'both':
      return `(${list(expression.of, ' & ')})`;
    case 'tuple':
      return `[${list(expression.of, ', ')}]`;
    case 'record':
      return `{${expression.fields.map(([name, value]) => `${name}: ${show(value)}`).join(', ')}}`;
    case 'function': {
      const parameters = expression.parameters.map(({ name, type }) =>
        [name, ...(type ? [show(type)] : [])].filter((word) => word !== '').join(': '),
      );
      const result = expression.type ? show(expression.type) : list(expression.values ?? [], ' | ');
      return `${expression.async ? 'async ' : ''}(${parameters.join(', ')}) => ${result}`;
    }
    case 'expected':
      return `expected(${show(expression.call)}, ${expression.n})`;
    case 'parameter':
      return `parameter(${show(expression.of)}, ${expression.n})`;
    case 'apply':
      return `${show(expression.of)}<${list(expression.types, ', ')}>`;
    case 'as':
      return `as ${show(expression.type)}`;
    case 'typeof':
      return `typeof ${show(expression.value)}`;
    case 'literal':
      return expression.text === undefined ? `<${expression.type}>` : `'${expression.text}'`;
    case 'this':
    case 'super':
    case 'unknown':
      return expression.is;
  }
}
