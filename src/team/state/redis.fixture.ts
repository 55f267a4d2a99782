import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectRedis } from '../../platform/redis.ts';
import type { RedisConnection, RedisOptions } from '../../platform/redis.ts';
import { pause } from '../../platform/timers.ts';

const HOST = '127.0.0.1';
/** Only against a hang. */
const PATIENCE_MS = 120_000;

export const PLAIN: RedisOptions = { isTls: false, deadlineMs: 20_000 };

/** A real server of this machine's package, in a directory of its own. */
export interface RedisProcess {
  readonly port: number;
  readonly url: string;
  pid(): number;
  /** Asks it with the options it was started for. */
  ask(...command: string[]): Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Again, on the same port and files. */
  start(): Promise<void>;
  /** For good. */
  close(): Promise<void>;
}

export interface RedisProcessOptions {
  readonly args?: readonly string[];
  readonly options?: RedisOptions;
  readonly isTls?: boolean;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startRedis({ args = [], options = PLAIN }: RedisProcessOptions = {}): Promise<RedisProcess> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  let asking: RedisConnection | undefined;

  const connection = async () => {
    if (!asking?.isOpen()) asking = await connectRedis({ host: HOST, port }, options);
    return asking;
  };
  async function start(): Promise<void> {
    const own = ['--dir', dir, '--bind', HOST, ...(options.isTls ? ['--port', '0'] : ['--port', String(port)])];
    child = spawn('redis-server', [...own, ...(options.isTls ? ['--tls-port', String(port)] : []), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const isUp = await connection()
        .then((open) => open.send(['PING']))
        .then(
          () => true,
          () => false,
        );
      if (isUp) return;
      if (child.exitCode !== null || Date.now() > end) throw new Error('redis-server does not start');
      await pause(20);
    }
  }
  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    asking?.end();
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  }

  await start();
  return {
    port,
    url: `${options.isTls ? 'rediss' : 'redis'}://${HOST}:${port}`,
    pid: () => child?.pid ?? 0,
    ask: async (...command) => (await connection()).send(command),
    kill,
    start,
    async close() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A certificate for this machine, and the one that vouches for it. */
export function makeCertificates(): {
  readonly args: string[];
  readonly ca: string;
  readonly caPath: string;
  drop(): void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-tls-'));
  const at = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: dir, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=test');
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'own.key',
    '-out',
    'own.crt',
    '-subj',
    '/CN=own',
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-addext',
    `subjectAltName=IP:${HOST}`,
  );
  return {
    args: [
      '--tls-cert-file',
      at('own.crt'),
      '--tls-key-file',
      at('own.key'),
      '--tls-ca-cert-file',
      at('ca.crt'),
      '--tls-auth-clients',
      'no',
    ],
    ca: readFileSync(at('ca.crt'), 'utf8'),
    caPath: at('ca.crt'),
    drop: () => rmSync(dir, { recursive: true, force: true }),
  };
}

const SLOTS = 16_384;

/** Three nodes that share the slots. */
export async function startCluster(): Promise<readonly RedisProcess[]> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000', '--appendonly', 'no', '--save', ''];
  const nodes = await Promise.all([0, 1, 2].map(() => startRedis({ args })));
  const share = Math.ceil(SLOTS / nodes.length);
  for (const [nth, node] of nodes.entries()) {
    const last = Math.min(SLOTS, (nth + 1) * share) - 1;
    await node.ask('CLUSTER', 'ADDSLOTSRANGE', String(nth * share), String(last));
    if (nth > 0) await node.ask('CLUSTER', 'MEET', HOST, String(nodes[0]?.port));
  }
  const end = Date.now() + PATIENCE_MS;
  for (const node of nodes)
    while (!String(await node.ask('CLUSTER', 'INFO')).includes('cluster_state:ok')) {
      if (Date.now() > end) throw new Error('the cluster does not come together');
      await pause(50);
    }
  return nodes;
}
