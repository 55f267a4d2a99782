import { knownWords } from '../../adapters/registry.ts';
import { MODES } from '../../event/verdict.ts';
import { nodeFiles } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { findWorkspaceRoot } from '../../roots/find-root.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import { actionOfName, scaffoldRule } from '../../user-rules/scaffold.ts';
import type { RuleSketch, ScaffoldAction, ScaffoldEvent } from '../../user-rules/scaffold.ts';
import { baseOf } from '../../workspace/config/compiled.ts';
import type { OwnKind } from '../../workspace/config/compiled.ts';
import { changeProject } from '../change-project.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { hint } from '../hint.ts';
import { rewire } from '../install/rewire.ts';
import { knownRules, shown } from '../known-rules.ts';

const EVENTS: readonly ScaffoldEvent[] = ['bash', 'file', 'prompt', 'stop'];
const ACTIONS: readonly ScaffoldAction[] = ['note', 'ask', 'deny'];
const SCOPES: readonly OwnKind[] = ['user', 'project'];
/** A new rule is watched before it acts. */
const USUAL_MODE = 'shadow';

export const create: Command = {
  summary: 'write a rule, from one line or to start from',
  changesRules: true,
  usage: '<name>',
  details: `From one line, a rule that is ready:
  fairlead rules new no-deploy --command 'npm run deploy*' --deny 'Deploys go through CI.'
  fairlead rules new ask-schema --path 'db/**' --ask 'Changes of the schema are looked at first.'

Without them, a Markdown file to start from that fits the name, with a comment on each field. Either has examples, which
\`fairlead rules test NAME\` runs. The rule is one of this project, or yours everywhere with --user. It starts in shadow: it
records what it would do, which \`fairlead log\` shows, and says nothing; --mode starts it otherwise. A rule of the project that you
write in your own terminal is trusted if the rest of the project is; one that an agent writes waits for \`fairlead trust\`.`,
  args: [1, 1],
  options: {
    command: { type: 'string', value: 'TEXT', help: 'the command it is about, as it is typed; * stands for anything' },
    path: { type: 'string', value: 'GLOB', help: 'the files it is about, seen from the project' },
    deny: { type: 'string', value: 'TEXT', help: 'stop it, and say this' },
    ask: { type: 'string', value: 'TEXT', help: 'ask the person, with this' },
    note: { type: 'string', value: 'TEXT', help: 'let it pass, and tell the agent this' },
    mode: { type: 'string', value: MODES.join('|'), help: `how hard it acts at first (${USUAL_MODE})` },
    user: { type: 'boolean', help: 'yours, in every project' },
    event: { type: 'string', value: EVENTS.join('|'), help: 'what a file to start from listens to (bash)' },
    action: { type: 'string', value: ACTIONS.join('|'), help: 'what it does (what its name sounds like)' },
    scope: { type: 'string', value: SCOPES.join('|'), help: 'the same as --user, or without it' },
  },
  async run(input, world) {
    const name = nameOf(input);
    const scope = scopeOf(input, world);
    const sketch = sketchOf(name, input);
    const known = await knownRules(world);
    const path = join(baseOf(scope, known.layers[scope].dir), 'rules', `${name}.md`);
    const text = textOf(name, sketch, scope, path);
    if (nodeFiles.lstat(path)) throw new CommandError(`${shown(world, path)} is there already; choose another name`);
    const other = known.rules.find(({ meta, source }) => meta.id === `${scope}/${name}` && source !== path);
    if (other)
      throw new CommandError(
        `the rule ${scope}/${name} is already in ${shown(world, other.source)}; choose another name`,
      );
    const write = () => {
      nodeFiles.makeDir(dirname(path), scope === 'user' ? 0o700 : 0o755);
      nodeFiles.writeAtomic(path, text);
    };
    const isTrusted = scope === 'project' && changeProject(known.root, `rules/${name}.md`, write, world);
    if (scope === 'user') write();
    tell(`${scope}/${name}`, shown(world, path), sketch, isTrusted || scope === 'user', world);
    await rewire(known.root, world);
    return 0;
  },
};

