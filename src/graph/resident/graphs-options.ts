import type { Files } from '../../platform/files.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { Scope } from '../store/scope.ts';
import type { WalkOptions } from '../walk/walk-options.ts';
import type { ActiveRootsOptions } from './active-root.ts';
import type { AttemptsOptions } from './attempts.ts';
import type { DrawingQueueOptions } from './drawing-queue.ts';

/** What the engine gives whoever keeps its graphs. */
export interface GraphsDeps {
  readonly state: string;
  readonly files: Files;
  /** Runs work when the replies at hand are out. */
  afterReply(work: () => void): void;
  soon(ms: number, work: () => void): void;
  now(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
}

/** `ask` settles when it is done; done by another process, so that no event waits for a parse. */
export interface GraphsOptions
  extends Omit<GraphsDeps, 'state' | 'files'>, AttemptsOptions, ActiveRootsOptions, Pick<DrawingQueueOptions, 'draw'> {
  /** The root is a directory. */
  isThere(root: string): boolean;
  /** What tells one finished state of a root's index from the next; undefined when it has no index. */
  stampOf(root: string): string | undefined;
  /** Opens finished data; undefined when there is none that can be read. */
  open(root: string): GraphReader | undefined;
  /** The file, named by its absolute path, is not as it was when it was indexed, or should be and is not, unless only some are. */
  isChanged(reader: GraphReader, path: string, isWhole: boolean, walk: WalkOptions | undefined): boolean;
  readScope(root: string): Scope | undefined;
  /** The directory below the root of the package that a file which could be indexed belongs to. */
  packageOf(root: string, path: string, walk: WalkOptions | undefined): string | undefined;
}
