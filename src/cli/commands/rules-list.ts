import { waysOf } from '../../engine/advice/expect.ts';
import { ADAPTERS } from '../../adapters/registry.ts';
import { failsClosed, namesOf } from '../../engine/match/rule-index.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import type { Expectation, Listen } from '../../engine/rule.ts';
import { nodeFiles } from '../../platform/files.ts';
import { readSwitch } from '../../state/switch.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { agentFor } from '../agents.ts';
import { describeThrottle } from '../describe-throttle.ts';
import { hint } from '../hint.ts';
import { brokenRuleFiles, knownRules, packsOf, ruleNamed, shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { describeQuiet, quietIn } from '../quiet-rules.ts';
import { messagesOf } from '../rule-messages.ts';
import { describeJudged, judgedOf } from '../rule-judged.ts';
import { originOf } from '../rule-origin.ts';
import { describeReach, reachWith } from '../rule-reach.ts';
import { layOut, printable, printTable } from '../table.ts';

export const list: Command = {
  summary: 'every rule with its mode and source',
  details:
    'Shows the rules that are on in this project, rule files that cannot be used, and files that are not trusted.\nWith --agent it says how the agent takes what each of them may answer: enforced; denied, where it cannot ask; advised, where it is told and nothing is prevented; person, where only the person sees it; none.',
  options: {
    all: { type: 'boolean', short: 'a', help: 'rules that are off, too' },
    pack: { type: 'string', value: 'NAME', help: 'rules of one pack' },
    agent: { type: 'string', value: 'NAME', help: 'what each of them comes to with one agent' },
    ...JSON_OPTION,
  },
  async run(input, world) {
    const known = await knownRules(world);
    const pack = input.text('pack');
    const packs = packsOf(known);
    if (pack !== undefined && !packs.includes(pack))
      throw new UsageError(`no pack "${pack}"${hint(pack, packs) || `; there are ${packs.join(', ')}`}`);
    const adapter = input.text('agent') === undefined ? undefined : agentFor(input.text('agent'), world);
    const inPack = known.rules.filter(({ meta }) => pack === undefined || meta.pack === pack);
    const rules = inPack
      .filter(({ mode }) => mode !== 'off' || input.has('all'))
      .sort((a, b) => (a.meta.id < b.meta.id ? -1 : 1));
    const broken = brokenRuleFiles(known).filter(
      ({ file }) => pack === undefined || pack === layerOf(known, file.path),
    );
    const skipped = pack === undefined || pack === 'project' ? (known.layers.project.skipped?.names ?? []) : [];
    if (input.has('json')) {
      return printJson(world, {
        root: known.root,
        rules: rules.map((rule) => ({
          ...lineOf(rule),
          mode: rule.mode,
          origin: originOf(rule, known.layers),
          ...(adapter && { reach: reachWith(adapter, rule, known.layers) }),
        })),
        broken: broken.map(({ file, problems }) => ({ file: file.path, state: file.state, problems })),
        skipped,
        quiet: await quietIn(known.root, world),
      });
    }
    const off = readSwitch(nodeFiles, world.paths.state, world.engine().clock.now());
    if (off) world.out('Everything is switched off; `fairlead on` ends that.\n\n');
    if (rules.length === 0) world.out('No rule is on here.\n');
    else {
      const rows = rules.map((rule) => [
        rule.meta.id,
        rule.mode,
        adapter
          ? describeReach(reachWith(adapter, rule, known.layers))
          : rule.source === 'built in'
            ? rule.source
            : shown(world, rule.source),
        rule.meta.summary,
      ]);
      printTable(
        world,
        [
          { title: 'RULE' },
          { title: 'MODE' },
          adapter ? { title: `WITH ${adapter.name.toUpperCase()}` } : { title: 'SOURCE', leaves: 1 },
          { title: 'SUMMARY', shrinksTo: 20, leaves: 2 },
        ],
        rows,
      );
    }
    const hidden = inPack.length - rules.length;
    if (hidden > 0) world.out(`\n${hidden} more ${hidden === 1 ? 'is' : 'are'} off; --all shows them.\n`);
    const quiet = await quietIn(known.root, world);
    if (quiet.length > 0)
      world.out(
        `\nQuiet for a time (\`fairlead rules enable RULE\` ends it):\n${quiet.map((one) => `  ${describeQuiet(one)}\n`).join('')}`,
      );
    for (const { file, problems } of broken) {
      const effect =
        file.state === 'kept' ? 'cannot be used as it is now; its last good version is in force' : 'cannot be used';
      world.out(`\n${shown(world, file.path)} ${effect}:\n`);
      for (const { line, message } of problems) world.out(`  line ${line}: ${printable(message)}\n`);
    }
    if (skipped.length > 0) {
      world.out(
        `\nNot trusted, so without effect (\`fairlead trust\` shows and accepts them):\n${skipped.map((name) => `  .fairlead/${name}\n`).join('')}`,
      );
    }
    return 0;
  },
};

function layerOf({ layers }: KnownRules, path: string): 'user' | 'project' {
  return layers.project.files.some((file) => file.path === path) ? 'project' : 'user';
}

function lineOf({ meta, mode, source }: ActiveRule) {
  return { id: meta.id, pack: meta.pack, source, enabled: mode !== 'off', summary: meta.summary };
}

export const show: Command = {
  summary: 'all about one rule',
  usage: '<rule>',
  args: [1, 1],
  options: JSON_OPTION,
  async run(input, world) {
    const known = await knownRules(world);
    const rule = ruleNamed(known, input.args[0] as string);
    const { meta, mode, options } = rule;
    const origin = originOf(rule, known.layers);
    const messages = messagesOf(rule, known.layers);
    const reach = reachOf(rule);
    const judged = judgedOf(meta.id, world);
    if (input.has('json'))
      return printJson(world, { ...lineOf(rule), ...meta, mode, origin, options, messages, reach, judged });

    const facts: (readonly [string, string])[] = [
      ['mode', `${mode} (${origin.text})`],
      ['pack', meta.pack],
      ['source', rule.source === 'built in' ? 'built in' : shown(world, rule.source)],
      ...meta.on.map((listen): [string, string] => ['listens to', describeListen(listen)]),
      ['needs', describeNeeds(meta.needs)],
      ['throttle', meta.throttle ? describeThrottle(meta.throttle) : 'none'],
      ['guard', meta.guard === true ? 'yes: stays active while a session is paused' : 'no'],
      ['on failure', failsClosed(rule) ? 'block' : 'pass'],
      ['priority', String(meta.priority ?? 50)],
    ];
    if (Object.keys(options).length > 0)
      facts.push(
        ...Object.entries(options).map(([name, value]): [string, string] => [`option ${name}`, JSON.stringify(value)]),
      );
    if (meta.expect) facts.push(['expects', waysOf(meta.expect).map(describeExpect).join('; or ')]);
    if (meta.backsOff) facts.push(['backs off', 'for 1, 2, 4, up to 16 turns while it is ignored']);
    if (judged.precision !== undefined) facts.push(['judged', describeJudged(judged)]);
    world.out(`${meta.id}: ${printable(meta.summary)}\n\n${aligned(world, facts)}`);
    world.out('\nmessages\n');
    for (const { variant, source, status, text } of messages) {
      world.out(`  ${variant} (${source}${status === 'ok' ? '' : `, ${status}`})\n${block(text)}`);
    }
    const examples = Object.entries(meta.examples ?? {}).flatMap(([verdict, all]) =>
      all.map((example) => [verdict, typeof example === 'string' ? example : JSON.stringify(example)]),
    );
    world.out(`\nexamples${examples.length === 0 ? ': none' : ''}\n${aligned(world, examples, '  ')}`);
    world.out(`\nwhat its verdicts come to${mode === 'enforce' ? '' : ` (mode ${mode}: ${MODE_EFFECT[mode]})`}\n`);
    world.out(
      aligned(
        world,
        reach.map(({ agent, event, deny, ask, note, warn }) => [
          agent,
          event,
          `deny ${deny}`,
          `ask ${ask}`,
          `note ${note}`,
          `warn ${warn}`,
        ]),
        '  ',
      ),
    );
    return 0;
  },
};

const MODE_EFFECT = {
  off: 'it does not run',
  shadow: 'it decides and records, and says nothing',
  advise: 'deny and ask become a note',
  save: 'ask becomes a copy, where one can be made; deny stays',
  ask: 'deny becomes ask',
  enforce: 'as it decides',
} as const;

/** For every agent and event the rule hears: how the agent takes what the rule may answer. */
function reachOf({ meta }: ActiveRule) {
  const events = [...new Set(meta.on.flatMap(namesOf))];
  return ADAPTERS.flatMap((adapter) =>
    events.map((event) => {
      const { deny, ask, note, warn } = adapter.capabilities(event);
      return { agent: adapter.name, event, deny, ask, note, warn };
    }),
  );
}

function describeListen(listen: Listen): string {
  const parts = [namesOf(listen).join(' or ')];
  if (listen.tool) parts.push(`of ${listen.tool.join(', ')}`);
  if (listen.name) parts.push(`of the tools ${listen.name.join(', ')}`);
  if (listen.paths) parts.push(`on ${listen.paths.join(', ')}`);
  if (listen.words) parts.push(`with the word ${listen.words.map((word) => JSON.stringify(word)).join(' or ')}`);
  return parts.join(' ');
}

function describeNeeds(needs: ActiveRule['meta']['needs'] = {}): string {
  const parts = [
    needs.session && 'a session',
    needs.main && 'the main agent',
    needs.human && 'a prompt typed by a person',
    needs.entry && `${needs.entry} in the project`,
  ];
  return parts.filter(Boolean).join(', ') || 'nothing';
}

function describeExpect({ tool, words, paths, around, within, until }: Expectation): string {
  const what = [tool, words && `with ${words.join(' or ')}`, paths && `on ${paths.join(' or ')}`]
    .filter(Boolean)
    .join(' ');
  const not = around ? `; ${around.join(' or ')} goes round it` : '';
  return `${what} within ${within} tool calls${until === undefined ? '' : ' of the session'}${not}`;
}

function aligned(world: CliWorld, rows: readonly (readonly string[])[], indent = ''): string {
  const table = layOut(
    world,
    (rows[0] ?? []).map(() => ({ title: '' })),
    rows,
  );
  return rows.map((row) => `${indent}${table.line(row)}\n`).join('');
}

function block(text: string): string {
  return text.trim() === ''
    ? '    (silent)\n'
    : `${printable(text.trim())
        .split('\n')
        .map((line) => `    ${line}`.trimEnd())
        .join('\n')}\n`;
}

export default {
  order: 110,
  groups: { rules: 'what is checked: list, show, new, propose, test, mode, promote, judge' },
  verbs: { 'rules list': list, 'rules show': show },
} satisfies VerbFile;
