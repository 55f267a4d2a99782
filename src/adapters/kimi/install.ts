import type { AgentEvent } from '../adapter.ts';
import type { Fields } from '../fields.ts';
import { isFields } from '../fields.ts';
import { hookLines } from '../hook-line.ts';
import type { Addition, Delivery, Installer, Kept, OwnEntry, SettingsProblem, SettingsReport } from '../installer.ts';
import type { Edit } from '../json-edit.ts';
import { addTables, cutTable, listNamed, makes, readToml, tablesNamed, textSpan } from '../toml-tables.ts';
import type { Span } from '../toml-tables.ts';
import { CHECKS, checkFields } from '../validate-hooks.ts';
import { AGENT, EVENTS, OTHER_EVENTS } from './names.ts';
import { PROMISES } from './promises.ts';
import { settingsPath } from './settings.ts';

const HOOKS = 'hooks';

const { wired, heard, lineFor, readOwn, mustBlock } = hookLines({
  agent: AGENT,
  events: EVENTS,
  file: '~/.kimi-code/config.toml',
  timeouts: {},
});

const { text, word } = CHECKS;
/** One that it cannot read makes the client leave all hooks out. */
const CHECKED = {
  event: word(...EVENTS.map(({ name }) => name), ...OTHER_EVENTS),
  command: (value: unknown) => (typeof value === 'string' && value !== '' ? undefined : 'must be a text'),
  matcher: text,
  timeout: (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 600
      ? undefined
      : 'must be a whole number of seconds from 1 to 600',
};

interface Entry {
  readonly fields: Fields;
  readonly own?: Pick<OwnEntry, 'words' | 'blocks'>;
}

function entriesIn(root: Fields): readonly Entry[] {
  const list = root[HOOKS];
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).map((item) => {
    const fields = isFields(item) ? item : {};
    const own = readOwn(fields['command']);
    return { fields, ...(own && { own }) };
  });
}

function read(source: string): SettingsReport {
  const toml = readToml(source);
  if ('problem' in toml) return { problems: [toml.problem], own: [], foreign: 0, others: [], switches: [] };
  const entries = entriesIn(toml.root);
  const others = entries.filter(({ own }) => own === undefined).map(({ fields }) => fields['command']);
  return {
    problems: problemsIn(toml.root),
    own: entries.flatMap(({ fields, own }, at): OwnEntry[] => {
      const { event, matcher } = fields;
      if (!own || typeof event !== 'string') return [];
      const narrowed = typeof matcher === 'string' && !/^(?:\.\*)?$/.test(matcher);
      const how = narrowed ? { narrowed: [{ setting: 'matcher', value: matcher }] } : {};
      return [{ event, path: `${HOOKS}.${at}`, ...own, ...how }];
    }),
    foreign: others.length,
    others: others.filter((command) => typeof command === 'string'),
    switches: [],
  };
}

function problemsIn({ [HOOKS]: list = [] }: Fields): readonly SettingsProblem[] {
  if (!Array.isArray(list)) return [{ path: HOOKS, message: 'must be a list of tables', disables: 'file' }];
  return (list as readonly unknown[]).flatMap((item, at) => {
    const path = `${HOOKS}.${at}`;
    if (!isFields(item)) return { path, message: 'must be a table', disables: 'file' };
    const found = [...checkFields({ event: '', command: '', ...item }, CHECKED, path)];
    const unknown = Object.keys(item).filter((key) => !Object.hasOwn(CHECKED, key));
    return [...found, ...unknown.map((key) => ({ path: `${path}.${key}`, message: 'is not known here' }))].map(
      (each): SettingsProblem => ({ ...each, disables: 'file' }),
    );
  });
}

const REFUSAL = '"hooks" stands in it in a form that is not changed here. Write its entries as [[hooks]] tables';

function add(source: string, delivery: Delivery): Addition {
  const toml = readToml(source);
  if ('problem' in toml) return { refusal: toml.problem.message };
  const spans = tablesNamed(source, HOOKS);
  const asked = heard(delivery);
  const edits: Edit[] = [];
  const wanted: Fields[] = [];
  const there = new Set<string>();
  for (const [at, { fields, own }] of entriesIn(toml.root).entries()) {
    const event = own && wired.find(({ name }) => name === fields['event']);
    const span = spans[at] ?? { start: 0, end: 0 };
    if (!event) wanted.push(fields);
    else if (!asked.includes(event)) edits.push(cutTable(source, span));
    else {
      const { edit, now } = redirected(source, span, fields, event, delivery);
      there.add(event.name);
      wanted.push(now);
      edits.push(...edit);
    }
  }
  const missing = asked.filter(({ name }) => !there.has(name)).map((event) => entryFor(event, delivery));
  if (missing.length > 0) edits.push(addTables(source, HOOKS, missing));
  if (!makes(source, edits, HOOKS, [...wanted, ...missing])) return { refusal: REFUSAL };
  const isOpen = missing.length > 0 && source !== '' && !source.endsWith('\n');
  return { edits, kept: isOpen ? { [END]: '' } : {} };
}

function entryFor(event: AgentEvent, delivery: Delivery): Fields {
  const { command, seconds } = lineFor(event, delivery);
  return { event: event.name, command, timeout: seconds };
}

/** The limit that a person has set stays, and all else. */
function redirected(source: string, span: Span, fields: Fields, event: AgentEvent, delivery: Delivery) {
  const { timeout, command: was } = fields;
  const { command } = lineFor(event, delivery, typeof timeout === 'number' ? timeout : undefined);
  const place = command === was ? undefined : textSpan(source, span, 'command');
  const edit = place
    ? [{ at: place.start, removed: source.slice(place.start, place.end), inserted: JSON.stringify(command) }]
    : [];
  return { edit, now: { ...fields, command } };
}

/** Where a file had no end of its last line. */
const END = 'end';

function remove(source: string, kept: Kept): readonly Edit[] {
  const toml = readToml(source);
  if ('problem' in toml) return [];
  const spans = tablesNamed(source, HOOKS);
  const entries = entriesIn(toml.root);
  const gone = spans.filter((_, at) => entries[at]?.own !== undefined);
  const edits = gone.map((span) => cutTable(source, span));
  if (kept[END] !== undefined) takeEnd(source, edits);
  const left = entries.filter(({ own }) => own === undefined).map(({ fields }) => fields);
  if (makes(source, edits, HOOKS, left)) return edits;
  // Somebody has written our entries in another form; what is not ours becomes tables.
  const list = listNamed(source, HOOKS);
  if (!list) return [];
  const cut = { at: list.start, removed: source.slice(list.start, list.end), inserted: '' };
  const anew = left.length === 0 ? [cut] : [cut, addTables(source, HOOKS, left)];
  return makes(source, anew, HOOKS, left) ? anew : [];
}

/** With what stands at the end goes the end of the line before it, which was made for that. */
function takeEnd(source: string, edits: Edit[]): void {
  let end = source.length;
  const first = edits.findLastIndex(({ at, removed }) => {
    if (at + removed.length !== end) return true;
    end = at;
    return false;
  });
  const edit = edits[first + 1];
  const lead = /\r?\n$/.exec(source.slice(0, end))?.[0] ?? '';
  if (edit) edits[first + 1] = { at: end - lead.length, removed: lead + edit.removed, inserted: '' };
}

export const kimiInstaller: Installer = {
  agent: AGENT,
  wired,
  read,
  mustBlock,
  add,
  remove,
  promises: PROMISES,
  settingsPath,
  reach: () => 'all your sessions, in every project',
  policyPaths: () => [],
};
