import type { ProgramTable, ReadEffects } from '../scene.ts';
import type { VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

/** Stores of keys, topics and queues: what takes more away than one that is named. */
const STORES: Readonly<Record<string, VerbTable['verbs']>> = {
  etcdctl: { del: { how: 'drop', needs: ['prefix', 'from-key', 'range'] } },
  consul: { 'kv delete': { how: 'drop', needs: ['recurse'] } },
  'zkcli|zkcli.sh|zookeepercli|zk-shell': { 'deleteall|rmr': 'drop' },
  nats: { 'stream|str|kv rm|purge': 'drop', 'object rm': 'drop' },
  rabbitmqctl: { 'reset|force_reset|purge_queue|delete_queue|delete_vhost': 'drop' },
  'rabbitmqadmin|rabbitmqadmin.py': { 'purge|delete queue|exchange|vhost': 'drop' },
};

const VALUES = 'endpoints user password cert key cacert token http-addr datacenter s server w write-out n node p vhost';

const dropsTopic: ReadEffects = (command, scene) =>
  command.words.some(({ value }) => value === '--delete' || value === '--delete-topic')
    ? [scene.effect(command, { kind: 'destroy-data', how: 'drop', target: 'a topic' })]
    : [];

const flushes: ReadEffects = (command, scene) =>
  command.words.some(({ value }) => /^--?(?:help|version|h|V)$/.test(value))
    ? []
    : [scene.effect(command, { kind: 'destroy-data', how: 'flush', target: 'every key' })];

export const KEY_PROGRAMS: ProgramTable = {
  ...Object.fromEntries(
    Object.entries(STORES).flatMap(([names, verbs]) => {
      const table: VerbTable = { kind: 'destroy-data', target: 'every key', values: VALUES, verbs };
      const read = readVerbs(table);
      return names.split('|').map((name) => [name, read]);
    }),
  ),
  memcflush: flushes,
  memflush: flushes,
  'kafka-topics': dropsTopic,
  'kafka-topics.sh': dropsTopic,
};
