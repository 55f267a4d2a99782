/** Programs that a word in code names when somebody uses or runs it. */
const PROGRAMS = new Set(
  (
    'npm pnpm yarn npx bun bunx deno node ts-node tsx tsc python python3 pip pip3 pipenv pipx poetry uv uvx conda mamba pyenv git gh glab hub ' +
    'cargo rustc rustup go gofmt golangci-lint make cmake ninja bazel gradle gradlew mvn java javac ant sbt dotnet nuget msbuild ruby gem bundle rake rails ' +
    'php composer artisan docker docker-compose podman kubectl helm terraform tofu pulumi ansible vagrant aws gcloud az heroku vercel netlify fly flyctl wrangler ' +
    'supabase firebase prisma drizzle-kit sequelize alembic knex psql mysql sqlite3 mongo mongosh redis-cli rm mv cp dd sudo chmod chown curl wget ssh scp rsync ' +
    'sed awk grep rg find cat ls kill killall pkill tail head less more vi vim nano jest vitest mocha ava pytest tox nox unittest playwright cypress eslint biome oxlint ' +
    'prettier ruff black isort flake8 pylint mypy pyright rubocop phpunit pest webpack vite rollup esbuild turbo nx lerna rush husky lint-staged next nuxt expo eas ' +
    'react-native flutter dart pod fastlane swift xcodebuild swiftlint zig mix elixir iex rebar3 lein clj stack cabal ghc opam dune just task mise asdf nvm brew apt apt-get yum dnf ' +
    'pacman apk systemctl crontab launchctl serverless sam cdk forge hardhat anchor ctest cypress storybook changeset semantic-release goreleaser'
  ).split(' '),
);
/** Of these, the ones that mean the program also where nothing marks them as code. */
const PLAIN = new Set(
  'npm pnpm yarn npx bun bunx pip pip3 pipenv poetry uv conda docker-compose sudo curl wget jest vitest mocha pytest webpack eslint prettier kubectl terraform'.split(
    ' ',
  ),
);

export function isProgram(name: string, isCode: boolean): boolean {
  return (isCode ? PROGRAMS : PLAIN).has(name.toLowerCase());
}

/** What people call such files, and how they are usually named. */
export const FILES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:auto-?)?generated (?:files?|code|types?|sources?|clients?)$/,
    ['**/generated/**', '**/__generated__/**', '*.generated.*', '*.g.dart', '*.pb.go', '*_pb2.py'],
  ],
  [
    /^lock ?files?$|^package lock files?$/,
    [
      'package-lock.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock',
      'bun.lockb',
      'Cargo.lock',
      'poetry.lock',
      'uv.lock',
      'Gemfile.lock',
      'composer.lock',
      'go.sum',
    ],
  ],
  [/^(?:\.?env|environment|dotenv) files?$/, ['.env', '.env.local', '.env.production', '.env.development']],
  [/^vendor(?:ed)? (?:code|files?|directory|folder)$/, ['**/vendor/**']],
  [/^build (?:output|artifacts?)$/, ['**/dist/**', '**/build/**']],
];

/** Directories that builds and tools make at any depth. */
export const MADE_DIRS = new Set(
  'dist build out target generated __generated__ gen node_modules vendor third_party coverage .next .nuxt .turbo .cache .venv venv __pycache__ bin obj public'.split(
    ' ',
  ),
);

