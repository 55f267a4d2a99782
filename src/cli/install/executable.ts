/** What the head of a program file tells about the machine it is for. */
export interface Executable {
  /** Equal for programs of one kind of machine. */
  readonly machine: string;
  /** Needs no library of the system to start. */
  readonly isStatic: boolean;
}

/** Enough for the table of an ELF file that says what it needs to start. */
export const HEAD_BYTES = 4_096;

const INTERPRETER = 3;

/** Undefined for anything but a program in ELF or Mach-O form. */
export function readExecutable(head: Uint8Array): Executable | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 64) return undefined;
  const magic = view.getUint32(0);
  if (magic === 0x7f454c46) return readElf(view);
  // Either byte order, 32 and 64 bits; the system has no static programs.
  if ([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(magic))
    return { machine: `mach-o ${view.getUint32(4)}`, isStatic: false };
  return undefined;
}

function readElf(view: DataView): Executable {
  const isWide = view.getUint8(4) === 2;
  const little = view.getUint8(5) === 1;
  const machine = `elf ${view.getUint8(4)} ${view.getUint8(5)} ${view.getUint16(18, little)}`;
  const start = isWide ? Number(view.getBigUint64(32, little)) : view.getUint32(28, little);
  const size = view.getUint16(isWide ? 54 : 42, little);
  const count = view.getUint16(isWide ? 56 : 44, little);
  for (let at = 0; at < count; at += 1) {
    const offset = start + at * size;
    if (offset + 4 > view.byteLength) break;
    if (view.getUint32(offset, little) === INTERPRETER) return { machine, isStatic: false };
  }
  return { machine, isStatic: true };
}
