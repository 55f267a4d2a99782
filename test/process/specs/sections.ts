/**
 * What the specifications have that a payload can show, by section. A table of the specification counts its rows, as `14.1` to
 * `14.78`; the other sections have a name for each thing that they say.
 */
export interface Seed {
  readonly name: string;
  /** How many rows each table of the specification has. */
  readonly tables: Readonly<Record<string, number>>;
  readonly sections: readonly string[];
  /** What no payload through a daemon can show, and where it is shown instead. */
  readonly undriven: Readonly<Record<string, string>>;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const from = (prefix: string, ...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `${prefix}${number}`);
const because = (reason: string, ...ids: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(ids.map((id) => [id, reason]));

const SEARCH_NUDGE: Seed = {
  name: 'search nudge',
  tables: { '14.': 78 },
  sections: words(`
    2.1 2.2 2.4 2.5 2.6 2.7 2.8 2.9 2.10
    3.read 3.grep 3.glob 3.rg 3.grep-program 3.git-grep 3.names 3.find 3.ls 3.reads 3.others 3.wrappers
    4.outside 4.dependency 4.filter 4.terms 4.off
    5.fairlead 5.codegraph 5.repowise 5.graphify 5.names 5.walk 5.worktrees 5.freshness 5.routes 5.preference 5.coexistence
    6.event 6.sources 6.subagents 6.fallback 6.unknown
    7.used 7.attempted 7.flight 7.families 7.restart
    8.1 8.2 8.4 8.5 8.6
    9.once 9.outcome 9.hold 9.clear 9.workspace
    10.deny 10.reads 10.graph 10.lock-out 10.expiry 10.switch 10.who 10.record 10.file 10.git 10.database 10.process 10.permission
    13.mode 13.relevance 13.providers 13.expectWithin 13.maxChars 13.answerFirst 13.careful.defaultFor 13.careful.maxDenials`),
  undriven: {
    ...because('a time, which the benchmarks measure', '14.23', '14.75'),
    ...because(
      'a registration, which test/process/install.test.ts and src/packs/codegraph/reach.test.ts look at',
      '14.24',
    ),
    ...because(
      'twenty judged notes and two weeks, which src/packs/codegraph/following.test.ts lets pass',
      '9.workspace',
    ),
  },
};

const DIAGRAMS: Seed = {
  name: 'diagrams',
  tables: { '13.': 60 },
  sections: words(`
    1.modes 1.after 2.1 2.3 2.4 2.7
    3.edit 3.multi 3.notebook 3.bash 3.made 3.scripts 3.locale
    4.drawing 4.blocks 4.threshold 4.corner 4.closed 4.tables 4.quoted 4.ascii
    5.baseline 5.steps 6.details 6.fence 6.comment 6.one 6.reach 6.svgbob
    7.plans 7.temporary 7.dependencies 7.globs 7.marker
    8.sets 8.flag 8.fresh 8.one-shot 8.release 8.sweep 8.reminder
    9.recorded 9.covered 9.extend 9.require 9.off 9.quotations
    10.refusal 10.again 10.path
    12.mode 12.extensions 12.threshold 12.ascii 12.tools 12.sources 12.quotedFences 12.exempt 12.freshFor 12.coverage`),
  undriven: because(
    'a rule that throws, which src/engine/decide and src/packs/diagrams/provenance-and-settings.test.ts show',
    '13.59',
  ),
};

const INCREMENTS: Seed = {
  name: 'increments',
  tables: { '12.': 54 },
  sections: words(`
    1.prompt-line 2.root 2.archive 2.active 3.kill 3.environment 3.own 3.depth
    4.0 4.1 4.2 4.3 4.bash 5.signal 5.payload 5.mtime 5.watch 6.learning 6.sighted 6.blind 6.guard
    7.coalescing 7.burst 7.breaker 7.children
    8.1 8.2 8.2-tick 8.2-conflict 8.told 8.3 8.4 8.4-blocks
    9.edit 9.write 9.invalid 9.bash 9.third 9.reason 9.unbacked 9.require 9.transitions 10.commands
    11.enabled 11.active_statuses 11.scan.window_ms 11.breaker 11.ac_sync 11.status_line 11.statusline.ascii 11.living_docs
    11.tasks.complete_when 11.tuning 11.on_change 11.watch 11.guard 11.dirty`),
  undriven: {
    ...because(
      'an edit at the very moment a job runs, which src/jobs and src/packs/increments/jobs.test.ts bring about',
      '12.26',
      '12.38',
    ),
    ...because(
      'not yet: it waits in vain for a source to come back; src/packs/increments/detection.test.ts has it in one process',
      '12.21',
      '6.sighted',
    ),
    ...because('a failure at the one try after a pause, which the tests of src/jobs bring about', '12.29'),
  },
};

const AUTOCONTEXT: Seed = {
  name: 'autocontext',
  tables: { '': 91 },
  sections: words(
    '19.cards 19.cards.tests 19.cards.repeatIdentical 19.throttle 19.index.exclude 19.index.maxFile 19.languages 19.pictures',
  ),
  undriven: {
    ...because('the environment counts for commands alone: src/roots and test/process/mcp-home.test.ts', '11'),
    ...because(
      'a lock of another process or one that dies at work: test/process/daemon-autocontext.test.ts and src/graph/store',
      '33',
      '37',
    ),
    ...because(
      'an indexing process that breaks and is slow at a moment: src/graph/resident and src/packs/autocontext/initialisation.test.ts',
      '34',
      '52',
    ),
    ...because(
      'edges of a graph, which test/graph holds against a list for each language',
      ...from('', 62, 63, 64, 65, 67, 68),
    ),
    ...because('facts and bytes of a graph: the tests of src/graph', ...from('', 49, 70, 74, 76, 77)),
    ...because(
      'asked by a command or a tool, not by an event: src/mcp, src/cli/graph and test/process/mcp.test.ts',
      ...from('', 78, 79, 80, 81, 82),
    ),
    ...because('claims and decisions are not there, as docs/packs/autocontext.md says', '83', '84', '85'),
    ...because('what a picture shows: src/graph/draw', ...from('', 87, 88, 89, 90)),
    ...because('the real client: test/e2e/autocontext.test.ts', '91'),
  },
};

export const SEEDS = {
  searchNudge: SEARCH_NUDGE,
  diagrams: DIAGRAMS,
  increments: INCREMENTS,
  autocontext: AUTOCONTEXT,
} as const;

/** All of it, whether a row stands for it or not. */
export function idsOf({ tables, sections }: Seed): readonly string[] {
  const rows = Object.entries(tables).flatMap(([prefix, count]) =>
    Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`),
  );
  return [...rows, ...sections];
}
