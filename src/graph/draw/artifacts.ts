import type { Files } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import { join } from '../../platform/paths.ts';
import { MADE_BY } from '../store/made-by.ts';
import type { About } from './frame.ts';

/** One picture as `index.json` lists it. */
export interface Artifact {
  /** Base name of its files. */
  readonly name: string;
  /** Key, of an impact. */
  readonly symbol?: string;
  /** Of what it shows. */
  readonly digest: string;
  readonly state: About['state'];
  /** Another version may draw the same otherwise. */
  readonly drawnBy: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Of its files, so that one that was cut off is known. */
  readonly bytes: { readonly svg: number; readonly png?: number };
}

interface ArtifactIndex {
  readonly version: 1;
  readonly pictures: readonly Artifact[];
}

export interface Artifacts {
  pathOf(name: string, ending: Ending): string;
  /** Whether that picture is there and shows exactly this. */
  has(shown: Pick<Artifact, 'name' | 'digest' | 'state'>, ending: Ending): boolean;
  /** Replaces a picture under its name, and forgets those that are too many. Only for who may write there. */
  put(shown: Omit<Artifact, 'bytes' | 'drawnBy'>, svg: string, png: Uint8Array | undefined): void;
}

export type Ending = 'svg' | 'png';

const INDEX = 'index.json';
const MOST_IMPACTS = 50;
const IMPACT = /^impact_[\w.-]+\.(svg|png)$/;
const MOST_NAME = 60;
const HASH = 8;

export const ARCHITECTURE = 'architecture';

/** A name that every file system takes, whatever the symbol is called; the hash keeps those apart that look alike in it. */
export function impactName(symbolName: string, key: string): string {
  const safe = symbolName
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, MOST_NAME);
  return `impact_${safe === '' ? 'symbol' : safe}_${sha256(key).slice(0, HASH)}`;
}

type ArtifactFiles = Pick<Files, 'readText' | 'stat' | 'list' | 'remove' | 'makeDir' | 'writeDerived' | 'writeAtomic'>;

export function openArtifacts(files: ArtifactFiles, dir: string): Artifacts {
  const pathOf = (name: string, ending: Ending): string => join(dir, `${name}.${ending}`);
  const read = (): readonly Artifact[] => readIndex(files.readText(join(dir, INDEX)));
  return {
    pathOf,
    has({ name, digest, state }, ending) {
      const known = read().find((each) => each.name === name);
      if (known?.digest !== digest || known.state !== state || known.drawnBy !== MADE_BY) return false;
      return known.bytes[ending] !== undefined && files.stat(pathOf(name, ending))?.size === known.bytes[ending];
    },
    put(shown, svg, png) {
      files.makeDir(dir, 0o700);
      const svgBytes = new TextEncoder().encode(svg);
      files.writeDerived(pathOf(shown.name, 'svg'), svgBytes, 0o600);
      // Without a new one, the old one would show something else.
      if (png) files.writeDerived(pathOf(shown.name, 'png'), png, 0o600);
      else files.remove(pathOf(shown.name, 'png'));
      const own: Artifact = {
        ...shown,
        drawnBy: MADE_BY,
        bytes: { svg: svgBytes.length, ...(png && { png: png.length }) },
      };
      const others = read().filter(({ name }) => name !== shown.name);
      const kept = keepNewest([...others, own]);
      files.writeAtomic(join(dir, INDEX), `${JSON.stringify({ version: 1, pictures: kept }, null, 1)}\n`, 0o600);
      const listed = new Set(kept.map(({ name }) => name));
      for (const file of files.list(dir))
        if (IMPACT.test(file) && !listed.has(file.slice(0, -4))) files.remove(join(dir, file));
    },
  };
}

function keepNewest(pictures: readonly Artifact[]): Artifact[] {
  const byTime = [...pictures].sort((a, b) => a.time - b.time);
  const impacts = byTime.filter(({ symbol }) => symbol !== undefined);
  const tooMany = new Set(impacts.slice(0, Math.max(0, impacts.length - MOST_IMPACTS)));
  return byTime.filter((each) => !tooMany.has(each));
}

/** What cannot be read lists nothing: the pictures are drawn again. */
function readIndex(text: string | undefined): readonly Artifact[] {
  try {
    const { version, pictures } = JSON.parse(text ?? '') as ArtifactIndex;
    return version === 1 && Array.isArray(pictures) ? pictures.filter(isArtifact) : [];
  } catch {
    return [];
  }
}

function isArtifact(value: unknown): value is Artifact {
  const { name, digest, time, bytes } = (value ?? {}) as Partial<Record<keyof Artifact, unknown>>;
  return (
    typeof name === 'string' && typeof digest === 'string' && typeof time === 'number' && typeof bytes === 'object'
  );
}
