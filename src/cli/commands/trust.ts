import { knownWords } from '../../adapters/registry.ts';
import { PACK_SETUPS } from '../../packs/cli.generated.ts';
import { loadBorrowed } from '../../packs/load-borrowed.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join, resolve } from '../../platform/paths.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { BORROWINGS, borrowingOf, isBorrowedName } from '../../workspace/config/borrowed-files.ts';
import type { Borrowing } from '../../workspace/config/borrowed-files.ts';
import { borrowedReaders } from '../../workspace/config/borrowed-readers.ts';
import type { ReaderOf } from '../../workspace/config/borrowed-readers.ts';
import { parseBorrowedSettings } from '../../workspace/config/borrowed-settings.ts';
import { parseMessage } from '../../workspace/config/messages.ts';
import { parseConfig } from '../../workspace/config/parse.ts';
import { acceptProject, forgetProject, listProject, PROJECT_DIR, trustStatus } from '../../workspace/config/trust.ts';
import type { ListedFile, Listing, TrustDeps, TrustStatus } from '../../workspace/config/trust.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { rewire } from '../install/rewire.ts';
import { rootAt, shown } from '../known-rules.ts';
import { counted, paint, printable } from '../table.ts';

export const trust: Command = {
  summary: 'accept what a project brings',
  gated: 'it lets a repository bring its own rules and messages',
  changesRules: true,
  usage: '[dir]',
  details: `Shows every file below .fairlead that would take effect, whole, with invisible characters made visible, and asks. What is accepted is this exact
content: a change of any of these files puts all of them out of force until you have looked again.
${BORROWINGS.map(describeBorrowing).join('')}`,
  args: [0, 1],
  options: { yes: { type: 'boolean', short: 'y', help: 'accept without being asked, after it was shown' } },
  check: (input, world) => void dirOf(input, world),
  async run(input, world) {
    const root = rootOf(input, world);
    const deps = depsOf(world);
    const context = await textOf(root, input, world);
    const listing: Listing = { ...listProject(root, deps), context: context !== undefined };
    const status = trustStatus(root, deps);
    const trusted = describeTrusted(listing, root, world);
    const { files } = listing;
    if (files.length === 0 && context === undefined) {
      for (const problem of listing.problems) world.out(describe(problem, world));
      world.out(`Nothing to trust: ${trusted} holds no settings, rules or messages.\n`);
      return 0;
    }
    if (isAlreadyTrusted(listing, status)) {
      const parts = [
        ...(files.length > 0 ? [counted(files.length, 'file')] : []),
        ...(context === undefined ? [] : [`the text of ${shown(world, context)}`]),
      ];
      world.out(`${trusted} is already trusted as it is: ${parts.join(', and ')}.\n`);
      return 0;
    }
    for (const file of files) world.out(page(file, status, world));
    world.out(summaryOf(listing, status, await borrowedReaders(files, loadBorrowed), world));
    if (context !== undefined) world.out(aboutText(shown(world, context)));
    const question =
      files.length === 0
        ? `Let the text of ${shown(world, context ?? '')} reach the agent?`
        : `Let ${counted(files.length, 'file')} in ${trusted} take effect${context === undefined ? '' : ', and that text reach the agent'}?`;
    if (!input.has('yes') && !(await world.ask(question))) {
      world.out('Nothing was accepted.\n');
      return 1;
    }
    const acceptance = acceptProject(listing, deps);
    if (!acceptance.accepted)
      throw new CommandError(
        `${trusted} changed while you were looking, so nothing was accepted; run \`fairlead trust\` again`,
      );
    world.out(`Trusted: ${trusted}. \`fairlead untrust\` takes it back.\n`);
    await rewire(root, world);
    return 0;
  },
};

export const untrust: Command = {
  summary: 'take that back',
  gated: 'it puts the rules of a project out of force',
  changesRules: true,
  usage: '[dir]',
  args: [0, 1],
  check: (input, world) => void dirOf(input, world),
  async run(input, world) {
    const root = rootOf(input, world);
    const trusted = describeTrusted(listProject(root, depsOf(world)), root, world);
    world.out(
      forgetProject(root, depsOf(world))
        ? `${trusted} is no longer trusted, and what it brings has no effect.\n`
        : `${trusted} was not trusted; nothing to take back.\n`,
    );
    await rewire(root, world);
  },
};

