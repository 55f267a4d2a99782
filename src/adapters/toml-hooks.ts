import type { AgentEvent } from './adapter.ts';
import type { Fields } from './fields.ts';
import { isFields } from './fields.ts';
import { hookLines } from './hook-line.ts';
import type { HookLines, LineSpec } from './hook-line.ts';
import type { Addition, Delivery, Installer, Kept, OwnEntry, SettingsProblem, SettingsReport } from './installer.ts';
import type { Edit } from './json-edit.ts';
import { addTables, cutTable, listNamed, makes, readToml, tablesNamed, textSpan } from './toml-tables.ts';
import type { Span } from './toml-tables.ts';
import { checkFields } from './validate-hooks.ts';
import type { Checks } from './validate-hooks.ts';

/** An agent that keeps its hooks in TOML, as a list of tables with `event`, `matcher`, `command` and `timeout` in seconds. */
export interface TomlHooks extends LineSpec {
  /** What the list is called. */
  readonly list: string;
  /** All that an entry may hold. One that is wrong makes the agent leave all hooks out. */
  readonly checks: Checks;
}

type Form = TomlHooks & HookLines;

export function tomlInstaller(
  spec: TomlHooks,
): Pick<Installer, 'agent' | 'wired' | 'read' | 'mustBlock' | 'add' | 'remove'> {
  const form: Form = { ...spec, ...hookLines(spec) };
  return {
    agent: spec.agent,
    wired: form.wired,
    mustBlock: form.mustBlock,
    read: (source) => read(source, form),
    add: (source, delivery) => add(source, delivery, form),
    remove: (source, kept) => remove(source, kept, form),
  };
}

interface Entry {
  readonly fields: Fields;
  readonly own?: Pick<OwnEntry, 'words' | 'blocks'>;
}

function entriesIn(root: Fields, { list, readOwn }: Form): readonly Entry[] {
  const items = root[list];
  return (Array.isArray(items) ? (items as readonly unknown[]) : []).map((item) => {
    const fields = isFields(item) ? item : {};
    const own = readOwn(fields['command']);
    return { fields, ...(own && { own }) };
  });
}

function read(source: string, form: Form): SettingsReport {
  const toml = readToml(source);
  if ('problem' in toml) return { problems: [toml.problem], own: [], foreign: 0, others: [], switches: [] };
  const entries = entriesIn(toml.root, form);
  const others = entries.filter(({ own }) => own === undefined).map(({ fields }) => fields['command']);
  return {
    problems: problemsIn(toml.root, form),
    own: entries.flatMap(({ fields, own }, at): OwnEntry[] => {
      const { event, matcher } = fields;
      if (!own || typeof event !== 'string') return [];
      const narrowed = typeof matcher === 'string' && !/^(?:\.\*)?$/.test(matcher);
      const how = narrowed ? { narrowed: [{ setting: 'matcher', value: matcher }] } : {};
      return [{ event, path: `${form.list}.${at}`, ...own, ...how }];
    }),
    foreign: others.length,
    others: others.filter((command) => typeof command === 'string'),
    switches: [],
  };
}

function problemsIn(root: Fields, { list, checks }: Form): readonly SettingsProblem[] {
  const items = root[list] ?? [];
  if (!Array.isArray(items)) return [{ path: list, message: 'must be a list of tables', disables: 'file' }];
  return (items as readonly unknown[]).flatMap((item, at) => {
    const path = `${list}.${at}`;
    if (!isFields(item)) return { path, message: 'must be a table', disables: 'file' };
    const found = [...checkFields({ event: '', command: '', ...item }, checks, path)];
    const unknown = Object.keys(item).filter((key) => !Object.hasOwn(checks, key));
    return [...found, ...unknown.map((key) => ({ path: `${path}.${key}`, message: 'is not known here' }))].map(
      (each): SettingsProblem => ({ ...each, disables: 'file' }),
    );
  });
}

function add(source: string, delivery: Delivery, form: Form): Addition {
  const { list, wired } = form;
  const toml = readToml(source);
  if ('problem' in toml) return { refusal: toml.problem.message };
  const spans = tablesNamed(source, list);
  const asked = form.heard(delivery);
  const edits: Edit[] = [];
  const wanted: Fields[] = [];
  const there = new Set<string>();
  for (const [at, { fields, own }] of entriesIn(toml.root, form).entries()) {
    const event = own && wired.find(({ name }) => name === fields['event']);
    const span = spans[at] ?? { start: 0, end: 0 };
    if (!event) wanted.push(fields);
    else if (!asked.includes(event)) edits.push(cutTable(source, span));
    else {
      const { edit, now } = redirected(source, span, fields, form.lineFor(event, delivery, secondsIn(fields)).command);
      there.add(event.name);
      wanted.push(now);
      edits.push(...edit);
    }
  }
  const missing = asked.filter(({ name }) => !there.has(name)).map((event) => entryFor(event, delivery, form));
  if (missing.length > 0) edits.push(addTables(source, list, missing));
  if (!makes(source, edits, list, [...wanted, ...missing])) {
    return {
      refusal: `"${list}" stands in it in a form that is not changed here. Write its entries as [[${list}]] tables`,
    };
  }
  const isOpen = missing.length > 0 && source !== '' && !source.endsWith('\n');
  return { edits, kept: isOpen ? { [END]: '' } : {} };
}

function entryFor(event: AgentEvent, delivery: Delivery, { lineFor }: Form): Fields {
  const { command, seconds } = lineFor(event, delivery);
  return { event: event.name, command, timeout: seconds };
}

/** The limit that a person has set stays, and all else. */
const secondsIn = ({ timeout }: Fields): number | undefined => (typeof timeout === 'number' ? timeout : undefined);

function redirected(source: string, span: Span, fields: Fields, command: string) {
  const place = command === fields['command'] ? undefined : textSpan(source, span, 'command');
  const edit = place
    ? [{ at: place.start, removed: source.slice(place.start, place.end), inserted: JSON.stringify(command) }]
    : [];
  return { edit, now: { ...fields, command } };
}

/** Where a file had no end of its last line. */
const END = 'end';

function remove(source: string, kept: Kept, form: Form): readonly Edit[] {
  const { list } = form;
  const toml = readToml(source);
  if ('problem' in toml) return [];
  const spans = tablesNamed(source, list);
  const entries = entriesIn(toml.root, form);
  const gone = spans.filter((_, at) => entries[at]?.own !== undefined);
  const edits = gone.map((span) => cutTable(source, span));
  if (kept[END] !== undefined) takeEnd(source, edits);
  const left = entries.filter(({ own }) => own === undefined).map(({ fields }) => fields);
  if (makes(source, edits, list, left)) return edits;
  // Somebody has written our entries in another form; what is not ours becomes tables.
  const value = listNamed(source, list);
  if (!value) return [];
  const cut = { at: value.start, removed: source.slice(value.start, value.end), inserted: '' };
  const anew = left.length === 0 ? [cut] : [cut, addTables(source, list, left)];
  return makes(source, anew, list, left) ? anew : [];
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
