import type { Problem } from '../../user-rules/problem.ts';
import { readYaml } from './parse.ts';
import { validateConfig } from './schema.ts';
import type { Config, Options } from './settings.ts';
import { mergeOptions } from './settings.ts';

/** Which option of the context pack a key of `.ctxrc` stands for, and what it has to be. */
const OPTIONS: Readonly<Record<string, readonly [option: string, kind: keyof typeof KINDS]>> = {
  task_nudge_interval: ['task.interval', 'number'],
  injection_token_warn: ['load.injection_token_warn', 'number'],
  billing_token_warn: ['billing_token_warn', 'number'],
  context_window: ['window.size', 'number'],
  entry_count_decisions: ['knowledge.decisions_max', 'number'],
  entry_count_learnings: ['knowledge.learnings_max', 'number'],
  convention_line_count: ['knowledge.conventions_max_lines', 'number'],
  freshness_files: ['freshness.files', 'list'],
  // The older place of the key below it, which counts where both are set.
  'notify.key_rotation_days': ['notify.key_rotation_days', 'number'],
  key_rotation_days: ['notify.key_rotation_days', 'number'],
  key_path: ['notify.key_path', 'text'],
  event_log: ['event_log', 'switch'],
  'notify.events': ['notify.events', 'list'],
  auto_prune_days: ['prune_days', 'number'],
};

const KINDS = {
  number: { is: Number.isFinite, called: 'a number' },
  text: { is: (value: unknown) => typeof value === 'string', called: 'text' },
  switch: { is: (value: unknown) => typeof value === 'boolean', called: 'true or false' },
  list: { is: Array.isArray, called: 'a list' },
};

export interface CtxSettings {
  /** For the layer below all others; it never switches the pack on. Absent when the file cannot be read. */
  readonly config?: Config;
  /** Where there is a config nonetheless, each is about one setting, which is left out. */
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
  const known = Object.entries(OPTIONS).filter(([key]) => given.has(key));
  const unfit = known.filter(([key, [, kind]]) => !KINDS[kind].is(given.get(key)));
  const fit = known.filter((each) => !unfit.includes(each));
  const options = fit.reduce((all, [key, [option]]) => mergeOptions(all, nest(option, given.get(key))), {});
  const { config, findings } = validateConfig({ packs: { context: options } });
  if (!config) return fail(findings[0]?.message ?? 'cannot be used');
  return {
    config,
    problems: unfit.map(([key, [, kind]]) => ({
      ...{ file, line: document.lineOf(key.split('.')), key },
      ...{ message: `${key} has to be ${KINDS[kind].called}`, severity: 'warning' },
    })),
    read: fit.map(([key]) => key),
    ignored: [...given.keys()].filter((key) => !Object.hasOwn(OPTIONS, key)),
  };
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
