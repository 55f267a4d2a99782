import type { Expression } from '../../expression.ts';
import { keysOf } from '../../facts.ts';
import type { Extracted, Source } from '../language.ts';

export function sourceOf(text: string, path: string | undefined = 'a.ts'): Source {
  const lines = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return { path, language: /\.[cm]?tsx?$/.test(path) ? 'typescript' : 'javascript', text, lines };
}

/** Line and column as they are shown. */
export function placeIn({ lines }: Source, at: number): string {
  let line = lines.length - 1;
  while ((lines[line] ?? 0) > at) line--;
  return `${line + 1}:${at - (lines[line] ?? 0) + 1}`;
}

export function definitionsOf(source: Source, found: Extracted): string[] {
  const keys = keysOf(found);
  return found.definitions.map(({ kind, at }, n) => `${kind} ${keys[n] ?? ''} ${placeIn(source, at)}`);
}

export function callsOf(source: Source, found: Extracted): string[] {
  const keys = keysOf(found);
  return found.references
    .filter(({ kind }) => kind === 'call' || kind === 'new' || kind === 'decorator')
    .map(({ kind, name, receiver, at, within }) => {
      const whole = receiver ? `${say(receiver)}.${name}` : name;
      return `${kind} ${whole} ${placeIn(source, at)} in ${keys[within] ?? 'module'}`;
    });
}

/** An expression as one would write it, more or less. */
export function say(expression: Expression): string {
  const list = (of: readonly Expression[], by: string): string => of.map(say).join(by);
  switch (expression.is) {
    case 'name':
      return expression.name;
    case 'member':
      return `${say(expression.of)}.${expression.name}`;
    case 'part':
      return `${say(expression.of)}[${expression.n}]`;
    case 'element':
    case 'each':
    case 'await':
    case 'entered':
      return `${expression.is}(${say(expression.of)})`;
    case 'call':
    case 'new': {
      const types = expression.types ? `<${list(expression.types, ', ')}>` : '';
      return `${expression.is === 'new' ? 'new ' : ''}${say(expression.of)}${types}(${list(expression.args, ', ')})`;
    }
    case 'either':
      return `(${list(expression.of, ' | ')})`;
    case 'both':
      return `(${list(expression.of, ' & ')})`;
    case 'tuple':
      return `[${list(expression.of, ', ')}]`;
    case 'record':
      return `{${expression.fields.map(([name, value]) => `${name}: ${say(value)}`).join(', ')}}`;
    case 'function': {
      const parameters = expression.parameters.map(({ name, type }) => (type ? `${name}: ${say(type)}` : name));
      const result = expression.type ? say(expression.type) : list(expression.values ?? [], ' | ');
      return `${expression.async ? 'async ' : ''}(${parameters.join(', ')}) => ${result}`;
    }
    case 'expected':
      return `expected(${say(expression.call)}, ${expression.n})`;
    case 'parameter':
      return `parameter(${say(expression.of)}, ${expression.n})`;
    case 'apply':
      return `${say(expression.of)}<${list(expression.types, ', ')}>`;
    case 'as':
      return `as ${say(expression.type)}`;
    case 'typeof':
      return `typeof ${say(expression.value)}`;
    case 'literal':
      return expression.text === undefined ? expression.type : `'${expression.text}'`;
    case 'this':
    case 'super':
    case 'unknown':
      return expression.is;
  }
}
