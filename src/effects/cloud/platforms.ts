import type { ProgramTable } from '../scene.ts';
import type { ReadForm, VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

const DELETES: VerbTable['verbs'] = {
  delete: 'delete',
  destroy: 'delete',
  remove: 'delete',
  rm: 'delete',
  purge: 'delete',
};

/** Platforms whose commands put nouns before the verb. */
const NOUN_FIRST: VerbTable = {
  kind: 'destroy-cloud',
  target: 'this project',
  values:
    'a app c config t token access-token o output org organization context project p project-id profile ' +
    'region s scope tenant team local-config cwd env e environment format name u http-retry-max trace ' +
    'service auth-token account',
  verbs: {},
  scan: { verbs: DELETES, depth: 4 },
};

const HEROKU: VerbTable = {
  kind: 'destroy-cloud',
  values: 'a app r remote t team confirm c',
  verbs: {
    'apps:destroy|destroy|apps:delete': { how: 'delete', target: 'the app' },
    'addons:destroy|pipelines:destroy|domains:remove|domains:clear|pg:backups:delete|spaces:destroy|teams:destroy|config:unset|webhooks:remove|keys:clear|members:remove':
      'delete',
    'pg:reset': { kind: 'destroy-data', how: 'migrate-reset', target: 'the database' },
    'container:push|container:release': { kind: 'publish', how: 'image' },
  },
};

const FIREBASE: VerbTable = {
  kind: 'destroy-cloud',
  values: 'P project account token c config database instance',
  verbs: {
    'firestore:delete|database:remove': { kind: 'destroy-data', how: 'delete-all' },
    'functions:delete|hosting:disable|hosting:sites:delete|hosting:channel:delete|firestore:databases:delete|apps:delete':
      'delete',
    'dataconnect:sql:migrate': { kind: 'destroy-data', how: 'force-sync', needs: ['force'] },
  },
};

const NETLIFY: VerbTable = {
  kind: 'destroy-cloud',
  target: 'this project',
  values: 'auth filter s site',
  verbs: { 'sites:delete|blobs:delete|env:unset': 'delete' },
};

const GITHUB: VerbTable = {
  kind: 'destroy-cloud',
  values:
    'R repo hostname X method H header f raw-field F field q jq t template input e env o org a app ' +
    'visibility n notes title target p preview',
  verbs: {
    'repo|release|secret|variable|run|issue|gist|codespace|cs|project|ssh-key|gpg-key|ruleset|environment|discussion delete':
      'delete',
    'secret|variable remove': 'delete',
    'release delete-asset': 'delete',
    'project item-delete|field-delete': 'delete',
    'repo archive': 'archive',
    'repo deploy-key|autolink delete': 'delete',
    'release create|upload': { kind: 'publish', how: 'release', unless: ['d', 'draft'] },
    'repo sync': { kind: 'discard', how: 'repo-sync', needs: ['force'], target: 'everything' },
    'repo edit': { kind: 'publish', how: 'repository', needs: ['visibility=public'] },
  },
};

/** `gh api -X DELETE …`: the method is the verb. */
const readApi: ReadForm = ({ operands, options }) => {
  if (operands[0]?.value.toLowerCase() !== 'api') return undefined;
  const method = (options.get('X') ?? options.get('method'))?.at(-1)?.value.toLowerCase();
  if (method !== 'delete') return undefined;
  return { verb: { how: 'delete' }, target: operands[1]?.text ?? 'an endpoint' };
};

/** `auth0 api delete …` names the method as a word. */
const readAuth0: ReadForm = ({ operands }) =>
  operands[0]?.value === 'api' && operands[1]?.value.toLowerCase() === 'delete'
    ? { verb: { how: 'delete' }, target: operands[2]?.text ?? 'an endpoint' }
    : undefined;

const nounFirst = readVerbs(NOUN_FIRST);
const nounFirstNames =
  'doctl flyctl fly vercel vc wrangler pscale neonctl neon turso mongocli hcloud linode-cli scw civo vultr-cli ' +
  'exo upctl oci ibmcloud cf koyeb northflank stripe sentry-cli cloudflared doppler infisical confluent databricks ' +
  'appwrite deployctl';

const NOUN_FIRST_PROGRAMS = Object.fromEntries(nounFirstNames.split(' ').map((name) => [name, nounFirst]));

export const PLATFORM_PROGRAMS: ProgramTable = {
  ...NOUN_FIRST_PROGRAMS,
  supabase: nounFirst,
  railway: readVerbs({ ...NOUN_FIRST, verbs: { down: 'delete' } }),
  auth0: readVerbs(NOUN_FIRST, readAuth0),
  heroku: readVerbs(HEROKU),
  firebase: readVerbs(FIREBASE),
  netlify: readVerbs(NETLIFY),
  gh: readVerbs(GITHUB, readApi),
  glab: readVerbs(GITHUB, readApi),
};
