import { asPath, defineRule } from '../../engine/rule.ts';

/** Who writes each file, so that the message can name the command that does. */
const WRITERS: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm install',
  'npm-shrinkwrap.json': 'npm shrinkwrap',
  'yarn.lock': 'yarn install',
  'pnpm-lock.yaml': 'pnpm install',
  'bun.lock': 'bun install',
  'Cargo.lock': 'cargo update',
  'poetry.lock': 'poetry lock',
  'uv.lock': 'uv lock',
  'Gemfile.lock': 'bundle install',
  'composer.lock': 'composer update',
  'go.sum': 'go mod tidy',
};

export default defineRule({
  id: 'basics/generated-file',
  pack: 'basics',
  summary: 'Lock files are written by their package manager, not by hand.',
  on: [
    {
      event: 'tool.before',
      tool: ['write', 'edit'],
      paths: [
        'package-lock.json',
        'npm-shrinkwrap.json',
        'yarn.lock',
        'pnpm-lock.yaml',
        'bun.lock',
        'Cargo.lock',
        'poetry.lock',
        'uv.lock',
        'Gemfile.lock',
        'composer.lock',
        'go.sum',
      ],
    },
  ],
  mode: 'ask',
  guard: true,
  // A lock file written by hand is found and mended; nothing is lost while the rule fails.
  onError: 'pass',
  priority: 60,
  messages: {
    written:
      '{file} is written by `{command}`. A hand edit lasts until its next run.\nChange the manifest and run `{command}` instead.',
  },
  examples: {
    deny: [
      { tool: 'write', path: 'package-lock.json', new: '{}' },
      { tool: 'edit', path: 'crates/core/Cargo.lock', old: 'a', new: 'b' },
    ],
    pass: [
      { tool: 'edit', path: 'package.json', old: 'a', new: 'b' },
      { tool: 'write', path: 'docs/package-lock.json.md', new: 'About lock files' },
    ],
  },
  check(event, context) {
    for (const path of event.tool?.paths ?? []) {
      const file = path.slice(path.lastIndexOf('/') + 1);
      const command = WRITERS[file];
      if (command !== undefined) return context.deny('written', { file: asPath(file), command });
    }
    return context.pass('no lock file among the paths');
  },
});
