/** Published code whose sources anyone can get again by name and version. */
export type Corpus = TypeScriptCorpus | PythonCorpus | GoCorpus | JavaCorpus;
export type Judged = Corpus['language'];

/** A corpus on disk. */
export interface Installed {
  readonly corpus: Corpus;
  readonly version: string;
  /** Holds its sources and nothing else that is indexed. */
  readonly root: string;
}

export interface TypeScriptCorpus {
  readonly language: 'ts';
  readonly name: string;
  /** npm package and exact version. */
  readonly package: string;
  readonly version: string;
  /** What of the package is taken: directories and files that hold its sources, without tests. */
  readonly take: readonly string[] | 'source-maps';
  /** Further packages of the same version, which lie in one workspace with it; its root is called like the first. */
  readonly fellows?: readonly string[];
  /** Packages its types lean on, with exact versions; without them the checker knows less. */
  readonly with: readonly string[];
  /** Written beside the sources when the package leaves its own configuration out. */
  readonly tsconfig?: object;
  /** Settings of the checker beyond the common ones. */
  readonly options?: object;
}

export interface PythonCorpus {
  readonly language: 'py';
  readonly name: string;
  /** Debian package; the version is whatever the distribution has, and is shown. */
  readonly package: string;
  /** The top-level package inside it. */
  readonly module: string;
}

export interface GoCorpus {
  readonly language: 'go';
  readonly name: string;
  /** Debian package, tests included; what it depends on is there for the judge alone. */
  readonly package: string;
  /** Import path of each module and the Debian package that has it. Several are one workspace with a `go.work`. */
  readonly modules: Readonly<Record<string, string>>;
}

export interface JavaCorpus {
  readonly language: 'java';
  readonly name: string;
  /** Debian source package, tests included. */
  readonly package: string;
  /** Debian packages with what it is compiled against, for the judge alone. */
  readonly with: readonly string[];
}

export const NODE_TYPES = '@types/node@26.6.6';

const JUNIT = [
  'junit4',
  'junit5',
  'libhamcrest-java',
  'libapiguardian-java',
  'libopentest4j-java',
  'libservlet-api-java',
];

