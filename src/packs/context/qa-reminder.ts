import { asPath, defineRule, own } from '../../engine/rule.ts';
import type { RuleContext, Verdict } from '../../engine/rule.ts';
import { isReadWhole } from '../../shell/command.ts';
import type { Reading } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { readGitCall, readCommit } from './git-call.ts';
import type { GitCall } from './git-call.ts';
import { tell } from './nudge.ts';
import { oneOf, readGroup } from './options.ts';
import { contextRoot } from './place.ts';
import { CHECK_COMMANDS, CHECK_DEFAULTS, CHECK_WORDS, checksIn, isRunOf } from './qa-checks.ts';
import type { Check } from './qa-checks.ts';
import { nextStep } from './qa-next.ts';
import { COMMITTED, describeStanding, ofPrompt, QA, readQa, standingOf } from './qa-state.ts';
import type { QaState } from './qa-state.ts';
import { watch } from './qa-watch.ts';
import { ifWhole } from './whole.ts';
import { repositoryOf } from './commit-calls.ts';
import { provenCommands } from './exit-code.ts';

/** What puts work into a repository, or takes it to another one. */
const WRITES: ReadonlySet<string> = new Set(
  'add am apply cherry-pick commit commit-tree merge mv notes pull push rebase revert rm stash tag update-ref'.split(
    ' ',
  ),
);

/** Whether a call is among those that are spoken about. */
function isMeant({ name }: GitCall, when: 'any' | 'write' | 'commit'): boolean {
  if (when === 'any') return true;
  return when === 'commit' ? name === 'commit' : WRITES.has(name);
}

interface Line {
  readonly calls: readonly GitCall[];
  readonly checks: readonly Check[];
  readonly text: string;
  readonly reading: Reading;
}

interface Attempt extends Line {
  readonly qa: QaState;
  /** Of the workspace: a commit elsewhere is nothing that its checks look at. */
  readonly root: string;
}

/** The checks that a commit would be made without; one that the same call runs first, joined by `&&`, is none. */
function openAtCommit({ qa, root, ...line }: Attempt): readonly Check[] {
  const calls = line.calls.filter((call) => isCommit(call) && !isElsewhere(call, root));
  if (calls.length === 0) return [];
  const first = checksRunFirst({ ...line, calls });
  return line.checks.filter((check) => standingOf(qa, check.name) !== 'passed' && !first.includes(check));
}

/** The checks that have passed whenever the line comes to one of the calls. */
function checksRunFirst({ calls, checks, text, reading }: Line): readonly Check[] {
  const runs = calls.map(({ command }) => provenCommands(text, reading, command));
  return checks.filter((check) => runs.every((commands) => commands.some((command) => isRunOf(check, command))));
}

function isElsewhere(call: GitCall, root: string): boolean {
  const { dir, gitDir = dir } = repositoryOf(call);
  return gitDir !== undefined && gitDir !== root && !gitDir.startsWith(`${root}/`);
}

function isCommit({ name, words }: GitCall): boolean {
  return name === 'commit' && readCommit(words) !== undefined;
}

const DEFAULTS = {
  /** The git commands that are spoken about. */
  when: 'any',
  /** What those after the first one of a prompt get. */
  repeat: 'short',
  mode: 'nudge',
  checks: CHECK_DEFAULTS,
};
/** An agent that insists has its reasons, and the person sees that it did. */
const MOST_DENIALS = 2;
const SHORT = 120;
const MESSAGES = {
  gate: 'Checks, before work goes into git:\n{checks}\nNext: {next}\nProject context: {contextDir}',
  'gate-short': 'Checks: {summary}. Next: {next}',
  held: '`git commit` was stopped: {missing} not seen to pass since the last edit. A run counts when the call ends with its exit code: not in front of a pipe, `||` or `;`.\nNext: {next}',
} as const;