function describeBorrowing({ dir, settings, program }: Borrowing): string {
  return `
Of a project with a ${dir} directory it also shows ${settings} and the messages it has for ${program}, which count by themselves, and says that the
text of ${dir}/*.md will be given to the agent: that text changes all the time and is not part of what is accepted.`;
}

function dirOf({ args: [given] }: Input, world: CliWorld): string {
  const dir = given === undefined ? world.cwd : resolve(world.cwd, given);
  if (nodeFiles.stat(dir)?.kind !== 'dir') throw new UsageError(`no directory ${given}`);
  return dir;
}

/** Trust belongs to the root that an agent in this directory would have. */
function rootOf(input: Input, world: CliWorld): string {
  const given = input.args[0];
  const dir = dirOf(input, world);
  const root = rootAt(world, dir);
  if (given !== undefined && nodeFiles.realpath(dir) !== root) world.err(`${given} belongs to the project ${root}.\n`);
  return root;
}

/** What is trusted, as people would type it: `.fairlead` alone, or the project where it brings more than that. */
function describeTrusted({ files, context }: Listing, root: string, world: CliWorld): string {
  const project = shown(world, root) || '.';
  const isMore = context || files.some(({ name }) => isBorrowedName(name));
  return isMore ? (project === '.' ? 'this project' : project) : join(project, PROJECT_DIR);
}

/** The directory whose text the agent would be given: that of the directory, or of the workspace it belongs to. */
async function textOf(root: string, input: Input, world: CliWorld): Promise<string | undefined> {
  const cwd = resolve(world.cwd, input.args[0] ?? '.');
  const setups = await Promise.all(PACK_SETUPS.map(({ load }) => load()));
  const texts = setups.map((setup) => setup.textAt?.({ ...world, cwd }));
  return texts.find((text) => text?.workspace === root)?.dir;
}

function isAlreadyTrusted({ files, context }: Listing, status: TrustStatus): boolean {
  const hasBorrowed = context || files.some(({ name }) => isBorrowedName(name));
  const hasOwn = files.some(({ name }) => !isBorrowedName(name));
  return (!hasOwn || status.state === 'trusted') && (!hasBorrowed || status.context === 'trusted');
}

function aboutText(dir: string): string {
  return `The text of ${dir}/*.md, and reminders kept there, will be given to the agent as the project's own words, whatever it says from now on.\n\n`;
}

function depsOf(world: CliWorld): TrustDeps {
  return { files: nodeFiles, state: world.paths.state, now: Date.now };
}

function page({ name, text }: ListedFile, status: TrustStatus, world: CliWorld): string {
  const mark = status.changed.includes(name) ? ' (changed)' : status.added.includes(name) ? ' (new)' : '';
  const isDos = text.includes('\r\n') && !/[^\r]\n/.test(text);
  const lines = (isDos ? text.replaceAll('\r\n', '\n') : text).replace(/\n$/, '').split('\n');
  const width = String(lines.length).length;
  const body = lines
    .map((line, at) => `${paint(world, 'dim', `${String(at + 1).padStart(width)} │`)} ${visible(line)}`.trimEnd())
    .join('\n');
  return `${paint(world, 'bold', `${visible(name)}${mark}`)}\n${body}\n\n`;
}

function summaryOf(listing: Listing, status: TrustStatus, readerOf: ReaderOf, world: CliWorld): string {
  const own = listing.files.flatMap((file) => problemsIn(file, listing.project, readerOf));
  const problems = [...listing.problems, ...own];
  const lines = problems.map((problem) => describe(problem, world));
  const parts = [
    ...status.changed.map((name) => `changed: ${name}`),
    ...status.added.map((name) => `new: ${name}`),
    ...status.removed.map((name) => `gone: ${name}`),
  ];
  if (parts.length > 0) {
    lines.push(`Since you last accepted it:\n${parts.map((part) => `  ${visible(part)}\n`).join('')}`);
  }
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

function problemsIn({ name, kind, text }: ListedFile, root: string, readerOf: ReaderOf): readonly Problem[] {
  const file = isBorrowedName(name) ? join(root, name) : join(root, PROJECT_DIR, name);
  if (kind === 'config') return parseConfig(text, file).problems;
  if (kind === 'message' || kind === 'borrowed-message') return parseMessage(text, { file, name }, readerOf).problems;
  const borrowing = borrowingOf(name);
  if (borrowing) return parseBorrowedSettings(text, file, borrowing.pack, readerOf(borrowing)).problems;
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

export default { order: 190, verbs: { trust, untrust } } satisfies VerbFile;
