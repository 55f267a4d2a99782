import type { Files } from '../../platform/files.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import { ANSWERS_FROM } from '../store/made-by.ts';
import { graphStamp, openGraph } from '../store/open-graph.ts';
import { graphPaths } from '../store/graph-paths.ts';

/** The stored graph of one root, for one question after the other. */
export interface GraphHandle {
  /** As it is now, whoever wrote it; what was open before must not be used any more. Undefined when there is none of use. */
  open(): GraphReader | undefined;
  /** There was one when it was last opened, whether or not it could be used. */
  isThere(): boolean;
  close(): void;
}

export function openGraphHandle(files: Files, state: string, root: string): GraphHandle {
  const location = graphPaths(state, root);
  let reader: GraphReader | undefined;
  let stamp: string | undefined;
  return {
    open() {
      const now = graphStamp(files, location);
      if (now !== stamp) {
        reader?.close();
        reader = openGraph(files, location, root, ANSWERS_FROM);
        stamp = now;
      }
      return reader;
    },
    isThere: () => stamp !== undefined,
    close() {
      reader?.close();
      reader = undefined;
      stamp = undefined;
    },
  };
}
