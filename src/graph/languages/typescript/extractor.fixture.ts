import { keysOf } from '../../model/facts.ts';
import type { Extracted, Source } from '../language.ts';
import { linesOf, placeIn, show } from '../shown.fixture.ts';

export function sourceOf(text: string, path: string | undefined = 'a.ts'): Source {
  const language = /\.[cm]?tsx?$/.test(path) ? 'typescript' : 'javascript';
  return { path, language, text, lines: linesOf(text) };
}

export function definitionsOf(source: Source, found: Extracted): string[] {
  const keys = keysOf(found);
  return found.definitions.map(({ kind, at }, n) => `${kind} ${keys[n] ?? ''} ${placeIn(source.lines, at)}`);
}

export function callsOf(source: Source, found: Extracted): string[] {
  const keys = keysOf(found);
  return found.references
    .filter(({ kind }) => kind === 'call' || kind === 'new' || kind === 'decorator')
    .map(({ kind, name, receiver, at, within }) => {
      const whole = receiver ? `${show(receiver)}.${name}` : name;
      return `${kind} ${whole} ${placeIn(source.lines, at)} in ${keys[within] ?? 'module'}`;
    });
}
