import type { ProgramTable } from '../scene.ts';
import type { VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

const TERRAFORM: VerbTable = {
  kind: 'destroy-cloud',
  values: 'working-dir terragrunt-working-dir terragrunt-config config',
  wholeWords: true,
  verbs: {
    destroy: { how: 'destroy', target: 'the whole configuration' },
    'destroy-all': { how: 'destroy', target: 'every configuration' },
    'run-all|run destroy': { how: 'destroy', target: 'every configuration' },
    apply: { how: 'apply', needs: ['auto-approve', 'destroy'], target: 'the whole configuration' },
    'run-all|run apply': { how: 'apply', target: 'every configuration' },
    'state rm': 'forget',
    'state push': { how: 'replace-state', needs: ['force'] },
    'workspace delete': 'delete',
    'force-unlock': 'unlock',
  },
};

const PULUMI: VerbTable = {
  kind: 'destroy-cloud',
  values: 's stack C cwd color m message config-file t target',
  verbs: {
    'destroy|down|dn': { how: 'destroy', unless: ['preview-only'], target: 'the stack' },
    'stack rm': 'delete',
    'state delete': 'forget',
    'up|update': { how: 'apply', needs: ['y', 'yes', 'skip-preview', 'f'], target: 'the stack' },
  },
};

const STACK_TOOLS: Readonly<Record<string, VerbTable['verbs']>> = {
  cdk: { destroy: 'destroy' },
  cdktf: { destroy: 'destroy', 'apply|deploy': { how: 'apply', needs: ['auto-approve'] } },
  'serverless|sls': { remove: 'destroy' },
  sst: { remove: 'destroy' },
  sam: { delete: 'destroy' },
  amplify: { delete: 'destroy' },
  chalice: { delete: 'destroy' },
  copilot: { 'app|env|svc|job|task|pipeline delete': 'destroy' },
  vagrant: { destroy: 'destroy' },
  virsh: { 'destroy|undefine|vol-delete|pool-delete|snapshot-delete|net-destroy': 'destroy' },
  'lxc|incus': { delete: 'delete', 'storage|image|network|profile|snapshot delete': 'delete' },
  multipass: { delete: 'delete', purge: 'delete' },
  'limactl|colima|orb': { delete: 'delete' },
  vboxmanage: { unregistervm: { how: 'delete', needs: ['delete'] } },
  'qm|pct': { destroy: 'destroy' },
  consul: { 'kv delete': 'delete', 'namespace|partition delete': 'delete' },
  etcdctl: { del: 'delete', 'snapshot restore': 'restore-over' },
  nomad: {
    'job stop': { how: 'stop', needs: ['purge'] },
    stop: { how: 'stop', needs: ['purge'] },
    'namespace|volume delete': 'delete',
  },
  vault: {
    delete: 'delete',
    'kv delete|destroy': 'delete',
    'kv metadata delete': 'delete',
    'secrets|auth disable': 'delete',
    'policy|namespace delete': 'delete',
  },
  rclone: {
    'purge|delete|deletefile|cleanup': { how: 'delete', unless: ['n', 'i', 'interactive'] },
    sync: { how: 'sync-delete', unless: ['n', 'i', 'interactive'] },
  },
  'mc|s5cmd': { 'rm|rb': 'delete' },
  s3cmd: { 'del|rm|rb': { how: 'delete', unless: ['n'] } },
  b2: { 'rm|delete-bucket|delete_bucket|delete-file-version': 'delete' },
  azcopy: { 'remove|rm': 'delete' },
};

/** Options with values that stand before the verb in one or other of them. */
const STACK_VALUES =
  'a app profile region stage s c connect context address namespace endpoints user config ca-cert n ' +
  'name mount endpoint-url log-level token';

const STACK_PROGRAMS = Object.fromEntries(
  Object.entries(STACK_TOOLS).flatMap(([names, verbs]) => {
    const values = names === 'rclone' || names === 's3cmd' ? 'config' : STACK_VALUES;
    const read = readVerbs({ kind: 'destroy-cloud', target: 'everything it made', values, verbs });
    return names.split('|').map((name) => [name, read] as const);
  }),
);

const terraform = readVerbs(TERRAFORM);

export const INFRASTRUCTURE_PROGRAMS: ProgramTable = {
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi: readVerbs(PULUMI),
  ...STACK_PROGRAMS,
};
