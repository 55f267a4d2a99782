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

const ROWS_OF_RULES = {
  '5.1.': 8,
  '5.2.': 13,
  '5.3.': 10,
  '5.4.': 7,
  '5.5.': 7,
  '5.6.': 7,
  '5.7.': 13,
  '5.8.': 7,
  '5.9.': 7,
  '5.10.': 7,
};
const MORE_ROWS = {
  '5.11.': 6,
  '5.12.': 7,
  '5.13.': 6,
  '5.14.': 7,
  '5.15.': 7,
  '5.16.': 7,
  '5.17.': 7,
  '5.18.': 6,
  '5.19.': 16,
  '5.20.': 7,
};
const CONTEXT: Seed = {
  name: 'context',
  tables: { ...ROWS_OF_RULES, ...MORE_ROWS, '7.': 10 },
  sections: words(`
    1.origin 2.1 2.3 2.5 2.6 2.6.attention 2.6.audience 2.6.style 2.8 2.11.ctxrc
    5.1.when 5.1.profile 5.1.max_chars 5.1.rearm_on 5.1.trust 5.2.binaries 5.2.system_dirs 5.2.test_prefixes 5.2.allow
    5.3.qa.when 5.3.qa.repeat 5.3.qa.mode 5.4.specs.dir 5.4.specs.on_mode_switch 5.5.aliases 5.5.version_sources 5.6.task.interval
    5.7.size.trigger 5.7.size.exclusive_bands 5.7.size.window_pct 5.7.billing_token_warn 5.7.wrap_up.hours 5.7.pause.short_turns
    5.7.stats 5.7.2.2 5.8.lookback 5.8.names 5.9.max_age_days 5.12.map.paths 5.12.map.max_age_days 5.13.first_sync_hint
    5.14.persist.early 5.14.persist.late 5.14.persist.require_edits 5.14.message 5.15.reminders.repeat 5.15.reminders.again_after
    5.16.resources.danger 5.16.resources.repeat 5.17.version.compare 5.17.notify.key_rotation_days
    5.19.danger.ask 5.19.danger.bin_dirs 5.19.danger.position 5.20.mount_path 5.20.command 5.20.max_age_days 5.20.off`),
  undriven: {
    ...because(
      'what a machine is short of cannot be made here: src/packs/context/resource-levels.test.ts',
      '5.16.6',
      '5.16.7',
    ),
    ...because(
      'a development build, and a program replaced under its engine: src/packs/context/check-version.test.ts',
      '5.17.3',
      '5.17.7',
    ),
    ...because('a webhook that hangs: src/relay and src/packs/context/heartbeat.test.ts', '5.18.6'),
    ...because('a mount that hangs: src/packs/context/check-backup-age.test.ts', '5.20.6'),
    ...because('a time, which the benchmarks measure', '7.10'),
  },
};

export const SEEDS = {
  searchNudge: SEARCH_NUDGE,
  diagrams: DIAGRAMS,
  increments: INCREMENTS,
  autocontext: AUTOCONTEXT,
  context: CONTEXT,
} as const;

/** All of it, whether a row stands for it or not. */
export function idsOf({ tables, sections }: Seed): readonly string[] {
  const rows = Object.entries(tables).flatMap(([prefix, count]) =>
    Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`),
  );
  return [...rows, ...sections];
}