function tell(id: string, path: string, sketch: RuleSketch, isInForce: boolean, world: CliWorld): void {
  const isReady = sketch.message !== undefined;
  world.out(`Wrote ${path}: the rule ${id}.\n`);
  if (!isInForce) world.out('It has no effect until a person has accepted it with `fairlead trust`.\n');
  if (sketch.mode === USUAL_MODE)
    world.out(
      `It starts in shadow: it says nothing, and \`fairlead log\` shows what it would do. \`fairlead rules mode ${id} ${MODE_OF[sketch.action]}\` puts it in force.\n`,
    );
  else world.out(`Its mode is ${sketch.mode}.\n`);
  world.out(`Next: ${isReady ? '' : 'edit it, then '}\`fairlead rules test ${id}\`.\n`);
}

const MODE_OF: Readonly<Record<ScaffoldAction, string>> = { note: 'advise', ask: 'ask', deny: 'enforce' };

function nameOf({ args: [name = ''] }: Input): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name)) return name;
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  throw new UsageError(
    `a rule's name has only letters, digits, "-", "_" and "."${slug === '' ? '' : `; try "${slug}"`}`,
  );
}

function scopeOf(input: Input, { cwd, userHome }: CliWorld): OwnKind {
  const given = choice(input, 'scope', SCOPES);
  if (input.has('user') && given === 'project') throw new UsageError('give --user or --scope project, not both');
  if (input.has('user') || given === 'user') return 'user';
  const { path, markerBacked } = findWorkspaceRoot(cwd, { files: nodeFiles, home: userHome, preferEnv: false });
  if (!markerBacked) throw new UsageError(`${path} is no project; --user makes the rule yours in every project`);
  return 'project';
}

function sketchOf(name: string, input: Input): RuleSketch {
  const said = ACTIONS.flatMap((action) => {
    const message = input.text(action);
    return message === undefined ? [] : [{ action, message }];
  });
  const [first, second] = said;
  if (second) throw new UsageError(`give --${first?.action} or --${second.action}, not both`);
  if (first?.message.trim() === '') throw new UsageError(`--${first.action} wants what the agent is to read`);
  const given = choice(input, 'action', ACTIONS);
  if (first && given !== undefined && given !== first.action)
    throw new UsageError(`give --${first.action} or --action ${given}, not both`);
  const command = input.text('command');
  const path = input.text('path');
  if (command !== undefined && path !== undefined) throw new UsageError('give --command or --path, not both');
  const event = command === undefined ? (path === undefined ? undefined : 'file') : 'bash';
  const named = choice(input, 'event', EVENTS);
  if (event !== undefined && named !== undefined && named !== event)
    throw new UsageError(`--${command === undefined ? 'path' : 'command'} is about ${event}, not ${named}`);
  return {
    event: event ?? named ?? 'bash',
    action: first?.action ?? given ?? actionOfName(name),
    mode: choice(input, 'mode', MODES) ?? USUAL_MODE,
    ...(first && { message: first.message.trim() }),
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path }),
  };
}

/** Read again before it is written, so that no file is left that cannot be used. */
function textOf(name: string, sketch: RuleSketch, namespace: OwnKind, file: string): string {
  const text = scaffoldRule(name, sketch);
  if (text === undefined)
    throw new UsageError(
      sketch.command === undefined
        ? `--path "${sketch.path}" fits every file, or none; name those that you mean`
        : `--command "${sketch.command}" fits every command, or none; name the one that you mean`,
    );
  const [problem] = parseUserRule(text, { file, namespace, ...knownWords() }).problems;
  if (problem) throw new UsageError(`such a rule cannot be used: ${problem.message}`);
  return text;
}

function choice<Word extends string>(input: Input, option: string, words: readonly Word[]): Word | undefined {
  const given = input.text(option);
  if (given === undefined) return undefined;
  const word = words.find((one) => one === given);
  if (word === undefined)
    throw new UsageError(
      `--${option} cannot be "${given}"${hint(given, words) || `; it is one of ${words.join(', ')}`}`,
    );
  return word;
}

export default { order: 130, verbs: { 'rules new': create } } satisfies VerbFile;
