import { createByteReader } from '../format/byte-reader.ts';
import { createByteWriter } from '../format/byte-writer.ts';
import { FLAGS, LANGUAGES, maskOf, wordsOf } from '../format/codes.ts';
import type { FileFlag, Language } from '../model/facts.ts';
import { createStringTable, readStrings } from '../format/string-table.ts';
import type { Sections } from './sections.ts';

/** All that the graph has of one file, beside the facts. */
export interface GraphFile {
  readonly path: string;
  readonly language: Language;
  readonly flags: readonly FileFlag[];
  readonly size: number;
  readonly mtimeMs: number;
  readonly symbols: number;
  readonly edges: number;
  readonly possible: number;
  /** References that lead nowhere, and those that lead out of the project. */
  readonly unresolved: number;
  readonly outside: number;
  readonly record: Uint8Array;
  /** Of the record and the path; of the facts it was made of. 32 hexadecimal digits each. */
  readonly digest: string;
  readonly facts: string;
}

/** Files of a graph in one stretch of bytes, by path. */
export interface Pack {
  readonly paths: readonly string[];
  readonly totalOf: (index: number, what: Exclude<keyof typeof FILE, 'width' | 'end' | 'kind'>) => number;
  recordAt(index: number): Uint8Array;
  fileAt(index: number): GraphFile;
  kindAt(index: number): Pick<GraphFile, 'language' | 'flags'>;
  /** Sixteen bytes of each, in order. */
  digestAt(index: number): Uint8Array;
}

const FILE = { end: 0, symbols: 1, edges: 2, possible: 3, unresolved: 4, outside: 5, kind: 6, width: 7 } as const;
const DIGEST = 16;

export function packSections(files: readonly GraphFile[]): Record<string, Uint8Array> {
  const names = createStringTable();
  const numbers = new Uint32Array(files.length * FILE.width);
  const stats = new Float64Array(files.length * 2);
  const digests = Buffer.alloc(files.length * 2 * DIGEST);
  const records = new Uint8Array(files.reduce((sum, { record }) => sum + record.length, 0));
  let end = 0;
  files.forEach((file, index) => {
    names.numberOf(file.path);
    records.set(file.record, end);
    end += file.record.length;
    const kind = LANGUAGES.indexOf(file.language) | (maskOf(file.flags, FLAGS) << 8);
    const { symbols, edges, possible, unresolved, outside } = file;
    numbers.set([end, symbols, edges, possible, unresolved, outside, kind], index * FILE.width);
    stats[index * 2] = file.size;
    stats[index * 2 + 1] = file.mtimeMs;
    digests.write(file.digest + file.facts, index * 2 * DIGEST, 'hex');
  });
  const paths = createByteWriter();
  names.writeTo(paths);
  return {
    stats: new Uint8Array(stats.buffer),
    numbers: new Uint8Array(numbers.buffer),
    digests,
    paths: paths.finish(),
    records,
  };
}

export function openPack(sections: Sections): Pack {
  const paths = readStrings(createByteReader(sections.section('paths')));
  const [numberBytes, statBytes] = [sections.section('numbers'), sections.section('stats')];
  const numbers = new Uint32Array(numberBytes.buffer, numberBytes.byteOffset, paths.length * FILE.width);
  const stats = new Float64Array(statBytes.buffer, statBytes.byteOffset, paths.length * 2);
  const digestBytes = sections.section('digests');
  const digests = Buffer.from(digestBytes.buffer, digestBytes.byteOffset, digestBytes.byteLength);
  const records = sections.section('records');
  const numberOf = (index: number, what: number): number => numbers[index * FILE.width + what] as number;
  const recordAt = (index: number): Uint8Array =>
    records.subarray(index === 0 ? 0 : numberOf(index - 1, FILE.end), numberOf(index, FILE.end));
  const hex = (index: number, nth: number): string =>
    digests.toString('hex', (index * 2 + nth) * DIGEST, (index * 2 + nth + 1) * DIGEST);
  const kindAt = (index: number) => {
    const kind = numberOf(index, FILE.kind);
    return { language: LANGUAGES[kind & 0xff] as Language, flags: wordsOf(kind >>> 8, FLAGS) };
  };
  return {
    paths,
    totalOf: (index, what) => numberOf(index, FILE[what]),
    recordAt,
    fileAt(index) {
      return {
        path: paths[index] as string,
        ...kindAt(index),
        size: stats[index * 2] as number,
        mtimeMs: stats[index * 2 + 1] as number,
        symbols: numberOf(index, FILE.symbols),
        edges: numberOf(index, FILE.edges),
        possible: numberOf(index, FILE.possible),
        unresolved: numberOf(index, FILE.unresolved),
        outside: numberOf(index, FILE.outside),
        record: recordAt(index),
        digest: hex(index, 0),
        facts: hex(index, 1),
      };
    },
    kindAt,
    digestAt: (index) => digests.subarray(index * 2 * DIGEST, (index * 2 + 1) * DIGEST),
  };
}
