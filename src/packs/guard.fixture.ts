import { BUILT_IN } from './index.generated.ts';
import { AGENT_SETTINGS } from '../adapters/registry.ts';
import { effectsOf } from '../effects/effects.ts';
import type { Surroundings } from '../effects/scene.ts';
import { writeCareful } from '../engine/careful/book.ts';
import { marksOf } from '../engine/session/marks.ts';
import { NOW, ROOT, send, testEngine, toolEvent } from '../engine/engine.fixture.ts';
import type { TestEngine } from '../engine/engine.fixture.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import type { Event, ToolCall } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import { Draft } from '../state/draft.ts';

const SURROUNDINGS: Surroundings = {
  cwd: ROOT,
  home: '/home/dev',
  root: ROOT,
  agentSettings: AGENT_SETTINGS.files,
  agentCode: AGENT_SETTINGS.code,
  settingsWords: AGENT_SETTINGS.words,
  wordsOfFiles: AGENT_SETTINGS.wordsOfFiles,
  agentPrograms: AGENT_SETTINGS.programs,
  ownDirs: ['/home/dev/.config/fairlead', '/home/dev/.local/state/fairlead'],
};

export interface GuardWorld {
  readonly careful?: boolean;
  /** What is on disk, by path; from the root unless absolute. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of them, those by which an agent calls us. */
  readonly wired?: readonly string[];
  /** Options by rule id. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Only these rules. */
  readonly rules?: readonly string[];
}

/** An engine with the whole pack as a home that nobody configured runs it. */
export function guardEngine({
  careful = false,
  files = {},
  wired = [],
  options = {},
  rules,
}: GuardWorld = {}): TestEngine {
  const active = BUILT_IN.filter(({ meta }) => meta.pack === 'guard' && (rules?.includes(meta.id) ?? true)).map(
    ({ meta, load }): ActiveRule => ({
      meta,
      mode: meta.mode ?? 'advise',
      options: { ...meta.options, ...options[meta.id] },
      source: 'test',
      load,
    }),
  );
  const texts = new Map(Object.entries(files).map(([path, text]) => [absolute(path), text]));
  const bare = testEngine(active);
  const engine = Object.assign(bare, {
    files: { ...bare.files, readText: (path: string) => texts.get(path) },
    effectsOf: (event: Event) => {
      const readText = (path: string) => texts.get(path);
      return effectsOf(event, {
        ...SURROUNDINGS,
        cwd: event.cwd,
        readText,
        disk: readText,
        wired: () => wired.map(absolute),
        marks: marksOf(event, engine.store),
      });
    },
  });
  if (careful) {
    const draft = new Draft(engine.store, NOW);
    writeCareful(draft, { on: { [ROOT]: { since: NOW, by: 'user' } } });
    engine.store.commit({ reads: new Map(), changes: draft.changes, now: NOW });
  }
  return engine;
}

let calls = 0;

/** Every call has an id of its own, as in an agent; without one, a second call would count as a copy of the first. */
export function shell(command: string, more: Partial<ToolCall> = {}): Event {
  return toolEvent({ command, input: { command }, id: `call-${(calls += 1)}`, ...more });
}

export function write(path: string, text: string): Event {
  const full = absolute(path);
  const edits = [{ path: full, operation: 'write', new: text }] as const;
  return toolEvent({
    kind: 'write',
    name: 'write',
    id: `call-${(calls += 1)}`,
    paths: [full],
    edits,
    input: { path, text },
  });
}

export function edit(path: string, before: string, after: string): Event {
  const full = absolute(path);
  const edits = [{ path: full, operation: 'replace', old: before, new: after }] as const;
  return toolEvent({
    kind: 'edit',
    name: 'edit',
    id: `call-${(calls += 1)}`,
    paths: [full],
    edits,
    input: { path, before, after },
  });
}

export function read(path: string): Event {
  return toolEvent({
    kind: 'read',
    name: 'read',
    id: `call-${(calls += 1)}`,
    paths: [absolute(path)],
    input: { path },
  });
}

/** The action and the rules behind it, or who left a note: `ask guard/git`, `note guard/cloud`, `pass`. */
export async function judge(event: Event | string, world: GuardWorld = {}): Promise<string> {
  return describe(await send(guardEngine(world), typeof event === 'string' ? shell(event) : event));
}

export function describe({ action, by, notes }: Decision): string {
  if (action !== 'pass') return [action, ...by].join(' ');
  return notes.length > 0 ? ['note', ...notes.map(({ rule }) => rule)].join(' ') : 'pass';
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `${ROOT}/${path}`;
}
