import type { SourceFile, Word } from './source.ts';

/** Reply fields and file names that no table of an adapter holds. */
const REPLY_WORDS = [
  'hookSpecificOutput',
  'hookEventName',
  'permissionDecision',
  'permissionDecisionReason',
  'additionalContext',
  'systemMessage',
  'updatedInput',
  'hook_event_name',
  'tool_input',
  'tool_use_id',
  'tool_response',
];

/** Brands that are words of the trade, or other things of that name, as well: only the bare string counts. */
const EVERYDAY = new Set(['cursor', 'continue', 'gemini', 'copilot']);

export interface AgentWords {
  /** Two words in one (`PreToolUse`, `tool_input`): not to be met in any name or text. */
  readonly distinctive: readonly string[];
  /** One capitalised word (`Bash`, `Stop`): innocent in a sentence or as a type, so only the bare string counts. */
  readonly plain: readonly string[];
  readonly agents: readonly string[];
}

const OF_AGENT = /^src\/adapters\/([^/]+)\/(names\.ts$)?/;

export function readAgentWords(files: readonly SourceFile[]): AgentWords {
  const found = files.map((file) => ({ file, at: OF_AGENT.exec(file.path) }));
  const tables = found.filter(({ at }) => at?.[2] !== undefined).map(({ file }) => file);
  const texts = tables.flatMap((file) => file.words.filter(({ kind }) => kind === 'text').map(({ value }) => value));
  const capitalised = [...new Set(texts)].filter((text) => /^[A-Z][A-Za-z]+$/.test(text));
  const isCompound = (text: string): boolean => /[a-z][A-Z]/.test(text);
  return {
    distinctive: [...REPLY_WORDS, ...capitalised.filter(isCompound)],
    plain: capitalised.filter((text) => !isCompound(text)),
    agents: [...new Set(found.flatMap(({ at }) => at?.[1] ?? []))],
  };
}

export function agentWordIn(word: Word, { distinctive, plain }: AgentWords): string | undefined {
  if (word.kind === 'text' && plain.includes(word.value)) return word.value;
  return distinctive.find((each) => (word.kind === 'name' ? word.value === each : hasWord(word.value, each)));
}

export function agentNameIn(word: Word, { agents }: AgentWords): string | undefined {
  return agents.find((agent) => {
    if (word.kind === 'text' && word.value === agent) return true;
    const brand = agent.split('-')[0] ?? agent;
    return !EVERYDAY.has(brand) && new RegExp(brand, 'i').test(word.value);
  });
}

/** Most texts do not hold it at all, and are not worth an expression. */
function hasWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false;
  return new RegExp(`(?<![A-Za-z_])${word}(?![A-Za-z_])`).test(text);
}
