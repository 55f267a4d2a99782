import type { CommandLine } from '../words/command-line.ts';
import { layoutOf, onlyShows, readCommandLine } from '../words/command-line.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { sqlEffects } from '../databases/sql-clients.ts';
import type { ReadForm, Verb, VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

const AWS_VALUES =
  'profile region output endpoint-url query cli-read-timeout cli-connect-timeout ca-bundle color ' +
  'cli-binary-format exclude include query-string sql';

/** How operations that take something away begin, and those that do so under another name. */
const AWS_START = /^(?:batch-)?(?:delete|terminate|destroy|purge|deregister|deprovision|drop)-/;
const AWS_OPERATIONS: ReadonlySet<string> = new Set([
  'schedule-key-deletion',
  'release-address',
  'remove-permission',
  'admin-delete-user',
  'empty-bucket',
]);
/** They take away a mark or an entry, nothing that holds data. */
const AWS_SMALL: ReadonlySet<string> = new Set(['delete-tags', 'delete-message', 'delete-message-batch']);

const AWS: VerbTable = {
  kind: 'destroy-cloud',
  values: AWS_VALUES,
  verbs: {
    's3 rm|rb': 'delete',
    's3 sync': { how: 'sync-delete', needs: ['delete'] },
  },
};

const readAwsOperation: ReadForm = ({ operands }) => {
  const operation = operands[1]?.value.toLowerCase() ?? '';
  if (operands.at(-1)?.value === 'help' || AWS_SMALL.has(operation)) return undefined;
  if (!AWS_START.test(operation) && !AWS_OPERATIONS.has(operation)) return undefined;
  return { verb: { how: 'delete' }, target: `${operands[0]?.value ?? ''} ${operation}` };
};

const awsVerbs = readVerbs(AWS, readAwsOperation);
const AWS_LAYOUT = layoutOf(AWS_VALUES, true);
const AWS_SQL: ReadonlySet<string> = new Set(['start-query-execution', 'execute-statement', 'batch-execute-statement']);

const aws: ReadEffects = (command, scene) => {
  const line = readCommandLine(command.words.slice(1), AWS_LAYOUT);
  if (!AWS_SQL.has(line.operands[1]?.value ?? '')) return awsVerbs(command, scene);
  return sqlEffects(command, scene, givenValues(line, 'query-string', 'sql', 'statement'));
};

const AZURE: VerbTable = {
  kind: 'destroy-cloud',
  values: 'o output query subscription g resource-group n name m method u uri url',
  verbs: {},
};

/** Only nouns stand before an `az` verb, and options after it, so the last word of the first run is the verb. */
const readAzure: ReadForm = ({ operands, options }) => {
  const words = operands.map(({ value }) => value.toLowerCase());
  if (words[0] === 'rest') {
    const method = (options.get('m') ?? options.get('method'))?.[0]?.value.toLowerCase();
    return method === 'delete'
      ? {
          verb: DELETE,
          target: (options.get('u') ?? options.get('uri') ?? options.get('url'))?.[0]?.text ?? 'a resource',
        }
      : undefined;
  }
  if (words[0] === 'cache' || words[0] === 'extension') return undefined;
  const at = words.findIndex((word) => AZURE_VERB.test(word) || AZURE_READS.test(word));
  if (at < 1 || AZURE_READS.test(words[at] as string)) return undefined;
  return { verb: DELETE, target: words.slice(0, at).join(' ') };
};
const DELETE: Verb = { how: 'delete' };
const AZURE_VERB = /^(?:delete|purge|destroy)(?:-|$)/;
const AZURE_READS =
  /^(?:list|show|get|create|update|add|set|exists|query|download|upload|wait|export|check|find)(?:-|$)/;

const GCLOUD_VALUES =
  'project account configuration format verbosity impersonate-service-account zone region filter ' +
  'billing-project access-token-file flags-file flatten trace-token location sql instance';

const GCLOUD: VerbTable = {
  kind: 'destroy-cloud',
  values: GCLOUD_VALUES,
  verbs: {
    'storage rm': 'delete',
    'storage rsync': { how: 'sync-delete', needs: ['delete-unmatched-destination-objects'] },
  },
  scan: {
    verbs: { delete: 'delete', destroy: 'delete', purge: 'delete', 'delete-instances': 'delete' },
    depth: 6,
    nouns: ['run', 'deploy', 'logs'],
  },
};
const gcloudVerbs = readVerbs(GCLOUD);
const GCLOUD_LAYOUT = layoutOf(GCLOUD_VALUES, true);

const gcloud: ReadEffects = (command, scene) => {
  if (!command.words.some(({ value }) => value === 'execute-sql')) return gcloudVerbs(command, scene);
  const line = readCommandLine(command.words.slice(1), GCLOUD_LAYOUT);
  return onlyShows(line) ? [] : sqlEffects(command, scene, givenValues(line, 'sql'));
};

const GSUTIL: VerbTable = {
  kind: 'destroy-cloud',
  values: 'o h i u',
  verbs: { 'rm|rb': 'delete', rsync: { how: 'sync-delete', needs: ['d'], unless: ['n'] } },
};

function givenValues({ options }: CommandLine, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => options.get(name)?.map(({ value }) => value) ?? []);
}

export const PROVIDER_PROGRAMS: ProgramTable = {
  aws,
  awslocal: aws,
  az: readVerbs(AZURE, readAzure),
  gcloud,
  gsutil: readVerbs(GSUTIL),
};
