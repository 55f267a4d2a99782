import * as v from 'valibot';
import { MODES } from '../../event/verdict.ts';
import { isPublicKey } from '../../platform/ed25519.ts';
import { sourceProblem } from '../../team/source.ts';
import { NAME_FORM, readPlace } from '../../team/state/settings.ts';
import type { TeamStateSettings } from '../../team/state/settings.ts';
import type { Config, PackConfig } from './settings.ts';
import type { Throttle } from '../../engine/rule.ts';
import { LOG_KINDS } from '../../telemetry/otlp/settings.ts';
import { suggest } from '../../user-rules/nearest-word.ts';
import { parseThrottle, THROTTLE_FORMS } from '../../user-rules/throttle-text.ts';

export type KeyPath = readonly string[];

export interface Finding {
  readonly path: KeyPath;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

const expected = (what: string) => (issue: { readonly input: unknown }) =>
  `expected ${what}, found ${describe(issue.input)}`;

function count(least: number) {
  const what = `a whole number from ${least}`;
  return v.custom<number>((input) => Number.isSafeInteger(input) && (input as number) >= least, expected(what));
}

function word<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, (issue) => {
    const hint = typeof issue.input === 'string' ? suggest(issue.input, words) : '';
    return `expected one of ${words.join(', ')}, found ${describe(issue.input)}${hint}`;
  });
}

/** A heading whose lines are all commented out reads as null and sets nothing. */
function map() {
  return v.pipe(
    v.unknown(),
    v.transform((input) => input ?? {}),
    v.check(isMap, expected('a map of settings')),
  );
}

function section<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(map(), v.object(entries));
}

const flag = v.boolean(expected('true or false'));
const options = v.pipe(map(), v.custom<Readonly<Record<string, unknown>>>(isMap));

/** YAML 1.1 reads a bare `off` as false, YAML 1.2 as text; people write it either way. */
const mode = v.pipe(
  v.unknown(),
  v.transform((input) => (input === false ? 'off' : input)),
  word(MODES),
);

const throttle = v.pipe(
  v.unknown(),
  v.check((input) => parseThrottle(input) !== undefined, expected(`a throttle: ${THROTTLE_FORMS}`)),
  v.transform((input) => parseThrottle(input) as Throttle),
);

const ruleEntries = {
  enabled: v.exactOptional(flag),
  mode: v.exactOptional(mode),
  throttle: v.exactOptional(throttle),
  priority: v.exactOptional(
    v.custom<number>(
      (input) => Number.isFinite(input) && (input as number) >= 0 && (input as number) <= 100,
      expected('a number from 0 to 100'),
    ),
  ),
  options: v.exactOptional(options),
};
const packEntries = { enabled: v.exactOptional(flag), mode: v.exactOptional(mode) };

/** `off`, `on` and mode words stand for a whole entry, so that a higher layer's word is not half undone by a lower one. */
function expandWord(input: unknown): unknown {
  if (input === false || input === 'off') return { enabled: false };
  if (input === true || input === 'on') return { enabled: true };
  if (typeof input === 'string') return { enabled: true, mode: input };
  return input;
}

const rule = v.pipe(v.unknown(), v.transform(expandWord), section(ruleEntries));
const pack = v.pipe(
  v.unknown(),
  v.transform(expandWord),
  map(),
  v.looseObject(packEntries),
  v.transform(({ enabled, mode: ceiling, ...rest }): PackConfig => ({
    ...(enabled === undefined ? {} : { enabled }),
    ...(ceiling === undefined ? {} : { mode: ceiling }),
    ...(Object.keys(rest).length === 0 ? {} : { options: rest }),
  })),
);

const packName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]*$/, 'expected the name of a pack'));
const ruleId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]*(?:\/[\w.-]+)+$/, 'expected a rule as pack/name'));

const attentionEntries = { event: optionalCount(0), turn: optionalCount(0), session: optionalCount(0) };
/** `off`, in either spelling of YAML, keeps none. */
const bodies = v.pipe(
  v.unknown(),
  v.transform((input) => (input === false || input === 'off' ? 0 : input)),
  count(0),
);
const ledgerEntries = { days: optionalCount(1), rows: optionalCount(0), bodies: v.exactOptional(bodies) };
const teamStateEntries = {
  url: v.string(expected('an address, as rediss://HOST:PORT')),
  name: v.exactOptional(
    v.pipe(v.string(expected('a name')), v.regex(NAME_FORM, 'expected a name of letters, digits, -, . and _')),
  ),
  person: v.exactOptional(
    v.pipe(v.string(expected('a name')), v.regex(NAME_FORM, 'expected a name of letters, digits, -, . and _')),
  ),
  user: v.exactOptional(v.string(expected('a text'))),
  passwordFile: v.exactOptional(v.string(expected('a path'))),
  ca: v.exactOptional(v.string(expected('a path'))),
  insecure: v.exactOptional(flag),
};
const problemOf = (settings: TeamStateSettings) => {
  const place = readPlace(settings);
  return 'problem' in place ? place.problem : undefined;
};
/** An address alone says enough. */
const teamState = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' ? { url: input } : input)),
  section(teamStateEntries),
  v.check(
    (settings) => problemOf(settings) === undefined,
    ({ input }) => problemOf(input) ?? '',
  ),
);
const stateEntries = { pruneDays: optionalCount(1), team: v.exactOptional(teamState) };
const daemonEntries = { idleSeconds: optionalCount(1) };
const breakerEntries = {
  failures: optionalCount(1),
  windowSeconds: optionalCount(1),
  recoverySeconds: optionalCount(1),
};

