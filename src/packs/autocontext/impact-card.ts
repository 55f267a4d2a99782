import { defineRule, own, stamp } from '../../engine/rule.ts';
import type { Event, RuleGraph, LineRange, RuleContext, Verdict, AgentSetup } from '../../engine/rule.ts';
import { tagged } from '../../event/verdict.ts';
import { plain } from '../../text/plain.ts';
import { CARDS, isDue, remembered, wasSaid } from './card-memory.ts';
import { cardOptions } from './card-options.ts';
import type { CardOptions } from './card-options.ts';
import { prove } from './card-proof.ts';
import { cardText } from './card-text.ts';
import { CODE_FILES } from './code-files.generated.ts';
import { EPOCH } from './epoch.ts';
import { WANTED } from './wanted.ts';
import { quote } from '../../shell/quote.ts';

const SERVER = 'fairlead';

/** What to call for the whole impact of a symbol: the tool of a registered server, else the command. */
export function impactQuery(key: string, servers: AgentSetup['servers']): string {
  const server = servers.find(({ name }) => name === SERVER);
  return server === undefined
    ? `\`fairlead graph impact ${quote(key)}\``
    : `${server.prefix}graph ${JSON.stringify({ action: 'impact', symbol: key })}`;
}

/** 900 with the tag. */
const MAX_CHARS = 900 - tagged('autocontext/impact-card', '').length;
const STATE = { cards: CARDS, epoch: EPOCH, wanted: WANTED } as const;
const MESSAGES = { card: '{card}' } as const;
type Context = RuleContext<typeof STATE, typeof MESSAGES>;

export default defineRule({
  id: 'autocontext/impact-card',
  pack: 'autocontext',
  summary: 'After a source file was read: who calls its main symbol, what that calls, and where to look next.',
  on: [{ event: 'tool.after', tool: ['read'], paths: CODE_FILES }],
  mode: 'advise',
  priority: 30,
  // Above the longest wait, so that a card that comes in time is not left behind.
  budgetMs: 1_200,
  state: STATE,
  options: { cards: 'on', throttle: '60s', wait: { hook: '0.3s' } },
  messages: MESSAGES,
  examples: {
    pass: [{ event: 'tool.after', tool: 'read', path: 'src/load.ts' }],
  },
  check(event, context) {
    const { workspace, pass, signal } = context;
    const [given] = event.tool?.paths ?? [];
    if (given === undefined || event.tool?.failed === true) return pass('nothing was read');
    const options = cardOptions(context.options);
    if (!options.show) return pass('cards are off');
    const { graph } = workspace;
    if (!graph) return pass('this workspace has no index yet');
    const path = isBelow(given, workspace.root) ? given : context.files.realpath(given);
    if (path === undefined || !isBelow(path, workspace.root)) return pass('the file is outside of the workspace');
    const waiting = options.waitMs > 0 ? graph.whenCurrent(path, options.waitMs) : undefined;
    if (waiting === undefined) return tell(event, path, graph, options, context);
    return waiting.then(() => {
      // Nobody would hear it, and what nobody hears was not said.
      if (signal.aborted) return pass('too late');
      return workspace.graph ? tell(event, path, workspace.graph, options, context) : pass('the index is gone');
    });
  },
});

function tell(event: Event, path: string, graph: RuleGraph, options: CardOptions, context: Context): Verdict {
  const { workspace, state, now, pass } = context;
  if (!options.tests && graph.isTest(path)) return pass('test files get no card');
  const impact = graph.impactOf(path, {
    lines: linesOf(event),
    names: state.wanted.get(event.subagent?.id ?? 'main') ?? [],
  });
  if (!impact) return pass('no symbol of this file calls or is called');
  const epoch = event.subagent ? 0 : state.epoch.value();
  // What is only watched is remembered apart: it was not said.
  const memory = `${context.mode === 'shadow' ? 'shadow ' : ''}${event.subagent?.id ?? 'main'} ${workspace.root} ${path}`;
  const last = state.cards.get(memory);
  const symbol = impact.key;
  if (!isDue(last, { symbol, epoch, now }, options)) return pass('this file had its card a moment ago');
  const proven = prove(impact, context.files);
  if (!proven) return pass('the symbol is no longer where the index has it');
  // Nobody told of these: what is counted in them may be otherwise by now.
  for (const changed of proven.changed) graph.recheck(changed);
  const isPartial = graph.state !== 'stable' || proven.changed.length > 0;
  const facts = {
    impact,
    proven,
    root: workspace.root.slice(workspace.root.lastIndexOf('/') + 1),
    relative: (place: string) => workspace.relative(place),
    hasPartialScope: graph.hasPartialScope === true,
    query: impactQuery(plain(symbol), context.setup.servers),
  };
  const frame = context.note('card', { card: own('') }).text;
  if (frame === undefined) return pass('silenced');
  const room = Math.min(MAX_CHARS, context.room()) - frame.length;
  const text = cardText({ ...facts, isPartial }, room);
  if (text === undefined) return pass('the card does not fit');
  // Whether the index is behind changes nothing about what was told.
  const told = stamp([isPartial ? (cardText({ ...facts, isPartial: false }, room) ?? text) : text]);
  if (!options.repeatIdentical && wasSaid(last, told, epoch)) return pass('the agent has this very card');
  const said = context.note('card', { card: own(text) });
  state.cards.say(remembered(last, { at: now, symbol, epoch }, told), memory);
  context.later.impact(symbol);
  const tests = proven.tests.map((test) => `${workspace.relative(test.path)}:${test.line}`);
  return { ...said, about: { card: told, symbol, tests } };
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(`${root}/`);
}

/** Undefined for a file that was read as a whole. */
function linesOf({ tool }: Event): LineRange | undefined {
  const { first = 1, count } = tool?.lines ?? {};
  if (count === undefined && first <= 1) return undefined;
  return { first, last: count === undefined ? Infinity : first + count - 1 };
}
