import type { Problem } from '../../user-rules/problem.ts';
import { readYaml } from './parse.ts';
import { validateConfig } from './schema.ts';
import type { Config, Options } from './settings.ts';
import { mergeOptions } from './settings.ts';

/** Which option of the context pack a key of `.ctxrc` stands for. */
const OPTIONS: Readonly<Record<string, string>> = {
  task_nudge_interval: 'task.interval',
  injection_token_warn: 'load.injection_token_warn',
  billing_token_warn: 'billing_token_warn',
  context_window: 'window.size',
  entry_count_decisions: 'knowledge.decisions_max',
  entry_count_learnings: 'knowledge.learnings_max',
  convention_line_count: 'knowledge.conventions_max_lines',
  freshness_files: 'freshness.files',
  // The older place of the key below it, which counts where both are set.
  'notify.key_rotation_days': 'notify.key_rotation_days',
  key_rotation_days: 'notify.key_rotation_days',
  key_path: 'notify.key_path',
  event_log: 'event_log',
  'notify.events': 'notify.events',
  auto_prune_days: 'prune_days',
};

export interface CtxSettings {
  /** For the layer below all others; it never switches the pack on. Absent when the file cannot be read. */
  readonly config?: Config;
  readonly problems: readonly Problem[];
  readonly read: readonly string[];
  /** Keys that have no meaning here. */
  readonly ignored: readonly string[];
}

export function parseCtxrc(text: string, file: string): CtxSettings {
  const none = { read: [], ignored: [] };
  const { value, document, problems } = readYaml(text, file);
  if (!document) return { ...none, problems: problems.map((problem) => ({ ...problem, severity: 'warning' })) };
  const fail = (message: string): CtxSettings => ({
    ...none,
    problems: [{ file, line: 1, key: '', message, severity: 'warning' }],
  });
  if (value !== null && value !== undefined && !isMap(value)) return fail('expected a map of settings');
  const given = flatten(value ?? {});
  const read = Object.keys(OPTIONS).filter((key) => given.has(key));
  const options = read.reduce((all, key) => mergeOptions(all, nest(OPTIONS[key] as string, given.get(key))), {});
  const { config, findings } = validateConfig({ packs: { context: options } });
  if (!config) return fail(findings[0]?.message ?? 'cannot be used');
  return { config, problems: [], read, ignored: [...given.keys()].filter((key) => !read.includes(key)) };
}

/** Keys of the file, those of `notify` with its name before them. A key without a value sets nothing. */
function flatten(value: Options): ReadonlyMap<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, inner]) =>
    key === 'notify' && isMap(inner)
      ? Object.entries(inner).map(([name, each]) => [`notify.${name}`, each] as const)
      : [[key, inner] as const],
  );
  return new Map(entries.filter(([, inner]) => inner !== null));
}

function nest(path: string, value: unknown): Options {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length === 0 ? value : nest(rest.join('.'), value) };
}

function isMap(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
