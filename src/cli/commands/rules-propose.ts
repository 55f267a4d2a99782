import { REASONS } from '../../instructions/clause.ts';
import { SAID } from '../../instructions/write-rule.ts';
import { nodeFiles } from '../../platform/files.ts';
import { dirname, join, resolve } from '../../platform/paths.ts';
import { findWorkspaceRoot } from '../../roots/find-root.ts';
import { baseOf } from '../../workspace/config/compiled.ts';
import type { LayerKind } from '../../workspace/config/compiled.ts';
import { scanLayer } from '../../workspace/config/scan.ts';
import { scanProject, acceptProject, listProject } from '../../workspace/config/trust.ts';
import { changeProject } from '../change-project.ts';
import { JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { findInstructions, readAll } from '../instructions/find-files.ts';
import type { Instructions } from '../instructions/find-files.ts';
import { existingRules, proposeRules } from '../instructions/proposals.ts';
import type { Proposal, Proposed, Unchecked } from '../instructions/proposals.ts';
import { describeExample } from '../instructions/show-source.ts';
import { rewire } from '../install/rewire.ts';
import { rootAt, shown } from '../known-rules.ts';
import { RECORD_DAYS } from '../rule-record.ts';
import { counted, paint, printableLine, wrap } from '../table.ts';
import { openReplayEngine } from '../../replay/replay-engine.ts';
import type { RuleTally } from '../../replay/tally.ts';
import { findTranscripts, hasTranscripts } from '../replay/find-transcripts.ts';
import { makeReport } from '../replay/make-report.ts';
import { scratchFiles } from '../replay/settings-tried.ts';

interface WouldFire {
  readonly calls: number;
  readonly sessions: number;
  readonly rules: ReadonlyMap<string, RuleTally>;
}

/** What the rules would have said in the person's own sessions, were they in force; undefined where there are none. */
async function wouldFire(
  proposals: readonly Proposal[],
  scope: LayerKind,
  root: string,
  world: CliWorld,
  showsProgress: boolean,
): Promise<WouldFire | undefined> {
  if (proposals.length === 0 || !hasTranscripts(world, nodeFiles)) return undefined;
  const { paths, userHome } = world;
  const dir = scope === 'project' ? root : paths.config;
  const files = scratchFiles(nodeFiles);
  for (const { name, text } of proposals) files.writeAtomic(join(baseOf(scope, dir), 'rules', `${name}.md`), text);
  const deps = { files, state: paths.state, now: Date.now };
  if (scope === 'project') acceptProject(listProject(root, deps), deps, 'own');
  const since = Date.now() - RECORD_DAYS * 86_400_000;
  const engine = openReplayEngine({ paths, userHome, files });
  const found = findTranscripts([], world, nodeFiles);
  const { tally } = await makeReport(found, [engine], { since, rule: undefined }, world, showsProgress);
  return { calls: tally.calls, sessions: tally.sessions.size, rules: tally.rules };
}

/** Nobody to ask. */
const UNASKED = 2;
const DECLINED = 1;
const SHOWN_EXAMPLES = 3;
const LONGEST_SHOWN = 300;

export const propose: Command = {
  summary: 'make rules of the sentences in your instructions that can be checked',
  changesRules: true,
  usage: '[file…]',
  details: `Reads the files of instructions that the project has, or those that you name, with the files they take in. Sentences of a known form
become rules: what is not to be run, edited, read, written or pushed, what is used instead, what runs first. Each rule has the sentence as its
source, and examples that it was tried with. The others are listed with the reason.
All of it is shown first, with what each rule would have said in your sessions of the last ${RECORD_DAYS} days; then it asks. The rules start in shadow, and
each leaves it only by your yes to its sentence and examples (\`fairlead rules promote\`). A sentence that has a rule gets no second one.
Exit codes: 0 when all is written or there is nothing to write, 1 when it was declined, 2 when there was nobody to ask.`,
  args: [0, 200],
  options: {
    said: { type: 'string', value: 'SENTENCE', help: 'of this sentence, in place of files' },
    user: { type: 'boolean', help: 'yours, in every project; the files have to be named' },
    'dry-run': { type: 'boolean', help: 'show, and write nothing' },
    yes: { type: 'boolean', short: 'y', help: 'write without asking, after it was shown' },
    all: { type: 'boolean', short: 'a', help: 'list sentences that only say what to do, too' },
    'no-replay': { type: 'boolean', help: 'do not look into your sessions' },
    json: { ...JSON_OPTION.json, help: 'print data as JSON; writes with --yes only' },
  },
  check: (input, world) => void scopeOf(input, world),
  async run(input, world) {
    const scope = scopeOf(input, world);
    const root = rootAt(world);
    const files = instructionsMeant(input, root, world);
    const existing = existingRules({
      user: scanLayer(world.paths.config, nodeFiles),
      project: scanProject(root, nodeFiles),
    });
    const proposed = await proposeRules(files, scope, existing);
    const isJson = input.has('json');
    const fires = input.has('no-replay') ? undefined : await wouldFire(proposed.proposals, scope, root, world, !isJson);
    if (!isJson) show(proposed, fires, input.has('all'), world);
    const code = await mayWrite(proposed, input, world);
    const trusted = code === 'yes' ? write(proposed.proposals, scope, root, world) : false;
    if (isJson) printJson(world, dataOf(proposed, fires, code === 'yes'));
    if (code !== 'yes') return code;
    if (!isJson) tell(proposed.proposals, scope === 'user' || trusted, world);
    await rewire(root, world);
    return 0;
  },
};

function scopeOf(input: Input, { cwd, userHome }: CliWorld): LayerKind {
  if (input.text('said') !== undefined && input.args.length > 0)
    throw new UsageError('--said is in place of files; name one or the other');
  if (input.has('user')) {
    if (input.args.length === 0 && input.text('said') === undefined)
      throw new UsageError('--user wants the files named whose rules are yours in every project');
    return 'user';
  }
  const { path, markerBacked } = findWorkspaceRoot(cwd, { files: nodeFiles, home: userHome, preferEnv: false });
  if (!markerBacked) throw new UsageError(`${path} is no project; --user makes the rules yours in every project`);
  return 'project';
}

function instructionsMeant(input: Input, root: string, world: CliWorld): readonly Instructions[] {
  const { args } = input;
  const said = input.text('said');
  if (said !== undefined) return [{ path: '', name: SAID, text: said.replaceAll(/\s+/g, ' ').trim(), base: '' }];
  if (args.length === 0) return findInstructions(root, nodeFiles);
  const paths = args.map((arg) => resolve(world.cwd, arg));
  const missing = paths.findIndex((path) => nodeFiles.stat(path)?.kind !== 'file');
  if (missing >= 0) throw new UsageError(`no file ${args[missing]}`);
  return readAll(paths, root, nodeFiles);
}

async function mayWrite({ proposals }: Proposed, input: Input, world: CliWorld): Promise<'yes' | number> {
  if (proposals.length === 0 || input.has('dry-run')) return 0;
  if (input.has('yes')) return 'yes';
  if (input.has('json')) return 0;
  if (!world.interactive) {
    world.err('Nothing was written: there is nobody to ask here. `--yes` writes what was shown.\n');
    return UNASKED;
  }
  if (await world.ask(`\nWrite ${counted(proposals.length, 'rule')} in shadow?`)) return 'yes';
  world.out('Nothing was written.\n');
  return DECLINED;
}

/** Says whether the rules are in force as far as trust goes. */
function write(proposals: readonly Proposal[], scope: LayerKind, root: string, world: CliWorld): boolean {
  const dir = join(baseOf(scope, scope === 'project' ? root : world.paths.config), 'rules');
  return proposals
    .map(({ name, text }) => {
      const put = () => {
        nodeFiles.makeDir(dirname(join(dir, 'x')), scope === 'user' ? 0o700 : 0o755);
        nodeFiles.writeAtomic(join(dir, `${name}.md`), text);
      };
      if (scope === 'project') return changeProject(root, `rules/${name}.md`, put, world);
      put();
      return true;
    })
    .every(Boolean);
}

function tell(proposals: readonly Proposal[], isInForce: boolean, world: CliWorld): void {
  world.out(
    `Wrote ${counted(proposals.length, 'rule')}, in shadow: they say nothing, and \`fairlead log\` shows what they would do.\n`,
  );
  if (!isInForce) world.out('They have no effect until a person has accepted them with `fairlead trust`.\n');
  world.out(
    `Next: \`fairlead rules promote ${proposals[0]?.id}\` shows a rule's sentence, examples and record, and asks.\n`,
  );
}

function show(
  { files, proposals, known, unchecked }: Proposed,
  fires: WouldFire | undefined,
  all: boolean,
  world: CliWorld,
): void {
  if (files.length === 0) return world.out('No file of instructions was found here; name one.\n');
  for (const { file, sentences } of files) {
    const own = <Item extends { readonly file: string }>(items: readonly Item[]) =>
      items.filter((one) => one.file === file);
    const rules = own(proposals);
    const has = own(known).length;
    world.out(
      `${paint(world, 'bold', shownFile(file, world))}: ${counted(sentences, 'sentence')} that ${sentences === 1 ? 'looks like an instruction' : 'look like instructions'}, ${counted(rules.length, 'new rule')}${has > 0 ? `, ${has} with a rule already` : ''}\n`,
    );
    for (const rule of rules) showProposal(rule, fires, world);
  }
  if (fires)
    world.out(
      `\nTried on ${counted(fires.calls, 'call')} in ${counted(fires.sessions, 'session')} of the last ${RECORD_DAYS} days.\n`,
    );
  showUnchecked(unchecked, all, world);
}

function showProposal(
  { id, line, sentence, action, kind, examples }: Proposal,
  fires: WouldFire | undefined,
  world: CliWorld,
): void {
  const { fires: count = 0, unknown = 0 } = fires?.rules.get(id) ?? {};
  const told = fires ? `; would have spoken ${count} ×${unknown > 0 ? `, ${unknown} unknown` : ''}` : '';
  const list = (verdict: 'deny' | 'ask' | 'note' | 'pass') =>
    (examples[verdict] ?? []).slice(0, SHOWN_EXAMPLES).map(describeExample).join('  |  ');
  world.out(`\n  ${paint(world, 'bold', id)}  ${action}, ${kind}${told}\n`);
  world.out(`${wrap(`line ${line}: ${cut(sentence)}`, world.columns, '    ')}\n`);
  world.out(`${wrap(`acts on: ${printableLine(list(action))}`, world.columns, '    ')}\n`);
  world.out(`${wrap(`passes: ${printableLine(list('pass'))}`, world.columns, '    ')}\n`);
}

function showUnchecked(unchecked: readonly Unchecked[], all: boolean, world: CliWorld): void {
  const listed = unchecked.filter(({ reason }) => all || reason !== 'positive');
  const left = unchecked.length - listed.length;
  if (listed.length > 0) world.out('\nNo rule of these:\n');
  for (const { file, line, sentence, why } of listed)
    world.out(`${wrap(`${shownFile(file, world)}:${line}: ${cut(sentence)} (${why})`, world.columns, '  ')}\n`);
  if (left > 0) world.out(`\n${counted(left, 'sentence')} more: ${REASONS.positive}. --all lists them.\n`);
}

function cut(sentence: string): string {
  const line = printableLine(sentence);
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}

function shownFile(file: string, world: CliWorld): string {
  return printableLine(file.startsWith('/') ? shown(world, file) : file);
}

function dataOf(
  { files, proposals, known, unchecked }: Proposed,
  fires: WouldFire | undefined,
  written: boolean,
): unknown {
  return {
    written,
    files,
    rules: proposals.map((rule) => ({ ...rule, ...(fires && { replay: fires.rules.get(rule.id) ?? { fires: 0 } }) })),
    known,
    unchecked,
    ...(fires && { replayed: { calls: fires.calls, sessions: fires.sessions } }),
  };
}

export default { order: 131, verbs: { 'rules propose': propose } } satisfies VerbFile;