const undoEntries = {
  days: optionalCount(1),
  megabytes: optionalCount(1),
  copies: optionalCount(1),
  budgetMs: optionalCount(0),
  budgetMegabytes: optionalCount(0),
  exclude: v.exactOptional(v.array(v.string(expected('a glob')), expected('a list of globs'))),
};

const teamEntries = {
  policy: v.pipe(
    v.string(expected('a whole path or an address')),
    v.check((source) => sourceProblem(source) === undefined, expected('a whole path or an address of https')),
  ),
  keys: v.pipe(
    v.array(
      v.pipe(v.string(expected('a key')), v.check(isPublicKey, expected('a key, as ed25519:…'))),
      expected('a list of keys'),
    ),
    v.minLength(1, 'expected at least one key'),
  ),
  labels: v.exactOptional(v.array(v.string(expected('a label')), expected('a list of labels'))),
};
const text = v.string(expected('a text'));
/** YAML 1.1 reads a bare `off` as false. */
const logs = v.pipe(
  v.unknown(),
  v.transform((input) => (input === false ? 'off' : input)),
  word(LOG_KINDS),
);
const otlpEntries = {
  endpoint: v.exactOptional(text),
  headersFile: v.exactOptional(text),
  logs: v.exactOptional(logs),
  metrics: v.exactOptional(flag),
  bodies: v.exactOptional(flag),
  gzip: v.exactOptional(flag),
  insecure: v.exactOptional(flag),
  timeoutSeconds: optionalCount(1),
  intervalSeconds: optionalCount(1),
};
const telemetryEntries = { otlp: v.exactOptional(section(otlpEntries)) };

const configEntries = {
  packs: v.exactOptional(v.pipe(map(), v.record(packName, pack))),
  rules: v.exactOptional(v.pipe(map(), v.record(ruleId, rule))),
  attention: v.exactOptional(section(attentionEntries)),
  ledger: v.exactOptional(section(ledgerEntries)),
  state: v.exactOptional(section(stateEntries)),
  daemon: v.exactOptional(section(daemonEntries)),
  breaker: v.exactOptional(section(breakerEntries)),
  undo: v.exactOptional(section(undoEntries)),
  team: v.exactOptional(section(teamEntries)),
  telemetry: v.exactOptional(section(telemetryEntries)),
};
const config = section(configEntries);

function optionalCount(least: number) {
  return v.exactOptional(count(least));
}

/** Checks a parsed file. Unknown keys are left out of the config and warned about; a newer version may know them. */
export function validateConfig(value: unknown): { readonly config?: Config; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [...findUnsafe(value, []), ...findUnknownKeys(value)];
  const result = v.safeParse(config, value);
  for (const issue of result.issues ?? []) {
    const path = (issue.path ?? []).map(({ key }) => String(key));
    findings.push({ path, message: issue.message, severity: 'error' });
  }
  const valid = result.success && findings.every(({ severity }) => severity !== 'error');
  return valid ? { config: result.output satisfies Config, findings } : { findings };
}

function* findUnknownKeys(value: unknown): Generator<Finding> {
  yield* unknownIn(value, [], configEntries);
  yield* unknownIn(value, ['attention'], attentionEntries);
  yield* unknownIn(value, ['ledger'], ledgerEntries);
  yield* unknownIn(value, ['state'], stateEntries);
  yield* unknownIn(value, ['state', 'team'], teamStateEntries);
  yield* unknownIn(value, ['daemon'], daemonEntries);
  yield* unknownIn(value, ['breaker'], breakerEntries);
  yield* unknownIn(value, ['undo'], undoEntries);
  yield* unknownIn(value, ['team'], teamEntries);
  yield* unknownIn(value, ['telemetry'], telemetryEntries);
  yield* unknownIn(value, ['telemetry', 'otlp'], otlpEntries);
  const rules = isMap(value) ? value['rules'] : undefined;
  for (const id of isMap(rules) ? Object.keys(rules) : []) yield* unknownIn(value, ['rules', id], ruleEntries);
}

function* unknownIn(value: unknown, path: KeyPath, entries: Readonly<Record<string, unknown>>): Generator<Finding> {
  const found = path.reduce<unknown>((inner, key) => (isMap(inner) ? inner[key] : undefined), value);
  if (!isMap(found)) return;
  const known = Object.keys(entries);
  for (const key of Object.keys(found).filter((name) => !known.includes(name))) {
    yield { path: [...path, key], message: `unknown key${suggest(key, known)}`, severity: 'warning' };
  }
}

/** What JSON would change or JavaScript would take for something else must not get into the compiled layer. */
function* findUnsafe(value: unknown, path: KeyPath): Generator<Finding> {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    yield { path, message: 'expected a finite number', severity: 'error' };
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') yield { path: [...path, key], message: 'this key is not allowed', severity: 'error' };
    else yield* findUnsafe(inner, [...path, key]);
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value;
}
