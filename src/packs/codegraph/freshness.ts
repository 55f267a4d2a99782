import { record } from '../../engine/rule.ts';

/** When code below the root of an index was last edited, by that root. */
export const EDITED = record<number>('codegraph.edited', { scope: 'workspace', ttl: '14d' });

/** What graphs read; a change elsewhere leaves an index as good as it was. */
export const CODE_GLOBS: readonly string[] = [
  ...['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs', '*.vue', '*.svelte', '*.astro'],
  ...['*.py', '*.pyi', '*.rb', '*.php', '*.pl', '*.lua', '*.ex', '*.exs', '*.erl', '*.clj', '*.jl', '*.r'],
  ...['*.go', '*.rs', '*.zig', '*.c', '*.h', '*.cc', '*.cpp', '*.cxx', '*.hh', '*.hpp', '*.m', '*.mm'],
  ...['*.java', '*.kt', '*.kts', '*.scala', '*.groovy', '*.cs', '*.fs', '*.swift', '*.dart', '*.hs', '*.ml', '*.sol'],
];
