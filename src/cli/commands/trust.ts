import { knownWords } from '../../adapters/registry.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join, resolve } from '../../platform/paths.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { parseMessage } from '../../workspace/config/messages.ts';
import { parseConfig } from '../../workspace/config/parse.ts';
import { acceptProject, forgetProject, listProject, PROJECT_DIR, trustStatus } from '../../workspace/config/trust.ts';
import type { ListedFile, Listing, TrustDeps, TrustStatus } from '../../workspace/config/trust.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld, Command, Input } from '../command.ts';
import { rootAt, shown } from '../known-rules.ts';
import { counted, paint, printable } from '../table.ts';

export const trust: Command = {
  summary: 'accept what a project brings',
  usage: '[dir]',
  details: `Shows every file below .fairlead that would take effect, whole, with invisible characters made visible, and asks. What is accepted is this exact
content: a change of any of these files puts all of them out of force until you have looked again.`,
  args: [0, 1],
  options: { yes: { type: 'boolean', short: 'y', help: 'accept without being asked, after it was shown' } },
  async run(input, world) {
    const root = rootOf(input, world);
    const deps = depsOf(world);
    const listing = listProject(root, deps);
    const status = trustStatus(root, deps);
    const place = join(shown(world, root) || '.', PROJECT_DIR);
    if (listing.files.length === 0) {
      for (const problem of listing.problems) world.out(describe(problem, world));
      world.out(`Nothing to trust: ${place} holds no settings, rules or messages.\n`);
      return 0;
    }
    if (status.state === 'trusted') {
      world.out(`${place} is already trusted as it is: ${counted(listing.files.length, 'file')}.\n`);
      return 0;
    }
    for (const file of listing.files) world.out(page(file, status, world));
    world.out(summaryOf(listing, status, world));
    if (
      !input.has('yes') &&
      !(await world.ask(`Let ${counted(listing.files.length, 'file')} in ${place} take effect?`))
    ) {
      world.out('Nothing was accepted.\n');
      return 1;
    }
    const acceptance = acceptProject(listing, deps);
    if (!acceptance.accepted)
      throw new CommandError(
        `${place} changed while you were looking, so nothing was accepted; run \`fairlead trust\` again`,
      );
    world.out(`Trusted: ${place}. \`fairlead untrust\` takes it back.\n`);
    return 0;
  },
};

export const untrust: Command = {
  summary: 'take that back',
  usage: '[dir]',
  args: [0, 1],
  run(input, world) {
    const root = rootOf(input, world);
    const place = join(shown(world, root) || '.', PROJECT_DIR);
    world.out(
      forgetProject(root, depsOf(world))
        ? `${place} is no longer trusted and has no effect.\n`
        : `${place} was not trusted; nothing to take back.\n`,
    );
  },
};

/** Trust belongs to the root that an agent in this directory would have. */
function rootOf(input: Input, world: CliWorld): string {
  const given = input.args[0];
  const dir = given === undefined ? world.cwd : resolve(world.cwd, given);
  if (nodeFiles.stat(dir)?.kind !== 'dir') throw new UsageError(`no directory ${given}`);
  const root = rootAt(world, dir);
  if (given !== undefined && nodeFiles.realpath(dir) !== root)
    world.err(`${given} belongs to the workspace ${root}.\n`);
  return root;
}

function depsOf(world: CliWorld): TrustDeps {
  return { files: nodeFiles, state: world.paths.state, now: Date.now };
}

function page({ name, text }: ListedFile, status: TrustStatus, world: CliWorld): string {
  const mark = status.changed.includes(name)
    ? ' (changed)'
    : status.state === 'changed' && status.added.includes(name)
      ? ' (new)'
      : '';
  const isDos = text.includes('\r\n') && !/[^\r]\n/.test(text);
  const lines = (isDos ? text.replaceAll('\r\n', '\n') : text).replace(/\n$/, '').split('\n');
  const width = String(lines.length).length;
  const body = lines
    .map((line, at) => `${paint(world, 'dim', `${String(at + 1).padStart(width)} │`)} ${visible(line)}`.trimEnd())
    .join('\n');
  return `${paint(world, 'bold', `${visible(name)}${mark}`)}\n${body}\n\n`;
}

function summaryOf(listing: Listing, status: TrustStatus, world: CliWorld): string {
  const problems = [...listing.problems, ...listing.files.flatMap((file) => problemsIn(file, listing.project))];
  const lines = problems.map((problem) => describe(problem, world));
  if (status.state === 'changed') {
    const parts = [
      ...status.changed.map((name) => `changed: ${name}`),
      ...status.added.map((name) => `new: ${name}`),
      ...status.removed.map((name) => `gone: ${name}`),
    ];
    lines.push(`Since you last accepted it:\n${parts.map((part) => `  ${visible(part)}\n`).join('')}`);
  }
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

function problemsIn({ name, kind, text }: ListedFile, root: string): readonly Problem[] {
  const file = join(root, PROJECT_DIR, name);
  if (kind === 'config') return parseConfig(text, file).problems;
  if (kind === 'message') return parseMessage(text, { file, name: name.slice('messages/'.length) }).problems;
  return parseUserRule(text, { file, namespace: 'project', ...knownWords() }).problems;
}

function describe({ file, line, message, severity }: Problem, world: CliWorld): string {
  return `${severity}: ${visible(shown(world, file))}:${line}: ${printable(message)}\n`;
}

/** Everything that a terminal would hide, move or reorder is shown as its number. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
