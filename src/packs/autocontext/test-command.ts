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
