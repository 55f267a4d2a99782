import type { Command } from './command.ts';

interface Verb {
  readonly summary: string;
  /** Afterwards other rules may be in force, or with other words. */
  readonly changesRules?: true;
  load(): Promise<Command>;
}

/** Every verb, in the order that help lists them; a verb with a blank is a word of its group. */
export const VERBS: Readonly<Record<string, Verb>> = {
  init: {
    changesRules: true,
    summary: 'install the hooks into a project',
    load: async () => (await import('./commands/init.ts')).init,
  },
  uninstall: {
    summary: 'take the hooks out again',
    load: async () => (await import('./commands/uninstall.ts')).uninstall,
  },
  demo: {
    summary: 'play a recorded session and show each decision',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  doctor: {
    summary: 'what is wired, alive, inert or broken',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  'daemon start': {
    summary: 'start the engine, or replace an older one',
    load: async () => (await import('./commands/daemon.ts')).daemonStart,
  },
  'daemon stop': {
    summary: 'end the engine; the next event starts it again',
    load: async () => (await import('./commands/daemon.ts')).daemonStop,
  },
  'daemon status': {
    summary: 'whether the engine runs, since when, and what it costs',
    load: async () => (await import('./commands/daemon.ts')).daemonStatus,
  },
  'daemon run': {
    summary: 'run the engine in this terminal',
    load: async () => (await import('./commands/daemon.ts')).daemonRun,
  },
  off: { summary: 'silence every rule, everywhere', load: async () => (await import('./commands/switch.ts')).off },
  on: { summary: 'end `off`', load: async () => (await import('./commands/switch.ts')).on },
  pause: {
    summary: 'hush the advice of one session; guards stay',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  resume: { summary: 'end `pause`', load: async () => (await import('./commands/pause.ts')).resume },
  'careful on': {
    summary: 'let rules act harder for a while',
    load: async () => (await import('./commands/careful.ts')).on,
  },
  'careful off': { summary: 'end careful mode', load: async () => (await import('./commands/careful.ts')).off },
  'careful status': {
    summary: 'whether careful mode is on, since when and until when',
    load: async () => (await import('./commands/careful.ts')).status,
  },
  'allow-once': {
    summary: 'let one stopped call through, once',
    load: async () => (await import('./commands/allow-once.ts')).allowOnce,
  },
  'exception add': {
    summary: 'silence a rule for a time, in this workspace',
    load: async () => (await import('./commands/exception.ts')).add,
  },
  'exception list': {
    summary: 'the exceptions in force',
    load: async () => (await import('./commands/exception.ts')).list,
  },
  'exception end': {
    summary: 'end exceptions before their time',
    load: async () => (await import('./commands/exception.ts')).end,
  },
  'rules list': {
    summary: 'every rule with its mode and source',
    load: async () => (await import('./commands/rules-list.ts')).list,
  },
  'rules show': { summary: 'all about one rule', load: async () => (await import('./commands/rules-list.ts')).show },
  'rules enable': {
    changesRules: true,
    summary: 'switch a rule on',
    load: async () => (await import('./commands/rules-set.ts')).enable,
  },
  'rules disable': {
    changesRules: true,
    summary: 'switch a rule off',
    load: async () => (await import('./commands/rules-set.ts')).disable,
  },
  'rules mode': {
    changesRules: true,
    summary: 'set how hard a rule may act',
    load: async () => (await import('./commands/rules-set.ts')).mode,
  },
  'rules new': {
    changesRules: true,
    summary: 'write a rule without code',
    load: async () => (await import('./commands/rules-new.ts')).create,
  },
  'rules test': {
    summary: 'run the examples of every rule',
    load: async () => (await import('./commands/rules-test.ts')).test,
  },
  explain: {
    summary: 'why a decision was made, or what a command would do',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  log: { summary: 'the record of events and decisions', load: async () => (await import('./commands/log.ts')).log },
  stats: {
    summary: 'per rule: fires, tiers, time, characters, failures',
    load: async () => (await import('./commands/stats.ts')).stats,
  },
  'state list': { summary: 'every state cell', load: async () => (await import('./commands/state.ts')).list },
  'state get': { summary: 'one state cell', load: async () => (await import('./commands/state.ts')).get },
  'state clear': { summary: 'forget state cells', load: async () => (await import('./commands/state.ts')).clear },
  trust: {
    changesRules: true,
    summary: 'accept what a project brings',
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  untrust: {
    changesRules: true,
    summary: 'take that back',
    load: async () => (await import('./commands/trust.ts')).untrust,
  },
  'message list': {
    summary: 'every message, its source and its placeholders',
    load: async () => (await import('./commands/message.ts')).list,
  },
  'message show': {
    summary: 'one message as it would be said',
    load: async () => (await import('./commands/message.ts')).show,
  },
  'message edit': {
    changesRules: true,
    summary: 'reword a message',
    load: async () => (await import('./commands/message.ts')).edit,
  },
  'message reset': {
    changesRules: true,
    summary: 'go back to the built-in words',
    load: async () => (await import('./commands/message.ts')).reset,
  },
  'context init': {
    summary: 'make the files that the context pack is about',
    load: async () => (await import('./commands/context.ts')).init,
  },
  'context add': {
    summary: 'write down a decision or a learning',
    load: async () => (await import('./commands/context.ts')).add,
  },
  'context remember': {
    summary: 'open tasks, newest decisions and the last journal entry',
    load: async () => (await import('./commands/context.ts')).remember,
  },
  'context wrap-up': {
    summary: 'what is not saved yet; hushes advice to save for two hours',
    load: async () => (await import('./commands/context-wrap-up.ts')).wrapUp,
  },
  'context resources': {
    summary: 'memory, swap, disk and load, held against the limits',
    load: async () => (await import('./commands/context-resources.ts')).resources,
  },
  'context map': {
    summary: 'say that the map of the code was brought up to date',
    load: async () => (await import('./commands/context-upkeep.ts')).map,
  },
  'context reviewed': {
    summary: 'say that the facts in a file were looked at',
    load: async () => (await import('./commands/context-upkeep.ts')).reviewed,
  },
  'context backup-done': {
    summary: 'say that a backup was made',
    load: async () => (await import('./commands/context-upkeep.ts')).backupDone,
  },
  'context prune': {
    summary: 'forget sessions that were not heard of for some days',
    load: async () => (await import('./commands/context-upkeep.ts')).prune,
  },
  'remind add': {
    summary: 'leave a reminder for sessions to come',
    load: async () => (await import('./commands/remind.ts')).add,
  },
  'remind list': {
    summary: 'the reminders of this project',
    load: async () => (await import('./commands/remind.ts')).list,
  },
  'remind dismiss': {
    summary: 'take reminders away',
    load: async () => (await import('./commands/remind.ts')).dismiss,
  },
  'increment list': {
    summary: 'the increments and how far each is',
    load: async () => (await import('./commands/increment.ts')).list,
  },
  'increment show': {
    summary: 'one increment: tasks, criteria and what is open',
    load: async () => (await import('./commands/increment.ts')).show,
  },
  'increment sync': {
    summary: 'bring criteria, status line and docs up to date now',
    load: async () => (await import('./commands/increment.ts')).sync,
  },
  'increment done': {
    summary: 'complete an increment, if nothing in it is open',
    load: async () => (await import('./commands/increment.ts')).done,
  },
  'notify setup': {
    summary: 'store the address of the webhook of this project',
    load: async () => (await import('./commands/notify.ts')).setup,
  },
  'notify test': {
    summary: 'send the webhook one record now',
    load: async () => (await import('./commands/notify.ts')).test,
  },
  'notify rotate-key': {
    summary: 'make a new key for the stored addresses',
    load: async () => (await import('./commands/notify.ts')).rotateKey,
  },
  'notify status': {
    summary: 'what is sent where, and what became of it',
    load: async () => (await import('./commands/notify.ts')).status,
  },
  'journal export': {
    summary: 'write sessions of this project to its journal',
    load: async () => (await import('./commands/journal.ts')).export,
  },
  'journal enrich': {
    summary: 'the entries that wait for a summary, or mark one as done',
    load: async () => (await import('./commands/journal.ts')).enrich,
  },
  'journal status': {
    summary: 'what waits to be exported or enriched',
    load: async () => (await import('./commands/journal.ts')).status,
  },
  'memory sync': {
    summary: "copy the agent's own memory of this project",
    load: async () => (await import('./commands/memory.ts')).sync,
  },
  'memory status': {
    summary: 'whether that memory changed since it was copied',
    load: async () => (await import('./commands/memory.ts')).status,
  },
  'memory diff': {
    summary: 'the lines that came and went since then',
    load: async () => (await import('./commands/memory.ts')).diff,
  },
  'graph index': {
    summary: 'make the code graph of a project, or bring it up to date',
    load: async () => (await import('./commands/graph.ts')).index,
  },
  'graph status': {
    summary: 'what the code graph knows, and whether it is up to date',
    load: async () => (await import('./commands/graph.ts')).status,
  },
  'graph search': {
    summary: 'symbols by name, or by words in it',
    load: async () => (await import('./commands/graph-query.ts')).search,
  },
  'graph callers': {
    summary: 'who calls a symbol, with every place',
    load: async () => (await import('./commands/graph-query.ts')).callers,
  },
  'graph callees': {
    summary: 'what a symbol calls, with every place',
    load: async () => (await import('./commands/graph-query.ts')).callees,
  },
  'graph impact': {
    summary: 'what a change to a symbol may touch',
    load: async () => (await import('./commands/graph-query.ts')).impact,
  },
  'graph context': {
    summary: 'the code of symbols, with who calls them and what they call',
    load: async () => (await import('./commands/graph-query.ts')).context,
  },
  'graph files': {
    summary: 'the indexed files, with how many symbols each has',
    load: async () => (await import('./commands/graph-query.ts')).files,
  },
  'graph draw': {
    summary: 'a picture of the project, or of what depends on a symbol',
    load: async () => (await import('./commands/graph-draw.ts')).draw,
  },
  'canvas init': {
    summary: 'make the code graph of a project, with a picture of it',
    load: async () => (await import('./commands/canvas.ts')).init,
  },
  'canvas impact': {
    summary: 'what a change to a symbol may touch, kept as evidence',
    load: async () => (await import('./commands/canvas.ts')).impact,
  },
  'canvas status': {
    summary: 'what is kept of a project, and what of it is outdated',
    load: async () => (await import('./commands/canvas.ts')).status,
  },
  'canvas read': {
    summary: 'the focus and the newest evidence',
    load: async () => (await import('./commands/canvas.ts')).read,
  },
  mcp: {
    summary: 'the code graph as tools for an agent (MCP on stdio)',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  statusline: {
    summary: "one line for the agent's status line",
    load: async () => (await import('./commands/statusline.ts')).statusline,
  },
  hook: {
    summary: 'answer one event on stdin (what the agent calls)',
    load: async () => (await import('./commands/hook.ts')).hook,
  },
};
