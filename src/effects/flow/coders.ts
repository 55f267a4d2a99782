import type { ShellWord } from '../../shell/command.ts';
import type { ReadContents } from './handed-on.ts';

/** Compressors replace the file by one with a suffix, unless they print. */
export const compress =
  (suffix: string): ReadContents =>
  (_command, options) => {
    const reads = options.operands;
    const output = reads.length === 0 || options.has('-c', '--stdout', '--to-stdout');
    const undoes = options.has('-d', '--decompress', '--uncompress');
    const rename = ({ value }: ShellWord) =>
      undoes ? value.slice(0, Math.max(0, value.lastIndexOf('.'))) : `${value}${suffix}`;
    const named = options.values('-o', '--output');
    return {
      reads,
      input: reads.length === 0,
      writes: output ? [] : named.length > 0 ? named : reads.map(rename),
      output,
      decodes: undoes,
    };
  };

export const openssl: ReadContents = ({ words }) => {
  const verb = words[1]?.value ?? '';
  if (!/^(?:enc|base64|aes.*|des.*|camellia.*|smime|cms|rsautl|pkeyutl|zlib)$/.test(verb)) return undefined;
  const after = (name: string) => words.flatMap((word, at) => (words[at - 1]?.value === name ? [word] : []));
  const reads = after('-in');
  const writes = after('-out');
  const decodes = words.some(({ value }) => value === '-d' || value === '-decrypt');
  return { reads, input: reads.length === 0, writes, output: writes.length === 0, decodes };
};

export const gpg: ReadContents = (_command, options) => {
  const decodes = options.has('-d', '--decrypt');
  const writes: (ShellWord | string)[] = [...options.values('-o', '--output')];
  const reads = options.operands;
  const first = reads[0];
  const encrypts = options.has('-c', '-e', '-s', '--symmetric', '--encrypt', '--sign');
  if (writes.length === 0 && encrypts && first) writes.push(`${first.value}.gpg`, `${first.value}.asc`);
  return decodes || encrypts
    ? { reads, input: reads.length === 0, writes, output: writes.length === 0, decodes }
    : undefined;
};

export const xxd: ReadContents = (_command, options) => {
  const [from, to] = options.operands;
  const decodes = options.has('-r', '-revert', '-rp');
  return {
    reads: from ? [from] : [],
    input: from === undefined,
    writes: to ? [to] : [],
    output: to === undefined,
    decodes,
  };
};
