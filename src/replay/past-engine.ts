import { openWorkspaces } from '../assembly/open-workspaces.ts';
import { surroundingsIn } from '../assembly/surroundings.ts';
import { createEffects } from '../effects/effects.ts';
import type { Engine, Place } from '../engine/engine.ts';
import type { ActiveRule, RuleIndex } from '../engine/match/rule-index.ts';
import { marksOf } from '../engine/session/marks.ts';
import { NO_SETUP } from '../event/agent-setup.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { systemClock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';
import { systemOutside } from '../platform/outside.ts';
import type { HomePaths } from '../platform/paths.ts';
import type { Store } from '../state/store.ts';
import type { Past } from './past.ts';
import type { RuleGraph, RuleWorkspace } from '../engine/rule.ts';

/** A workspace that tells of the past what it is called and where it lies, and nothing else. */
class WorkspaceThen implements RuleWorkspace {
  readonly #today: RuleWorkspace;
  readonly #past: Past;

  constructor(today: RuleWorkspace, past: Past) {
    this.#today = today;
    this.#past = past;
  }

  get root(): string {
    return this.#today.root;
  }
  get repository(): string {
    return this.#today.repository;
  }
  get home(): string {
    return this.#today.home;
  }
  get markerBacked(): boolean {
    return this.#today.markerBacked;
  }
  get isTrusted(): boolean {
    return this.#today.isTrusted;
  }
  get graph(): RuleGraph | undefined {
    return undefined;
  }
  /** Which packs have files in the project is a part of its settings. */
  get nearest(): RuleWorkspace['nearest'] {
    return this.#today.nearest;
  }
  get relative(): RuleWorkspace['relative'] {
    return this.#today.relative;
  }
  get nameOf(): RuleWorkspace['nameOf'] {
    return this.#today.nameOf;
  }
  get isIgnored(): RuleWorkspace['isIgnored'] {
    return (path) => {
      this.#past.miss('whether git ignored a file', path);
      return false;
    };
  }
  get hasProgram(): RuleWorkspace['hasProgram'] {
    return (name) => {
      this.#past.miss('whether a program was installed', name);
      return false;
    };
  }
  get variable(): RuleWorkspace['variable'] {
    return (name) => {
      this.#past.miss('a variable of the environment', name);
      return undefined;
    };
  }
}

export interface PastEngineParts {
  readonly paths: HomePaths;
  readonly userHome: string;
  /** What settings and the places of projects are read with. */
  readonly files: Files;
  readonly past: Past;
  readonly store: Store;
  readonly record: Ledger['record'];
  now(): number;
  onFailure(what: string, error: unknown): void;
}

/**
 * What a rule only keeps in mind makes no difference to the decision: it is not asked, so that nothing is missing. What it
 * would have kept is about changes of settings, of which no transcript tells.
 */
function indexThen(index: RuleIndex): RuleIndex {
  return {
    ...index,
    select(event, rootOf, effects) {
      const selected = index.select(event, rootOf, effects);
      const isSilent = ({ meta: { remembersOn } }: ActiveRule) => remembersOn?.includes(event.name) === true;
      return selected.some(isSilent) ? selected.filter((rule) => !isSilent(rule)) : selected;
    },
  };
}

/** The engine that answers events, with today's settings; whatever else it looks at is the past. */
export function createPastEngine(parts: PastEngineParts): Engine {
  const { paths, userHome, files, past, store, record, now, onFailure } = parts;
  const workspaces = openWorkspaces({
    paths,
    userHome,
    resident: false,
    files,
    graphs: undefined,
    // The settings stay as they are for as long as a replay takes.
    now: () => 0,
    variable: () => undefined,
  });
  const around = surroundingsIn(paths, {
    realPath: (path) => path,
    readText: past.contents,
    script: past.contents,
    program: systemOutside.program.dir,
  });
  const effectsOf = createEffects();
  const indexes = new WeakMap<RuleIndex, RuleIndex>();
  const indexOf = (today: RuleIndex): RuleIndex => {
    const then = indexes.get(today) ?? indexThen(today);
    indexes.set(today, then);
    return then;
  };
  const inPast = (place: Place): Place => {
    const { weakened: _, ...policy } = place.policy;
    return {
      ...place,
      // What the person is told of the installation is about today.
      policy: { ...policy, index: indexOf(policy.index), notices: [] },
      workspace: new WorkspaceThen(place.workspace, past),
      atCwd: (entry) => new WorkspaceThen(place.atCwd(entry), past),
    };
  };
  let ids = 0;
  return {
    clock: { ...systemClock, now },
    files: past.files,
    store,
    ledger: { nextId: () => (ids += 1).toString(36), record, relay() {}, flush() {} },
    locate(event, project) {
      const place = workspaces.locate(event, project);
      return place instanceof Promise ? place.then(inPast) : inPast(place);
    },
    effectsOf(event, { root, workspace: { home } }) {
      const { isOwn: _, ...surroundings } = around(event, { root, home }, marksOf(event, store));
      return effectsOf(event, surroundings);
    },
    keep: past.keep,
    setupOf() {
      past.miss('what the agent was set up with');
      return NO_SETUP;
    },
    isOwnWrite: () => false,
    seal: sha256,
    facts: past.facts,
    isOff: () => false,
    onFailure,
  };
}
