import { ADAPTERS } from '../../adapters/registry.ts';
import { basename } from '../../platform/paths.ts';

/** How far into a command the name of an agent is looked for, behind what starts it. */
const WORDS = 4;

/** The agent that a command starts, by its program, or by its package where another program starts that; and where its own words begin. */
export function whichAgent(words: readonly string[]): { readonly agent: string; readonly at: number } | undefined {
  const named = words.slice(0, WORDS).map(agentIn);
  const first = named.findIndex((agent) => agent !== undefined);
  const agent = named[first];
  if (agent === undefined) return undefined;
  // A package, and the program in it.
  const after = first === 0 ? 1 : named.findIndex((other, at) => at > first && other !== agent);
  return { agent, at: (after < 0 ? named.length : after) - 1 };
}

function agentIn(word: string, at: number): string | undefined {
  const isPath = at === 0 || /^\.{0,2}\//.test(word);
  const name = isPath ? basename(word) : word.replace(/(.)@[\w.-]+$/, '$1');
  return ADAPTERS.find(({ program }) => program.names.includes(name))?.name;
}
