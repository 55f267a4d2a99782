import { INDEX_END, INDEX_START } from './entries.ts';
import type { ContextFile } from './files.ts';

/** What a new project starts with: where each kind of knowledge goes, and room for it. */
export const STARTERS: Readonly<Record<ContextFile, string>> = {
  'CONSTITUTION.md': `# Constitution

Rules that hold whatever the task is. Keep them few, so that each is read and none is bent.

- Secrets stay out of the repository, its history and its logs.
- A change is finished when the checks of this project pass.
- Work that cannot be taken back is agreed on with the person first.
`,
  'TASKS.md': `# Tasks

Open work, most urgent first. One box per outcome; tick it in the change that brings the outcome about.

## Now

- [ ] Describe this project in ARCHITECTURE.md

## Later
`,
  'CONVENTIONS.md': `# Conventions

How code and texts are written here, where a newcomer could not tell from the code next to it.

## Names

## Structure

## Tests
`,
  'ARCHITECTURE.md': `# Architecture

The parts of this project and how they work together. After a refresh: \`fairlead context map done\`.

## Parts

| part | what it does | where |
|---|---|---|

## The way of a request

## What may not depend on what
`,
  'DECISIONS.md': `# Decisions

Choices that would be expensive to undo, and why they were made. A new one: \`fairlead context add decision "<title>"\`.

${INDEX_START}
${INDEX_END}
`,
  'LEARNINGS.md': `# Learnings

What surprised us once and need not again. A new one: \`fairlead context add learning "<title>"\`.

${INDEX_START}
${INDEX_END}
`,
  'GLOSSARY.md': `# Glossary

Words that mean something particular here. One word per idea.

| word | meaning |
|---|---|
`,
  'AGENT_PLAYBOOK.md': `# Agent playbook

How an agent works in this project.

- Begin with \`fairlead context remember\`: open tasks, newest decisions, the last journal entry.
- Write down a decision or a lesson when it is made, not at the end.
- Tick a task in TASKS.md together with the change that finishes it.
- Before the end, or when the window fills up: \`fairlead context wrap-up\`.

## Commands of this project

| for | command |
|---|---|
| build | |
| test | |
`,
};
