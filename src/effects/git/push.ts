import type { Effect } from '../../event/effect.ts';
import type { ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import type { Arguments } from './grammar.ts';
import { grammar, readArguments } from './grammar.ts';
import type { GitCall, ReadGit } from './call.ts';
import { inRepository, isSharedBranch, moveBranch, named } from './call.ts';

const PUSH = grammar(
  'v verbose, q quiet, repo=, all, branches, mirror, d delete, tags, n dry-run, porcelain, f force, force-with-lease?, ' +
    'force-if-includes, recurse-submodules=, thin, receive-pack=, exec=, u set-upstream, progress, prune, verify, ' +
    'follow-tags, signed?, atomic, o push-option=, 4 ipv4, 6 ipv6',
);

interface Ref {
  readonly branch: string;
  /** What is put there. */
  readonly from: string;
  readonly forced: boolean;
  readonly deleted: boolean;
}

const push: ReadGit = (call) => {
  const args = readArguments(call.words, PUSH);
  if (args.help || args.on('dry-run')) return [];
  const [remote, ...specs] = [...args.operands, ...(args.afterDashes ?? [])];
  const { value: host, known = false } = remote ?? args.values('repo').at(-1) ?? {};
  const make = pushEffect(call, known ? host : undefined);
  const sent = sendsAll(call, args, host) ? [sendEffect(call, host ?? '')] : [];
  if (args.on('mirror')) return [...sent, make('force-push', 'mirror', '', true)];
  const everywhere = args.on('all', 'branches');
  const refs = readRefs(specs, args.on('delete'));
  // A lease named after --force is what the person meant last; a `+` forces its ref whatever else is said.
  const forced = args.at('force') > args.at('force-with-lease');
  const leased = !forced && args.on('force-with-lease');
  const effects = (refs.length === 0 ? [{ branch: '', from: 'HEAD', forced: false, deleted: false }] : refs).map(
    (ref) => {
      if (ref.deleted) return make('delete-branch', 'remote', ref.branch, false, 'a branch');
      if (ref.forced || forced)
        return {
          ...make('force-push', ref.forced ? 'plus' : 'force', ref.branch, everywhere),
          ...pushed(call, ref.from),
        };
      return make('push', leased ? 'with-lease' : 'plain', ref.branch, everywhere);
    },
  );
  return [...sent, ...effects, ...(args.on('prune') ? [make('delete-branch', 'remote-prune', '', true)] : [])];
};

const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/|[\w.-]+@[\w.-]+:|[\w.-]+\.[a-z]{2,}:)/i;

/** Everything goes to an address, or to a remote that the same text has just pointed at one. */
function sendsAll({ scene }: GitCall, args: Arguments, host: string | undefined): boolean {
  if (host !== undefined && ADDRESS.test(host)) return args.on('all', 'branches', 'mirror');
  return scene.reading.commands.some(({ program, words: [, noun, verb, ...rest] }) => {
    if (program !== 'git' || noun?.value !== 'remote' || !/^(?:set-url|add)$/.test(verb?.value ?? '')) return false;
    const [name, address] = rest.filter(({ value }) => !value.startsWith('-'));
    const isThis = name?.value === (host ?? 'origin');
    return isThis && ADDRESS.test(address?.value ?? '') && (verb?.value === 'set-url' || args.on('all', 'mirror'));
  });
}

function sendEffect({ command, scene }: GitCall, host: string): Effect {
  return scene.effect(command, { kind: 'send', how: 'push', target: 'every branch', of: 'tree', host });
}

/** Where a repository lies says nothing of where it is pushed to. */
function pushed(call: GitCall, from: string): Pick<Effect, 'git'> {
  const { git } = inRepository(call, from.includes(UNKNOWN) ? 'untold' : { to: from });
  return git ? { git } : {};
}

function pushEffect(call: GitCall, host: string | undefined) {
  const { command, scene } = call;
  const { git } = inRepository(call);
  return (
    kind: Effect['kind'],
    how: string,
    branch: string,
    recursive = false,
    unnamed = 'the current branch',
  ): Effect =>
    scene.effect(command, {
      kind,
      how,
      target: branch === '' ? (recursive ? 'every branch' : unnamed) : branch,
      branch,
      ...(host === undefined ? {} : { host }),
      ...(recursive ? { recursive } : {}),
      ...(git && { git }),
    });
}

