import type { VerbTable } from '../words/verbs.ts';

const NODE_VALUES =
  'prefix workspace registry tag otp access userconfig cache loglevel C dir filter F cwd publish-branch';
const PACKAGE = 'package';
const TAKE_BACK = 'take-back';

const NODE_VERBS: VerbTable['verbs'] = {
  publish: PACKAGE,
  'npm publish': PACKAGE,
  unpublish: TAKE_BACK,
  deprecate: 'deprecate',
  'dist-tag add|rm|set': 'dist-tag',
  'npm tag add|remove': 'dist-tag',
};

const MAVEN: Omit<VerbTable, 'kind'> = {
  values: 'f file P activate-profiles pl projects s settings T threads l log-file D define',
  wholeWords: true,
  always: 'this package',
  verbs: {},
  scan: {
    depth: 8,
    verbs: { 'deploy|deploy:deploy|deploy:deploy-file|release:perform|central-publishing:publish': PACKAGE },
  },
};

/** What sends a package, image or release to a registry that others take it from. By program, `a|b` for either. */
export const PUBLISHERS: Readonly<Record<string, Omit<VerbTable, 'kind'>>> = {
  npm: { values: `w ${NODE_VALUES}`, verbs: NODE_VERBS },
  'pnpm|bun|yarn': { values: NODE_VALUES, verbs: NODE_VERBS },
  lerna: { verbs: { publish: PACKAGE } },
  'changeset|changesets': { verbs: { publish: PACKAGE } },
  nx: { verbs: { 'release publish': PACKAGE } },
  'jsr|deno': { verbs: { publish: PACKAGE } },
  cargo: {
    values: 'manifest-path p package Z config registry token target-dir features F C color',
    verbs: {
      publish: { how: PACKAGE, unless: ['n'] },
      yank: TAKE_BACK,
      release: { how: PACKAGE, needs: ['x', 'execute'] },
      'workspaces|ws publish': PACKAGE,
    },
  },
  twine: { verbs: { upload: PACKAGE } },
  uv: {
    values: 'directory project config-file cache-dir color index publish-url',
    verbs: { publish: PACKAGE },
  },
  poetry: { values: 'C directory P project r repository u p', verbs: { publish: PACKAGE } },
  'hatch|flit|pdm': {
    values: 'p project repo r repository ini-path f',
    verbs: { publish: PACKAGE },
  },
  maturin: { verbs: { 'publish|upload': PACKAGE } },
  'conda|anaconda': { verbs: { upload: PACKAGE } },
  gem: { verbs: { push: PACKAGE, yank: TAKE_BACK } },
  'rake|rails': { verbs: { release: PACKAGE } },
  'mvn|mvnw|mvnd': MAVEN,
  sbt: {
    verbs: {},
    scan: { depth: 6, verbs: { 'publish|publishsigned|+publish|+publishsigned|ci-release': PACKAGE } },
  },
  lein: { verbs: { deploy: PACKAGE } },
  dotnet: { verbs: { 'nuget push': PACKAGE, 'nuget delete': TAKE_BACK } },
  nuget: { verbs: { push: PACKAGE, delete: TAKE_BACK } },
  goreleaser: { values: 'f config', verbs: { release: { how: 'release', unless: ['snapshot', 'skip-publish'] } } },
  'vsce|ovsx': { verbs: { publish: PACKAGE, unpublish: TAKE_BACK } },
  pod: { verbs: { 'trunk push': PACKAGE, 'trunk delete': TAKE_BACK, 'trunk deprecate': 'deprecate' } },
  mix: { verbs: { 'hex.publish': PACKAGE } },
  rebar3: { verbs: { 'hex publish': PACKAGE } },
  'dart|flutter': { verbs: { 'pub publish|lish': { how: PACKAGE, unless: ['n'] } } },
  stack: { verbs: { upload: PACKAGE } },
  cabal: { verbs: { upload: { how: PACKAGE, needs: ['publish'] } } },
  luarocks: { verbs: { upload: PACKAGE } },
  conan: { verbs: { upload: PACKAGE } },
  'snapcraft|charmcraft': { verbs: { 'upload|push|release': PACKAGE } },
  'crane|oras': { verbs: { push: 'image' } },
  tfx: { verbs: { 'extension publish': PACKAGE, 'extension unpublish': TAKE_BACK } },
  eas: { verbs: { submit: 'app', update: 'app' } },
};
