import type { Numbers } from '../telemetry/numbers.ts';
import type { DaemonStatus } from '../transport/status.ts';
import type { CliWorld } from './command.ts';
import type { Section } from './doctor/report.ts';
import type { KnownRules } from './known-rules.ts';
import type { PackView } from './page/shapes.ts';

/** A part of a pack for the command line, a file in its `cli/`; loaded when it is needed. */
export interface PackPart<T> {
  readonly pack: string;
  load(): Promise<T>;
}

/** What a pack exports as `doctor` from its `cli/doctor.ts`. */
export interface PackDoctor {
  /** Sections of packs come in this order. */
  readonly order: number;
  /** What the pack stands on here; nothing where it is off. */
  check(known: KnownRules, status: DaemonStatus | undefined, world: CliWorld): Section[];
}

/** What a pack exports as `setup` from its `cli/setup.ts`: what it has to say when it may be switched on, or trusted. */
export interface PackSetup {
  /** What a project has for the pack; undefined where that is nothing. */
  found(root: string, world: CliWorld): Found | undefined;
  /** The directory whose text agents would be given at the working directory, and the workspace it belongs to. */
  textAt?(world: CliWorld): { readonly dir: string; readonly workspace: string } | undefined;
}

interface Found {
  /** What there is, in a few words: `.context (3 files)`. */
  readonly what: string;
  /** One line on what the pack would do with it. */
  readonly suggestion: string;
  /** What there is and what would become of it. A pack that has this is asked about. */
  readonly report?: readonly string[];
}

/** What a pack exports as `statusline` from its `cli/statusline.ts`. */
export interface PackStatus {
  /** What it has to show of a session that works in these directories. Nothing is written, and while all is off nothing opened. */
  at(dirs: readonly string[], now: number, world: CliWorld, isOff: boolean): Promise<StatusPart | undefined>;
}

/** A part of the agent's status line, and how the whole is to look where this pack is used. */
export interface StatusPart {
  /** In so many columns, if it can be said in them. */
  readonly text?: (columns: number) => string;
  readonly ascii?: boolean;
  readonly showContext?: boolean;
}

/** What `fairlead stats <pack>` knows of a pack. */
export interface ViewData {
  readonly pack: string;
  /** As the person gave it: `24h`. */
  readonly span: string;
  readonly since: number;
  readonly now: number;
  /** One workspace; absent when all of them are summed. */
  readonly root?: string;
  readonly numbers: Numbers;
  /** Cells of this name: those of the person, or of the workspace that is shown; several may have the same key. */
  cells(scope: 'user' | 'workspace', name: string): readonly { readonly key: string; readonly value: unknown }[];
  readonly screen: Pick<CliWorld, 'colour' | 'columns'>;
}

/** How a pack shows what it counted: what it exports as `stats` from its `cli/stats.ts`. */
export interface StatsView {
  /** Numbers are kept where such entries are: those of the project at hand and below it are shown together. */
  readonly rootAt?: (world: CliWorld) => string | undefined;
  /** Ends with a line break. */
  show(data: ViewData): string;
  /** For `--json`, what the numbers alone do not tell. */
  facts?(data: ViewData): Readonly<Record<string, unknown>>;
}

/** What a pack exports as `page` from its `cli/page.ts`: a view of its own on the page, where the pack is on. */
export interface PackPage {
  /** Views of packs come in this order. */
  readonly order: number;
  readonly title: string;
  /** What it has of the project at hand. It only reads. */
  show(world: CliWorld): Promise<PackView> | PackView;
}
