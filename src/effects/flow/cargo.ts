/** What a stream, a file or a variable carries, as marks that can be joined. */
export interface Cargo {
  readonly marks: number;
  /** What the heaviest of it is called: a path, a host. */
  readonly name: string;
  /** Where fetched content comes from. */
  readonly host: string;
}

export const FETCHED = 1;
export const DECODED = 2;
export const FILE = 4;
export const TREE = 8;
export const ENVIRONMENT = 16;
export const SECRET = 32;

/** Code that was not there before. */
export const FOREIGN = FETCHED | DECODED;

export const NOTHING: Cargo = { marks: 0, name: '', host: '' };

export function cargo(marks: number, name = '', host = ''): Cargo {
  return { marks, name, host };
}

export function join(one: Cargo, other: Cargo): Cargo {
  if (one.marks === 0) return other;
  if (other.marks === 0) return one;
  const heavier = one.marks >= other.marks ? one : other;
  return { marks: one.marks | other.marks, name: heavier.name, host: one.host === '' ? other.host : one.host };
}

export function joinAll(cargos: Iterable<Cargo>): Cargo {
  let all = NOTHING;
  for (const one of cargos) all = join(all, one);
  return all;
}

/** Without what the marks stand for. */
export function without(one: Cargo, marks: number): Cargo {
  return (one.marks & marks) === 0 ? one : { ...one, marks: one.marks & ~marks };
}
