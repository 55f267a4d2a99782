/** Two boxes made by hand. */
export const B = `┌───────┐     ┌───────┐
│ Alpha │ ──> │ Beta  │
└───────┘     └───────┘`;

export const OTHER = `┌─────────┐
│ Gateway │
└────┬────┘
     │
┌────┴────┐
│ Storage │
└─────────┘`;

export const TREE = `src
├── engine
│   ├── rule.ts
│   ├── glob.ts
│   └── words.ts
├── state
│   ├── cell.ts
│   └── store.ts
├── shell
│   └── read.ts
└── handle.ts`;

/** What \`graph-easy --as=boxart\` prints for \`[ Bonn ] -> [ Berlin ] -> [ Dresden ]\`. */
export const PRINTED = `┌──────┐     ┌────────┐     ┌─────────┐
│ Bonn │ ──> │ Berlin │ ──> │ Dresden │
└──────┘     └────────┘     └─────────┘`;

export const PANEL = `╭──────────────────────╮
│ 12 passed, 1 failed  │
╰──────────────────────╯`;

export function source(tool = 'graph-easy', body = '[ Alpha ] -> [ Beta ]'): string {
  return `<details>\n<summary>${tool} source</summary>\n\n\`\`\`\n${body}\n\`\`\`\n\n</details>`;
}

/** A page with these parts, each a block of its own. */
export function page(...parts: readonly string[]): string {
  return `# Page\n\n${parts.map((part) => (/[─│]/.test(part) && !part.startsWith('<') && !part.includes('```') ? `\`\`\`\n${part}\n\`\`\`` : part)).join('\n\n')}\n`;
}