/** Work that has a name: the commands that do it, whichever a project uses. */
export const TASKS: readonly (readonly [name: string, said: RegExp, commands: readonly string[]])[] = [
  [
    'tests',
    /^(?:(?:the|all|your|unit|full|relevant|whole|entire|existing) )*(?:test suite|tests?|unit tests|test suites|suite)$/,
    [
      'npm test',
      'npm t',
      'npm run test*',
      'pnpm test*',
      'pnpm run test*',
      'yarn test*',
      'yarn run test*',
      'bun test',
      'bun run test*',
      'npx vitest',
      'npx jest',
      'vitest',
      'jest',
      'pytest',
      'uv run pytest',
      'poetry run pytest',
      'tox',
      'nox',
      'cargo test',
      'cargo nextest',
      'go test',
      'make test*',
      'just test*',
      'mvn test',
      'mvn verify',
      'gradle test',
      'gradlew test',
      'dotnet test',
      'bundle exec rspec',
      'rspec',
      'rake test',
      'rails test',
      'phpunit',
      'pest',
      'php artisan test',
      'mix test',
      'swift test',
      'flutter test',
      'deno test',
      'ctest',
    ],
  ],
  [
    'the linter',
    /^(?:(?:the|all|your) )*(?:linter|linters|lint|linting|lint checks?)$/,
    [
      'npm run lint*',
      'pnpm lint*',
      'pnpm run lint*',
      'yarn lint*',
      'yarn run lint*',
      'bun run lint*',
      'npx eslint',
      'eslint',
      'biome',
      'npx biome',
      'oxlint',
      'ruff',
      'uv run ruff',
      'flake8',
      'pylint',
      'cargo clippy',
      'golangci-lint',
      'make lint*',
      'just lint*',
      'rubocop',
      'bundle exec rubocop',
      'swiftlint',
    ],
  ],
  [
    'the type check',
    /^(?:(?:the|all|your) )*(?:type ?check(?:er|s|ing)?|type-check(?:er|s|ing)?)$/,
    [
      'npm run typecheck*',
      'npm run type-check*',
      'pnpm typecheck*',
      'pnpm type-check*',
      'pnpm run type*',
      'yarn typecheck*',
      'yarn type-check*',
      'bun run type*',
      'tsc',
      'npx tsc',
      'mypy',
      'uv run mypy',
      'pyright',
      'cargo check',
      'make typecheck*',
    ],
  ],
  [
    'the formatter',
    /^(?:(?:the|your|code) )*(?:formatter|formatting)$/,
    [
      'npm run format*',
      'pnpm format*',
      'pnpm run format*',
      'yarn format*',
      'bun run format*',
      'npx prettier',
      'prettier',
      'cargo fmt',
      'gofmt',
      'black',
      'ruff format',
      'make fmt',
      'make format*',
      'just fmt*',
    ],
  ],
  [
    'the build',
    /^(?:the |a |full )*build$/,
    [
      'npm run build*',
      'pnpm build*',
      'pnpm run build*',
      'yarn build*',
      'bun run build*',
      'cargo build',
      'go build',
      'make',
      'make build*',
      'mvn package',
      'gradle build',
      'gradlew build',
      'dotnet build',
    ],
  ],
];

/** Commands that bring a package into a project. */
export const ADD_PACKAGE: readonly string[] = [
  'npm install <package>',
  'npm i <package>',
  'npm add <package>',
  'pnpm add <package>',
  'yarn add <package>',
  'bun add <package>',
  'pip install <package>',
  'uv add <package>',
  'poetry add <package>',
  'cargo add <package>',
  'go get <package>',
  'composer require <package>',
  'bundle add <package>',
];

/** Which packages a manager installs: those of one row do the same work. */
export const MANAGERS: readonly (readonly string[])[] = [
  ['npm', 'pnpm', 'yarn', 'bun'],
  ['pip', 'uv', 'poetry', 'pipenv', 'conda'],
];

export const INSTALLS: Readonly<Record<string, readonly string[]>> = {
  npm: ['npm install', 'npm i', 'npm ci', 'npm add'],
  pnpm: ['pnpm install', 'pnpm i', 'pnpm add'],
  yarn: ['yarn install', 'yarn add'],
  bun: ['bun install', 'bun add'],
  pip: ['pip install', 'pip3 install'],
  uv: ['uv add', 'uv sync'],
  poetry: ['poetry add', 'poetry install'],
  pipenv: ['pipenv install'],
  conda: ['conda install'],
};

/** One way to type a command has others that do the same. */
export const SAME: Readonly<Record<string, readonly string[]>> = {
  'npm install': ['npm i'],
  pip: ['pip3'],
  'pip install': ['pip3 install'],
  'docker-compose': [],
  'git push --force': ['git push -f'],
  'git commit --no-verify': ['git commit -n'],
};

/** Text that words of every day stand for in code, so that only a pattern of its own finds it. */
export interface Term {
  readonly said: RegExp;
  readonly pattern: string;
  readonly paths?: readonly string[];
  readonly hit: string;
  readonly miss: string;
}

const TS = ['*.ts', '*.tsx', '*.mts', '*.cts', '*.vue', '*.svelte'];
const JS = [...TS, '*.js', '*.jsx', '*.mjs', '*.cjs'];

