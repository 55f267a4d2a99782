import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { buildClient } from '../../../scripts/build-client.mjs';
import { STAMP } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { findOnPath, isExecutable, isWritableDir } from '../../platform/find-program.ts';
import { basename, join } from '../../platform/paths.ts';
import type { Environment } from '../../platform/paths.ts';

/** What the head of a program file tells about the machine it is for. */
interface Executable {
  /** Equal for programs of one kind of machine. */
  readonly machine: string;
  /** Needs no library of the system to start. */
  readonly isStatic: boolean;
}

/** Enough for the table of an ELF file that says what it needs to start. */
const HEAD_BYTES = 4_096;

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

/** The program that installed entries start: the native client, or Node where there is none. */
export type Client =
  | {
      readonly kind: 'native';
      readonly path: string;
      /** Unknown while it is not built. */
      readonly isStatic?: boolean;
      /** `released`: it came with the package. */
      readonly built: 'released' | 'before' | 'now' | 'later';
    }
  | { readonly kind: 'node'; readonly why: string };

export interface ClientPlace {
  /** The directory of this copy, with `dist` and `native` in it. */
  readonly root: string;
  readonly state: string;
}

export const CLIENT = 'fairlead-client';
const RELEASED = 'clients';
const SUMS = 'sha256.json';
const COMPILERS = ['cc', 'gcc', 'clang'];
const PROBE_MS = 5_000;

export function isNativeClient(command: string): boolean {
  return basename(command) === CLIENT;
}

/** The client as it is now; nothing is built. */
export function findClient({ root, state }: ClientPlace): Client {
  const released = findReleased(root);
  if (released?.kind === 'native') return released;
  const paths = [join(root, 'dist', CLIENT), join(state, 'bin', CLIENT)].filter((path) => nodeFiles.exists(path));
  const usable = paths.find((path) => problemOfClient(path) === undefined && stampOf(path) !== undefined);
  if (usable !== undefined) return described(usable, 'before');
  const [first] = paths;
  if (first === undefined) return released ?? { kind: 'node', why: 'the native client is not built' };
  return { kind: 'node', why: problemOfClient(first) ?? `${first} does not run here` };
}

/** The one that a released package has for this kind of machine, if its bytes are those that were released. */
function findReleased(root: string): Client | undefined {
  const dir = join(root, 'dist', RELEASED);
  const name = `${process.platform}-${process.arch}`;
  const path = join(dir, name);
  const bytes = nodeFiles.readBytes(path);
  if (bytes === undefined) return undefined;
  if (createHash('sha256').update(bytes).digest('hex') !== sumOf(nodeFiles.readText(join(dir, SUMS)), name))
    return { kind: 'node', why: `${path} is not what was released: install the package again` };
  return { kind: 'native', path, isStatic: readExecutable(bytes)?.isStatic === true, built: 'released' };
}

function sumOf(text: string | undefined, name: string): unknown {
  try {
    return (JSON.parse(text ?? '{}') as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

/** The client to install: one that is there and of this build, else one built now, else any that runs, else Node. */
export function prepareClient(place: ClientPlace, env: Environment, isDryRun: boolean): Client {
  const found = findClient(place);
  // A run from source has no build that a client could be of.
  if (found.kind === 'native' && (isOfBuild(found) || STAMP.endsWith('.source'))) return found;
  const { root, state } = place;
  const cc = COMPILERS.map((name) => findOnPath(name, env)).find((path) => path !== undefined);
  const hasSource = nodeFiles.exists(join(root, 'native', 'client.c'));
  if (cc === undefined || !hasSource) {
    if (found.kind === 'native') return found;
    return {
      kind: 'node',
      why: hasSource ? 'no C compiler was found' : 'this copy has no source of the native client',
    };
  }
  const dist = join(root, 'dist');
  const out = join(isWritableDir(dist) ? dist : join(state, 'bin'), CLIENT);
  if (isDryRun) return { kind: 'native', path: out, built: 'later' };
  const { built, why = 'no reason was given' } = buildClient({ root, out, stamp: STAMP, cc });
  if (built) return described(out, 'now');
  return found.kind === 'native' ? found : { kind: 'node', why: `the native client could not be built (${why})` };
}

/** Why a program cannot run on this machine, as far as its file shows. */
export function problemOfClient(path: string): string | undefined {
  if (!nodeFiles.exists(path)) return `${path} does not exist`;
  if (!isExecutable(path)) return `${path} is not executable`;
  const machine = machineOf(path);
  if (machine === undefined) return isScript(path) ? undefined : `${path} is not a program`;
  const own = machineOf(process.execPath);
  return own === undefined || own === machine ? undefined : `${path} was built for another kind of machine`;
}

/** The launcher stands in where no native client is to be had. */
function isScript(path: string): boolean {
  return nodeFiles.readText(path, 2) === '#!';
}

function machineOf(path: string): string | undefined {
  return readExecutable(nodeFiles.readBytes(path, HEAD_BYTES) ?? new Uint8Array())?.machine;
}

function described(path: string, built: 'before' | 'now'): Client {
  const { isStatic = false } = readExecutable(nodeFiles.readBytes(path, HEAD_BYTES) ?? new Uint8Array()) ?? {};
  return { kind: 'native', path, isStatic, built };
}

/** A released one cannot be run where it lies: npm may have installed it without the right to. */
function isOfBuild({ path, built }: Extract<Client, { kind: 'native' }>): boolean {
  return built === 'released' || stampOf(path) === STAMP;
}

/** What each client said, as long as its file is the same. */
const stamps = new Map<string, string | undefined>();

/** What a client says it was built as; undefined when it does not run here. */
export function stampOf(path: string): string | undefined {
  const { ino, size, ctimeMs } = nodeFiles.stat(path) ?? {};
  const key = `${path} ${ino} ${size} ${ctimeMs}`;
  if (!stamps.has(key)) {
    const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', env: {}, timeout: PROBE_MS });
    stamps.set(key, status === 0 && stdout.endsWith('\n') ? stdout.trimEnd() : undefined);
  }
  return stamps.get(key);
}
