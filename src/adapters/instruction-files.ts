/** Names of the files, in any directory of a project, in which people instruct agents. Some agents read those of others. */
export const INSTRUCTION_NAMES: readonly string[] = [
  'AGENTS.md',
  'AGENT.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  'QWEN.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
];

/** Files that lie at one place of a project. */
export const INSTRUCTION_PATHS: readonly string[] = ['.github/copilot-instructions.md', '.claude/CLAUDE.md'];

/** Directories of a project whose files with these endings are all instructions. */
export const INSTRUCTION_DIRS: readonly (readonly [dir: string, ending: RegExp])[] = [
  ['.claude/rules', /\.md$/],
  ['.cursor/rules', /\.mdc?$/],
  ['.github/instructions', /\.instructions\.md$/],
  ['.windsurf/rules', /\.md$/],
];

/** What such a file says of another that it takes in: `@docs/rules.md`. */
export const IMPORT = /(?:^|\s)@((?:\.{1,2}\/|\/)?[\w][\w./-]*\.\w+)/g;

/** How such files call their reader. */
export const READERS =
  'claude(?: code)?|codex|gemini|copilot|cursor|qwen|agents?|the agent|assistants?|ai(?: agents?| assistants?)?';
