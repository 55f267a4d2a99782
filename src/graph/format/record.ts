import { count } from './codec.ts';
import type { Bits, Codec } from './codec.ts';

/** What a record holds next: fields one after the other, or several in one number, the lowest bits first. */
type Step<T> =
  | { readonly fields: { readonly [K in keyof T]?: Codec<T[K]> | Codec<NonNullable<T[K]>> } }
  | { readonly number: { readonly [K in keyof T]?: Bits<T[K]> } };

/** The code that a record becomes, as text. */
interface Program {
  readonly writes: string[];
  readonly reads: string[];
  /** Fields that every record has, and those that are left out where they read undefined. */
  readonly always: Set<string>;
  readonly perhaps: Set<string>;
  /** Of fields that follow only where a bit of `parts` says so. */
  readonly gates: Map<string, { readonly pack: string; readonly absent: string; readonly mask: number }>;
  /** The name that a function of the table has in the text. */
  nameOf(value: unknown): string;
}

/**
 * A record of the fields that the steps name, in their order; `start` is what all of them have and nobody writes.
 *
 * Makes straight code of the steps: to go through them with every record takes two to five times as long. The text is made
 * of names of fields and numbers in the table, and of nothing that is read.
 */
export function record<T extends object>(start: Partial<T>, ...steps: readonly Step<T>[]): Codec<T> {
  const held: unknown[] = [];
  const program: Program = {
    writes: [],
    reads: [],
    always: new Set(),
    perhaps: new Set(),
    gates: new Map(),
    nameOf: (value) => `f${held.push(value) - 1}`,
  };
  for (const step of steps) {
    if ('number' in step) addNumber(program, step.number as Readonly<Record<string, Bits<unknown>>>);
    else addFields(program, step.fields as Readonly<Record<string, Codec<unknown>>>);
  }
  const { writes, reads, always, perhaps } = program;
  const made = [
    ...Object.entries(start).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ...[...always].map((key) => `${key}: $${key}`),
  ];
  const text = [
    `const [${held.map((_, index) => `f${index}`).join(', ')}] = held;`,
    `return { write(v) {`,
    ...writes,
    '}, read() { let number = 0; let parts = 0;',
    ...reads,
    `const made = { ${made.join(', ')} };`,
    ...[...perhaps].map((key) => `if ($${key} !== undefined) made.${key} = $${key};`),
    'return made; } };',
  ].join('\n');
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function('held', 'writeCount', 'readCount', text) as (...given: unknown[]) => Codec<T>;
  return make(held, count.write, count.read);
}

function addNumber(program: Program, fields: Readonly<Record<string, Bits<unknown>>>): void {
  const { writes, reads, gates, nameOf } = program;
  const packed: string[] = [];
  const unpacked: string[] = [];
  let shift = 0;
  for (const [key, bits] of Object.entries(fields)) {
    const { width, unpack, absent } = bits;
    const pack = nameOf(bits.pack);
    packed.push(`(${pack}(v.${key}) << ${shift})`);
    const part = width === undefined ? `number >> ${shift}` : `(number >> ${shift}) & ${(1 << width) - 1}`;
    if (unpack) {
      unpacked.push(`const $${key} = ${nameOf(unpack)}(${part});`);
      keep(program, key, bits.isOptional);
    } else if (width === 1) {
      gates.set(key, { pack, absent: absent ? `${nameOf(absent)}()` : 'undefined', mask: 1 << shift });
    }
    shift += width ?? 0;
  }
  writes.push(`writeCount(${packed.join(' | ')});`);
  reads.push('number = readCount();', ...unpacked);
  if (unpacked.length < packed.length) reads.push('parts = number;');
}

function addFields(program: Program, fields: Readonly<Record<string, Codec<unknown>>>): void {
  const { writes, reads, gates, nameOf } = program;
  for (const [key, codec] of Object.entries(fields)) {
    const gate = gates.get(key);
    const write = `${nameOf(codec.write)}(v.${key});`;
    const read = `${nameOf(codec.read)}(parts)`;
    writes.push(gate ? `if (${gate.pack}(v.${key}) !== 0) ${write}` : write);
    reads.push(`const $${key} = ${gate ? `(parts & ${gate.mask}) === 0 ? ${gate.absent} : ${read}` : read};`);
    keep(program, key, gate ? gate.absent === 'undefined' : codec.isOptional);
  }
}

function keep({ always, perhaps }: Program, key: string, isOptional = false): void {
  (isOptional ? perhaps : always).add(key);
}
