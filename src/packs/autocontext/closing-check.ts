import { asPath, defineRule, joined, own } from '../../engine/rule.ts';
import type { RuleContext, RuleGraph, Verdict } from '../../engine/rule.ts';
import { callersLeft, listed } from './callers-left.ts';
import { didRun, TURN_CHANGES } from './turn-changes.ts';
import type { TurnChanges } from './turn-changes.ts';

/** Programs that run tests in JavaScript, as a manifest names them. */
const RUNNERS: readonly (readonly [name: string, command: string])[] = [
  ['vitest', 'npx vitest run'],
  ['jest', 'npx jest'],
  ['mocha', 'npx mocha'],
  ['ava', 'npx ava'],
  ['node --test', 'node --test'],
];

/** Names of files are somebody else's words: in a command of ours only plain ones stand, and none that looks like an option. */
const PLAIN = /^[\w@.][\w@%+=:,./-]*$/;

/** The command that runs these files of tests; undefined where that is not known. */
export function testCommand(tests: readonly string[], read: (name: string) => string | undefined): string | undefined {
  if (!tests.every((test) => PLAIN.test(test))) return undefined;
  const [first = ''] = tests;
  const ending = first.slice(first.lastIndexOf('.') + 1);
  const paths = tests.join(' ');
  if (/^(?:[cm]?[jt]s|[jt]sx)$/.test(ending)) {
    const manifest = read('package.json') ?? '';
    const runner = RUNNERS.find(([name]) => new RegExp(`["\\s]${name}["\\s]`).test(manifest));
    if (runner) return `${runner[1]} ${paths}`;
    return /"test"\s*:/.test(manifest) ? 'npm test' : undefined;
  }
  if (ending === 'py') return `python -m pytest ${paths}`;
  if (ending === 'go')
    return `go test ${[...new Set(tests.map((test) => `./${test.slice(0, Math.max(test.lastIndexOf('/'), 0))}`))].join(' ')}`;
  if (ending === 'rs') return 'cargo test';
  if (ending === 'rb') return `bundle exec ${first.endsWith('_spec.rb') ? 'rspec' : 'ruby -Itest'} ${paths}`;
  if (ending === 'java') return read('pom.xml') === undefined ? './gradlew test' : 'mvn test';
  return undefined;
}

const WAIT_MS = 500;
const MAX_BYTES = 512 * 1024;
const NAMED = 4;

const STATE = { turn: TURN_CHANGES } as const;
const MESSAGES = {
  tests: 'Tests that reach what this turn changed ({symbols}) and did not run since: {tests}.{command}',
  left: '{left}{also}',
} as const;
type Context = RuleContext<typeof STATE, typeof MESSAGES>;

export default defineRule({
  id: 'autocontext/closing-check',
  pack: 'autocontext',
  summary: 'At the end of a turn that changed symbols: tests that reach them and did not run, and callers left behind.',
  on: [{ event: 'turn.stop' }],
  needs: { session: true, main: true, flag: TURN_CHANGES.name },
  mode: 'advise',
  budgetMs: 1_200,
  state: STATE,
  messages: MESSAGES,
  expect: [{ tool: 'shell', within: 6, until: 'session' }],
  examples: { pass: [{ event: 'turn.stop' }] },
  check(_, context) {
    const { workspace, state, pass } = context;
    const changes = state.turn.get();
    if (!changes || changes.symbols.length === 0) return pass('no symbol was changed');
    if (changes.told) return pass('this turn has had its note');
    const { graph } = workspace;
    if (!graph) return pass('this workspace has no index');
    const finish = () =>
      workspace.graph?.state === 'stable' ? tell(changes, workspace.graph, context) : pass('the index is behind');
    const waiting = graph.whenStable(WAIT_MS);
    return waiting === undefined ? finish() : waiting.then(finish);
  },
});

function tell(changes: TurnChanges, graph: RuleGraph, context: Context): Verdict {
  const { workspace, state, pass, note } = context;
  // What was said when it was left is not said again.
  const left = callersLeft(changes, graph, context).filter(({ key }) => !changes.left?.includes(key));
  const unrun = changes.symbols
    .map((symbol) => ({
      symbol,
      tests: graph
        .testsReaching([symbol.key])
        .filter((test) => !didRun(workspace.relative(test), symbol.at, changes.runs)),
    }))
    .filter(({ tests }) => tests.length > 0);
  const tests = [...new Set(unrun.flatMap((each) => each.tests))].map((test) => workspace.relative(test));
  if (tests.length === 0 && left.length === 0) return pass('all that is known of it ran');
  state.turn.set({ ...changes, told: true });
  const command = testCommand(tests.slice(0, NAMED), (name) =>
    context.files.readText(`${workspace.root}/${name}`, MAX_BYTES),
  );
  const said = note('tests', {
    symbols: listed(unrun.map(({ symbol }) => symbol.qualified)),
    tests: listed(tests.map(asPath)),
    command: command === undefined ? own('') : own`\n${own(command)}`,
  });
  if (left.length === 0) return said;
  return note('left', {
    left: joined(
      left.slice(0, NAMED).map(({ line }) => line),
      '\n',
    ),
    also: tests.length === 0 ? own('') : own(`\n${said.text ?? ''}`),
  });
}