export const TERMS: readonly Term[] = [
  {
    said: /^(?:the )?any(?: types?)?$|^: any$|^as any$/,
    pattern: String.raw`(?-i)(?::\s*|\bas\s+|<|\|\s*|&\s*|Array<)any\b(?:\s*[\[\]<>,;=)|&}\n]|\s*$)`,
    paths: TS,
    hit: 'let x: any = 1;',
    miss: 'let x: unknown = 1; // any value',
  },
  {
    said: /^var(?: declarations?)?$/,
    pattern: String.raw`(?-i)(?m)^\s*(?:export\s+)?var\s+[\w$\[{]`,
    paths: JS,
    hit: 'var x = 1;',
    miss: 'const x = 1; // var',
  },
  {
    said: /^console\.log(?:\(\))?$|^console logs?$|^console\.log statements?$|^console\.logs$/,
    pattern: String.raw`(?-i)\bconsole\.log\b`,
    hit: 'console.log(x);',
    miss: 'logger.info(x);',
  },
  {
    said: /^console\.\*(?:\(\))?$|^console statements?$/,
    pattern: String.raw`(?-i)\bconsole\.(?:log|info|warn|error|debug|trace)\b`,
    hit: 'console.warn(x);',
    miss: 'logger.warn(x);',
  },
  {
    said: /^debugger(?: statements?)?$/,
    pattern: String.raw`(?-i)(?m)^\s*debugger\s*;?\s*$`,
    paths: JS,
    hit: 'debugger;',
    miss: 'attachDebugger();',
  },
  {
    said: /^todos?(?: comments?)?$|^todo\/fixme$/,
    pattern: String.raw`(?-i)\bTODO\b`,
    hit: '// TODO: later',
    miss: '// done',
  },
  { said: /^fixmes?(?: comments?)?$/, pattern: String.raw`(?-i)\bFIXME\b`, hit: '// FIXME: later', miss: '// done' },
  {
    said: /^print(?:\(\))?(?: statements?)?$/,
    pattern: String.raw`(?-i)(?m)^\s*print\s*\(`,
    paths: ['*.py'],
    hit: 'print(x)',
    miss: 'pprint_all(x)',
  },
  {
    said: /^eval(?:\(\))?$/,
    pattern: String.raw`(?-i)(?:^|[^\w.])eval\s*\(`,
    hit: 'eval(text);',
    miss: 'evaluate(text);',
  },
  {
    said: /^(?:\.)?unwrap(?:\(\))?$/,
    pattern: String.raw`(?-i)\.unwrap\(\)`,
    paths: ['*.rs'],
    hit: 'let x = f().unwrap();',
    miss: 'let x = f().unwrap_or(1);',
  },
  {
    said: /^default exports?$|^export default$/,
    pattern: String.raw`(?-i)\bexport\s+default\b`,
    paths: JS,
    hit: 'export default f;',
    miss: 'export const f = 1;',
  },
  {
    said: /^wildcard imports?$|^import \*$|^star imports?$/,
    pattern: String.raw`(?-i)(?m)^\s*(?:from\s+\S+\s+import\s+\*|import\s+[\w.]+\.\*)`,
    hit: 'from x import *',
    miss: 'from x import y',
  },
];

/** Where code of a kind lies, as people say it. */
export const PLACES: readonly (readonly [RegExp, { readonly paths?: readonly string[]; readonly not?: string }])[] = [
  [
    /^(?:this |the )?(?:repo(?:sitory)?|project|codebase|code ?base|code|app(?:lication)? code|source code)$|^any (?:files?|code)$|^code files$/,
    {},
  ],
  [
    /^(?:production|prod|committed|checked-in|shipped)(?: code| files| builds?)?$/,
    { not: String.raw`(?:^|/)(?:tests?|__tests__|spec|e2e)/|[._](?:test|spec)\.` },
  ],
  [
    /^(?:the )?(?:tests?|test files|test code|unit tests)$/,
    { paths: ['**/test/**', '**/tests/**', '**/__tests__/**', '*.test.*', '*.spec.*', 'test_*.py', '*_test.go'] },
  ],
  [/^typescript(?: files| code)?$/, { paths: TS }],
  [/^(?:javascript|js)(?: files| code)?$/, { paths: JS }],
  [/^python(?: files| code)?$/, { paths: ['*.py'] }],
  [/^rust(?: files| code)?$/, { paths: ['*.rs'] }],
  [/^go(?: files| code)$/, { paths: ['*.go'] }],
  [/^php files$/, { paths: ['*.php'] }],
  [/^css(?: files)?$/, { paths: ['*.css', '*.scss'] }],
  [/^markdown(?: files)?$/, { paths: ['*.md', '*.mdx'] }],
];