export const CORPORA: readonly Corpus[] = [
  {
    language: 'ts',
    name: 'rxjs',
    package: 'rxjs',
    version: '7.8.2',
    take: ['src', 'tsconfig.json'],
    with: [NODE_TYPES],
  },
  {
    language: 'ts',
    name: 'zod',
    package: 'zod',
    version: '4.6.7',
    take: ['src'],
    with: [NODE_TYPES],
    options: { customConditions: ['@zod/source'] },
  },
  {
    language: 'ts',
    name: 'drizzle-orm',
    package: 'drizzle-orm',
    version: '0.45.4',
    take: 'source-maps',
    with: [
      NODE_TYPES,
      '@aws-sdk/client-rds-data@3.1143.0',
      '@cloudflare/workers-types@5.20261108.1',
      '@electric-sql/pglite@0.5.16',
      '@libsql/client@0.18.0',
      '@neondatabase/serverless@1.2.0',
      '@opentelemetry/api@1.10.0',
      '@planetscale/database@1.20.2',
      '@prisma/client@7.10.0',
      '@tidbcloud/serverless@0.3.0',
      '@types/better-sqlite3@9.6.0',
      '@types/pg@8.23.1',
      '@types/sql.js@1.4.11',
      '@upstash/redis@1.39.0',
      '@vercel/postgres@0.10.0',
      '@xata.io/client@0.30.1',
      'bun-types@1.4.4',
      'gel@2.2.1',
      'knex@3.3.0',
      'kysely@0.29.8',
      'mysql2@3.24.5',
      'pg@8.23.1',
      'postgres@3.4.9',
    ],
    tsconfig: { compilerOptions: { baseUrl: '.', paths: { '~/*': ['src/*'] } } },
    options: { paths: { '~/*': ['./src/*'] } },
  },
  {
    language: 'ts',
    name: 'maplibre-gl',
    package: 'maplibre-gl',
    version: '6.17.0',
    take: ['src'],
    with: [NODE_TYPES, '@types/murmurhash-js@1.0.7', '@types/earcut@3.2.4', '@types/offscreencanvas@2019.7.3'],
  },
  {
    language: 'ts',
    name: 'query-core',
    package: '@tanstack/query-core',
    version: '5.107.1',
    take: ['src'],
    with: [NODE_TYPES],
  },
  {
    language: 'ts',
    name: 'tldraw-editor',
    package: '@tldraw/editor',
    version: '5.1.1',
    take: ['src'],
    with: [
      NODE_TYPES,
      'react@19.3.1',
      'react-dom@19.3.1',
      '@types/react@19.3.0',
      '@types/react-dom@19.3.0',
      '@types/rbush@3.0.4',
    ],
    options: { jsx: 'react-jsx' },
  },
  {
    language: 'ts',
    name: 'tldraw-workspace',
    package: '@tldraw/utils',
    version: '5.1.1',
    fellows: ['editor', 'store', 'state', 'state-react', 'tlschema', 'validate'].map((name) => `@tldraw/${name}`),
    take: ['src'],
    with: [
      NODE_TYPES,
      'react@19.3.1',
      'react-dom@19.3.1',
      '@types/react@19.3.0',
      '@types/react-dom@19.3.0',
      '@types/rbush@3.0.4',
    ],
    options: { baseUrl: '.', paths: { '@tldraw/*': ['packages/@tldraw/*/src/index.ts'] } },
  },
  {
    language: 'ts',
    name: 'matrix-js-sdk',
    package: 'matrix-js-sdk',
    version: '37.5.0',
    take: ['src'],
    with: [NODE_TYPES, '@types/content-type@1.1.8', '@types/sdp-transform@2.4.8', '@types/events@3.0.3'],
  },
  // Built of class mixins almost throughout, which is the hardest to follow without a checker.
  {
    language: 'ts',
    name: 'mathjax-full',
    package: 'mathjax-full',
    version: '3.2.2',
    take: ['ts', 'tsconfig.json'],
    with: [NODE_TYPES],
  },
  { language: 'py', name: 'click', package: 'python3-click', module: 'click' },
  { language: 'py', name: 'jinja2', package: 'python3-jinja2', module: 'jinja2' },
  { language: 'py', name: 'werkzeug', package: 'python3-werkzeug', module: 'werkzeug' },
  { language: 'py', name: 'rich', package: 'python3-rich', module: 'rich' },
  goCorpus('viper', 'golang-github-spf13-viper-dev', 'github.com/spf13/viper'),
  goCorpus('client-golang', 'golang-github-prometheus-client-golang-dev', 'github.com/prometheus/client_golang'),
  goCorpus('zap', 'golang-go.uber-zap-dev', 'go.uber.org/zap'),
  goCorpus('go-git', 'golang-github-go-git-go-git-dev', 'github.com/go-git/go-git/v5'),
  goCorpus('echo', 'golang-github-labstack-echo-dev', 'github.com/labstack/echo/v4'),
  {
    language: 'go',
    name: 'hashicorp-workspace',
    package: 'golang-github-hashicorp-serf-dev',
    modules: {
      'github.com/hashicorp/serf': 'golang-github-hashicorp-serf-dev',
      'github.com/hashicorp/memberlist': 'golang-github-hashicorp-memberlist-dev',
      'github.com/hashicorp/raft': 'golang-github-hashicorp-raft-dev',
    },
  },
  { language: 'java', name: 'jsoup', package: 'jsoup', with: [...JUNIT, 'libgoogle-gson-java', 'libjetty9-java'] },
  { language: 'java', name: 'jackson-core', package: 'jackson-core', with: JUNIT },
  {
    language: 'java',
    name: 'commons-lang3',
    package: 'libcommons-lang3-java',
    with: [...JUNIT, 'libeasymock-java', 'libcommons-io-java'],
  },
  // Several modules in one tree.
  {
    language: 'java',
    name: 'httpcomponents-client',
    package: 'httpcomponents-client',
    with: [...JUNIT, 'libhttpcore-java', 'libcommons-logging-java', 'libcommons-codec-java', 'libmockito-java'],
  },
];

function goCorpus(name: string, from: string, module: string): GoCorpus {
  return { language: 'go', name, package: from, modules: { [module]: from } };
}

/** The judges, by exact version. */
export const TOOLS = ['typescript@5.9.3', 'pyright@1.1.414'];
