import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { RootFreshener } from './freshener.ts';
import type { Answer, Answered } from '../query/answer.ts';
import { askGraph } from '../query/ask-graph.ts';
import type { Ask } from '../query/ask-graph.ts';
import { answerFresh } from '../query/fresh-answer.ts';

/** A larger file is not shown, nor was it parsed. */
const MAX_BYTES = 4 << 20;

/** Brings the graph of a root up to date and asks it. Undefined when there is none. */
export async function askRoot(
  question: Ask,
  root: string,
  files: Files,
  freshener: RootFreshener,
): Promise<Answered | undefined> {
  await freshener.sweep();
  const read = (path: string) => files.readText(join(root, path), MAX_BYTES);
  return answerFresh((reader) => askGraph(reader, question, read), files, freshener);
}

export function isFound(answer: Answer): boolean {
  switch (answer.is) {
    case 'search':
      return answer.symbols.total > 0;
    case 'files':
      return answer.files > 0;
    case 'context':
      return answer.blocks.length + answer.leftOut.length > 0;
    default:
      return answer.is !== 'missing' && answer.is !== 'choice';
  }
}