export default defineRule({
  id: 'context/qa-reminder',
  pack: 'context',
  summary: 'Before work goes into git, says which checks have passed since the last edit.',
  on: [
    { event: 'tool.before', tool: ['shell'], words: ['git'] },
    { event: 'tool.after', tool: ['shell'], words: CHECK_WORDS, optionWords: 'qa.checks.lint' },
    { event: 'tool.after', tool: ['shell'], optionWords: 'qa.checks.test' },
    { event: ['tool.after', 'tool.failed'], tool: ['shell'], effect: ['write', 'delete'] },
    { event: 'tool.after', tool: ['edit', 'write'] },
  ],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR },
  mode: 'enforce',
  priority: 60,
  state: { qa: QA, committed: COMMITTED },
  options: { qa: DEFAULTS },
  messages: MESSAGES,
  expect: { tool: 'shell', words: CHECK_COMMANDS, around: ['--no-verify'], within: 10 },
  examples: { pass: ['git status', 'cat .gitignore', { event: 'tool.after', command: 'npm test' }] },
  check(event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const options = readGroup(context.options.qa, DEFAULTS);
    const checks = checksIn(options.checks);
    const { workspace, state, now } = context;
    const seen = readQa(state.qa.get());
    if (event.name !== 'tool.before') {
      const after = watch(seen, event, { checks, root, workspace, effects: context.effects, now });
      if (after !== seen) state.qa.set(after);
      return context.pass(after === seen ? 'no edit, and no check that passed' : 'noted');
    }
    if (checks.length === 0) return context.pass('no checks are set');
    const text = event.tool?.command ?? '';
    const reading = readShell(text, { cwd: event.cwd, home: workspace.home, root: workspace.root });
    const calls = reading.commands.flatMap((command) => readGitCall(command) ?? []);
    const qa = ofPrompt(seen, event.promptId ?? `turn ${context.turn}`);
    const isPartial = !isReadWhole(reading);
    if (oneOf(options.mode, ['nudge', 'gate']) === 'gate') {
      const open = openAtCommit({ calls, checks, qa, text, reading, root: workspace.root });
      if (open.length > 0) return hold(context, { root, checks, qa, open, isPartial });
    }
    if (event.subagent) return context.pass('a sub-agent');
    if (isPartial) return context.pass('a command that cannot be read as a whole');
    const when = oneOf(options.when, ['any', 'write', 'commit']);
    const meant = calls.filter((call) => isMeant(call, when));
    if (meant.length === 0) return context.pass('no git command that is spoken about');
    const first = checksRunFirst({ calls: meant, checks, text, reading });
    return speak(context, { root, checks, qa, first, repeat: oneOf(options.repeat, ['short', 'full', 'silent']) });
  },
});

type Context = RuleContext<{ readonly qa: typeof QA; readonly committed: typeof COMMITTED }, typeof MESSAGES>;

interface Held {
  readonly root: string;
  readonly checks: readonly Check[];
  readonly qa: QaState;
  readonly open: readonly Check[];
  readonly isPartial: boolean;
}

function hold(context: Context, { root, checks, qa, open, isPartial }: Held): Verdict {
  const { state, later, files, pass, ask, deny } = context;
  const missing = open.map(({ name }) => name).join(' and ');
  const denials = qa.denials ?? 0;
  if (denials >= MOST_DENIALS) {
    later.relay('held', `a commit goes on after ${denials} refusals`, { missing, denials, goesOn: true });
    return pass(`held ${denials} times in this prompt; goes on without ${missing}`, 'remark');
  }
  state.qa.set({ ...qa, denials: denials + 1, shown: true });
  later.relay('held', `a commit is held: ${missing}`, { missing, denials: denials + 1 });
  const values = {
    missing: own(missing),
    checks: own(listed(checks, qa)),
    next: own(nextStep(files, root, open)),
    contextDir: asPath(contextPath(root)),
  };
  return (isPartial ? ask : deny)('held', values);
}

interface Spoken {
  readonly root: string;
  readonly checks: readonly Check[];
  readonly qa: QaState;
  /** The checks that the same call runs before it comes to git. */
  readonly first: readonly Check[];
  readonly repeat: 'short' | 'full' | 'silent';
}

function speak(context: Context, { root, checks, qa, first, repeat }: Spoken): Verdict {
  const { state, files } = context;
  const committedAt = ifWhole(state.committed.get(), { at: 0 })?.at ?? -1;
  if (qa.shown === true && committedAt >= qa.lastEdit && repeat !== 'full')
    return context.pass('what was edited is committed, and its checks were spoken about');
  const isRepeated = qa.shown === true && repeat !== 'full';
  if (isRepeated && repeat === 'silent') return context.pass('said in this prompt');
  const next = nextStep(
    files,
    root,
    checks.filter((check) => standingOf(qa, check.name) !== 'passed' && !first.includes(check)),
  );
  const relayed = Object.fromEntries(checks.map(({ name }) => [name, standingOf(qa, name)]));
  if (isRepeated) {
    const summary = checks.map((check) => `${check.name} ${describe(qa, check, first)}`).join(', ');
    const room = SHORT - `Checks: ${summary}. Next: `.length;
    // A command that is cut off helps nobody.
    const values = { summary: own(summary), next: own(next.length <= room ? next : 'the missing check') };
    return tell(context, { variant: 'gate-short', values, relayed });
  }
  state.qa.set({ ...qa, shown: true });
  const values = { checks: own(listed(checks, qa, first)), next: own(next), contextDir: asPath(contextPath(root)) };
  return tell(context, { variant: 'gate', values, relayed });
}

function listed(checks: readonly Check[], qa: QaState, first: readonly Check[] = []): string {
  return checks.map((check) => `${check.name}: ${describe(qa, check, first)}`).join('\n');
}

function describe(qa: QaState, check: Check, first: readonly Check[]): string {
  return first.includes(check) ? 'run first by this command' : describeStanding(qa, check.name);
}
