import { spawnSync } from 'node:child_process';
import { placeholdersOf } from '../../engine/advice/messages.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import { nodeFiles } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';
import type { Environment } from '../../platform/paths.ts';
import type { OwnKind } from '../../workspace/config/compiled.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { hint } from '../hint.ts';
import { knownRules, ruleNamed, shown } from '../known-rules.ts';
import type { KnownRules } from '../known-rules.ts';
import { messageOf, messagesOf, orphansOf, overridePath } from '../rule-messages.ts';
import type { MessageState } from '../rule-messages.ts';
import { printable, printTable } from '../table.ts';
import { isOtherProgram } from '../../workspace/config/borrowed-files.ts';

/** Opens a file in the person's editor and waits for its end; false when they have named none. The variable may hold arguments, so a shell reads it. */
function editInEditor(path: string, env: Environment): boolean {
  const editor = env['VISUAL'] || env['EDITOR'];
  if (!editor) return false;
  const { status, error } =
    process.platform === 'win32'
      ? spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
      : spawnSync('sh', ['-c', `${editor} "$1"`, 'editor', path], { stdio: 'inherit' });
  if (error || status !== 0)
    throw new CommandError(
      `the editor (${editor}) ended with ${error?.message ?? `exit code ${status}`}; ${path} is as it left it`,
    );
  return true;
}

const SCOPE = { scope: { type: 'string', value: 'user|project', help: 'whose override (user)' } } as const;

export const list: Command = {
  summary: 'every message, its source and its placeholders',
  options: { rule: { type: 'string', value: 'ID', help: 'messages of one rule' }, ...JSON_OPTION },
  async run(input, world) {
    const known = await knownRules(world);
    const wanted = input.text('rule');
    const rules = wanted === undefined ? known.rules : [ruleNamed(known, wanted)];
    const messages = rules.flatMap((rule) => messagesOf(rule, known.layers));
    const orphans = wanted === undefined ? orphansOf(known.rules, known.layers) : [];
    const skipped = skippedMessages(known);
    if (input.has('json')) return printJson(world, { messages, orphans, skipped });
    const rows = messages.map((message) => [
      message.rule,
      message.variant,
      message.source,
      statusOf(message),
      message.placeholders.map((name) => `{${name}}`).join(' '),
    ]);
    printTable(
      world,
      [
        { title: 'RULE' },
        { title: 'VARIANT' },
        { title: 'SOURCE' },
        { title: 'STATUS', shrinksTo: 30 },
        { title: 'PLACEHOLDERS' },
      ],
      rows,
    );
    for (const { rule, variant, file } of orphans)
      world.out(`\n${shown(world, file)} has no effect: there is no message ${rule} ${variant}.\n`);
    if (skipped.length > 0)
      world.out(`\nNot trusted, so without effect:\n${skipped.map((name) => `  ${name}\n`).join('')}`);
    return 0;
  },
};

export const show: Command = {
  summary: 'one message as it would be said',
  usage: '<rule> [variant]',
  details:
    'The variant may be left out when the rule has only one. Words in braces are filled in when the rule speaks.',
  args: [1, 2],
  options: JSON_OPTION,
  async run(input, world) {
    const known = await knownRules(world);
    const { rule, variant } = chosen(input, known);
    const message = messageOf(rule, variant, known.layers);
    const builtIn = rule.meta.messages[variant] ?? '';
    if (input.has('json')) return printJson(world, { ...message, builtIn });
    world.out(`${rule.meta.id} ${variant}: ${message.source}, ${statusOf(message)}\n`);
    if (message.file !== undefined) world.out(`override: ${shown(world, message.file)}\n`);
    world.out(`placeholders: ${message.placeholders.map((name) => `{${name}}`).join(' ') || 'none'}\n\n`);
    world.out(message.status === 'silent' ? silence(rule) : `${printable(message.text.trim())}\n`);
    if (message.file !== undefined && message.status !== 'broken')
      world.out(`\nwithout the override:\n\n${printable(builtIn.trim())}\n`);
    return 0;
  },
};

export const edit: Command = {
  summary: 'reword a message',
  gated: 'it changes what the rules say',
  changesRules: true,
  usage: '<rule> [variant]',
  details: `Copies the text to a file of yours, opens it in $VISUAL or $EDITOR, and checks the result. An empty file means silence. A placeholder that the rule
does not fill makes the override broken, and the rule's own words are said.`,
  args: [1, 2],
  options: { text: { type: 'string', value: 'TEXT', help: 'the new words, without an editor' }, ...SCOPE },
  async check(input, world) {
    scopeOf(input);
    chosen(input, await knownRules(world));
  },
  async run(input, world) {
    const known = await knownRules(world);
    const { rule, variant } = chosen(input, known);
    const scope = scopeOf(input);
    const path = overridePath(scope, known.layers, rule.meta.id, variant);
    const builtIn = rule.meta.messages[variant] ?? '';
    const isNew = !nodeFiles.exists(path);
    const text = input.text('text');
    nodeFiles.makeDir(dirname(path), scope === 'user' ? 0o700 : 0o755);
    if (text !== undefined) nodeFiles.writeAtomic(path, text === '' ? '' : `${text}\n`);
    else {
      if (isNew) nodeFiles.writeAtomic(path, `${builtIn.trim()}\n`);
      const opened = world.interactive && editInEditor(path, world.env);
      if (!opened) {
        world.out(`${shown(world, path)} holds the text; set $EDITOR to have it opened, or edit it yourself.\n`);
        return 0;
      }
      if (isNew && nodeFiles.readText(path)?.trim() === builtIn.trim()) {
        nodeFiles.remove(path);
        world.out('Nothing was changed, so no override was kept.\n');
        return 0;
      }
    }
    return await sayResult(world, known, rule, variant, scope);
  },
};