function readRefs(specs: readonly ShellWord[], deletes: boolean): readonly Ref[] {
  const refs: Ref[] = [];
  for (let at = 0; at < specs.length; at += 1) {
    const { value } = specs[at] as ShellWord;
    if (value === 'tag' && !deletes && at + 1 < specs.length) {
      at += 1;
      const tag = `refs/tags/${(specs[at] as ShellWord).value}`;
      refs.push({ branch: tag, from: tag, forced: false, deleted: false });
      continue;
    }
    const forced = value[0] === '+';
    const bare = forced ? value.slice(1) : value;
    const colon = bare.indexOf(':');
    const branch = nameBranch(colon < 0 ? bare : bare.slice(colon + 1));
    refs.push({
      branch,
      from: colon < 0 ? bare : bare.slice(0, colon),
      forced,
      deleted: deletes || (colon === 0 && bare.length > 1),
    });
  }
  return refs;
}

/** `HEAD` and `@` push to the branch that is checked out, which the text does not name. */
function nameBranch(ref: string): string {
  if (ref === 'HEAD' || ref === '@' || ref.includes(UNKNOWN)) return '';
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : ref;
}

const BRANCH = grammar(
  'v verbose, q quiet, t track?direct|inherit, u set-upstream-to=, unset-upstream, color?, r remotes, contains, ' +
    'abbrev?, a all, d delete, D, m move, M, omit-empty, c copy, C, l list, show-current, create-reflog, ' +
    'edit-description, f force, merged, column?, sort=, points-at=, i ignore-case, recurse-submodules, format=',
);

/** Renaming between these is how a fresh repository gets its first branch name. */
const FIRST_NAMES: ReadonlySet<string> = new Set(['main', 'master', 'trunk']);

const branch: ReadGit = (call) => {
  const args = readArguments(call.words, BRANCH);
  if (args.help || args.on('list', 'remotes', 'show-current')) return [];
  const names = [...args.operands, ...(args.afterDashes ?? [])];
  if (args.on('D') || (args.on('delete') && args.on('force'))) return names.map((name) => lose(call, 'forced', name));
  if (args.on('delete')) return [];
  const to = names[args.on('move', 'M', 'copy', 'C') ? 0 : 1];
  return replaced(args, names).map((name) => lose(call, 'moved', name, to ?? HEAD));
};

const HEAD: ShellWord = { text: 'HEAD', value: 'HEAD', known: true, glob: false, from: [] };

/** The branch that is pointed elsewhere, with what only it held. */
function replaced(args: Arguments, names: readonly ShellWord[]): readonly ShellWord[] {
  if (args.on('M', 'C') || (args.on('force') && args.on('move', 'copy'))) {
    const [from, to] = names;
    return from && to && !(FIRST_NAMES.has(from.value) && FIRST_NAMES.has(to.value)) ? [to] : [];
  }
  return args.on('force') ? names.slice(0, 1) : [];
}

function lose(call: GitCall, how: string, { value, text, known }: ShellWord, to?: ShellWord): Effect {
  return call.scene.effect(call.command, {
    kind: 'delete-branch',
    how,
    target: known ? value : text.replaceAll(UNKNOWN, '…'),
    branch: known ? value : '',
    ...inRepository(call, known ? named(to) : 'untold'),
  });
}

const FETCH = grammar(
  'v verbose, q quiet, all, set-upstream, a append, atomic, upload-pack=, f force, m multiple, t tags, n, j jobs=, ' +
    'prefetch, p prune, P prune-tags, recurse-submodules?, dry-run, porcelain, write-fetch-head, k keep, u update-head-ok, ' +
    'progress, depth=, shallow-since=, shallow-exclude=, deepen=, unshallow, refetch, update-shallow, refmap=, ' +
    'o server-option=, 4 ipv4, 6 ipv6, negotiation-tip=, filter=, auto-maintenance, auto-gc, show-forced-updates, stdin',
);

/** `git fetch -f origin main:main` points a branch of one's own elsewhere. */
const fetch: ReadGit = (call) => {
  const args = readArguments(call.words, FETCH);
  if (args.help || args.on('dry-run')) return [];
  return args.operands.slice(1).flatMap((word) => {
    const colon = word.value.indexOf(':');
    const forced = args.on('force') || word.value[0] === '+';
    const to = { ...word, value: word.value.slice(colon + 1) };
    return forced && colon > 0 && isSharedBranch(to.value) ? [moveBranch(call, to)] : [];
  });
};

export const GIT_PUSHES: Readonly<Record<string, ReadGit>> = { push, 'send-pack': push, branch, fetch };