export const reset: Command = {
  summary: 'go back to the built-in words',
  gated: 'it changes what the rules say',
  changesRules: true,
  usage: '<rule> [variant]',
  args: [1, 2],
  options: SCOPE,
  async check(input, world) {
    const known = await knownRules(world);
    if (!orphanNamed(input, known)) chosen(input, known);
  },
  async run(input, world) {
    const known = await knownRules(world);
    const scope = scopeOf(input);
    const orphan = orphanNamed(input, known);
    if (orphan) {
      nodeFiles.remove(orphan.file);
      world.out(`Removed ${shown(world, orphan.file)}; it had no effect.\n`);
      return 0;
    }
    const { rule, variant } = chosen(input, known);
    const path = overridePath(scope, known.layers, rule.meta.id, variant);
    if (!nodeFiles.lstat(path)) {
      const other = scope === 'user' ? 'project' : 'user';
      const elsewhere = nodeFiles.exists(overridePath(other, known.layers, rule.meta.id, variant));
      world.out(
        `There is no override of ${rule.meta.id} ${variant} for this scope${elsewhere ? `; --scope ${other} has one` : ''}.\n`,
      );
      const { source, file = '' } = messageOf(rule, variant, known.layers);
      if (isOtherProgram(source))
        world.out(`The one in force is a file of ${source}, ${shown(world, file)}; remove it there to be rid of it.\n`);
      return 0;
    }
    nodeFiles.remove(path);
    world.out(`Removed ${shown(world, path)}.\n`);
    if (scope === 'project' && known.layers.project.state === 'trusted')
      world.out('The project changed by this; `fairlead trust` puts the rest of it back in force.\n');
    const after = messageOf(rule, variant, (await knownRules(world, known.root)).layers);
    world.out(
      `${rule.meta.id} ${variant} now says what is ${after.source === 'built in' ? 'built in' : `in ${describeSource(after)}`}.\n`,
    );
    return 0;
  },
};

async function sayResult(
  world: CliWorld,
  before: KnownRules,
  rule: ActiveRule,
  variant: string,
  scope: OwnKind,
): Promise<number> {
  const path = overridePath(scope, before.layers, rule.meta.id, variant);
  const { layers } = await knownRules(world, before.root);
  world.out(`${shown(world, path)}\n`);
  if (scope === 'project' && layers.project.state !== 'trusted') {
    world.out('It belongs to the project, so it takes effect once you accept it: `fairlead trust`.\n');
    return 0;
  }
  const message = messageOf(rule, variant, layers);
  if (message.source !== scope) {
    world.out(`It has no effect here: ${describeSource(message)} is above it.\n`);
    return 0;
  }
  if (message.status === 'broken') {
    const known = message.placeholders.map((name) => `{${name}}`).join(', ');
    throw new CommandError(
      `the override is broken: ${message.problem}; ${known === '' ? 'this message has no placeholders' : `the rule fills ${known}`}. Until it is mended the rule's own words are said.`,
    );
  }
  if (message.status === 'silent') world.out(silence(rule));
  else {
    const unused = message.placeholders.filter((name) => !placeholdersOf(message.text).includes(name));
    world.out(
      `The new words are in force${unused.length === 0 ? '' : ` and leave out ${unused.map((name) => `{${name}}`).join(', ')}`}.\n`,
    );
  }
  return 0;
}

function silence({ meta }: ActiveRule): string {
  return `The override is empty: ${meta.id} says nothing here, as intended. What it stops or asks about, it still does, with a short reason.\n`;
}

function describeSource({ source }: MessageState): string {
  if (isOtherProgram(source)) return `the project's override for ${source}`;
  return source === 'rule file' ? 'the rule file' : `the ${source}'s override`;
}

/** From the project's root. */
function skippedMessages({ layers: { project } }: KnownRules): readonly string[] {
  return project.files.flatMap(({ kind, state, name }) => {
    if (state !== 'skipped') return [];
    return kind === 'message' ? [`.fairlead/${name}`] : kind === 'borrowed-message' ? [name] : [];
  });
}

function statusOf({ status, problem }: MessageState): string {
  return status === 'broken' ? `broken: ${problem}; the rule's own words are said` : status;
}

/** What is left of a rule that is gone can still be removed. */
function orphanNamed(input: Input, { rules, layers }: KnownRules) {
  const [id, named] = input.args;
  const scope = scopeOf(input);
  return orphansOf(rules, layers).find(
    ({ source, rule, variant }) => source === scope && rule === id && variant === named,
  );
}

function chosen(input: Input, known: KnownRules): { readonly rule: ActiveRule; readonly variant: string } {
  const [name = '', named] = input.args;
  const rule = ruleNamed(known, name);
  const { id } = rule.meta;
  const variants = Object.keys(rule.meta.messages);
  const [only] = variants;
  if (named === undefined && only !== undefined && variants.length === 1) return { rule, variant: only };
  if (variants.length === 0) throw new UsageError(`${id} has no messages`);
  if (named === undefined) throw new UsageError(`${id} has several messages; name one of ${variants.join(', ')}`);
  if (!variants.includes(named))
    throw new UsageError(
      `${id} has no message "${named}"${hint(named, variants) || `; it has ${variants.join(', ')}`}`,
    );
  return { rule, variant: named };
}

function scopeOf(input: Input): OwnKind {
  const scope = input.text('scope') ?? 'user';
  if (scope !== 'user' && scope !== 'project') throw new UsageError(`--scope is user or project, not "${scope}"`);
  return scope;
}

export default {
  order: 200,
  groups: { message: 'the words of rules: list, show, edit, reset' },
  verbs: { 'message list': list, 'message show': show, 'message edit': edit, 'message reset': reset },
} satisfies VerbFile;
