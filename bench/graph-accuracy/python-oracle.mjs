// node python-oracle.mjs <tools> <root>: call sites and definitions by CPython's parser (python-names.py, beside this
// file), with the targets that pyright's language server gives for each callee, as JSON lines.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [tools, root] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const parsed = spawnSync('python3', [join(here, 'python-names.py'), root], { maxBuffer: 2 ** 30, encoding: 'utf8' });
if (parsed.status !== 0) throw new Error(`python3: ${parsed.stderr}`);
const entries = parsed.stdout
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const keyOf = ({ file, line, column }) => `${file}:${line}:${column}`;
const known = new Map();
const constructors = new Map();
for (const entry of entries) {
  if (entry.is !== 'definition' && entry.is !== 'name') continue;
  known.set(keyOf(entry), entry);
  if (entry.owner && /^__(init|new|call)__$/.test(entry.name)) {
    const owner = keyOf(entry.owner);
    constructors.set(owner, [...(constructors.get(owner) ?? []), entry]);
  }
}

const server = startServer();
await server.ask('initialize', {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'corpus' }],
  capabilities: {
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: { definition: { linkSupport: true } },
  },
});
server.tell('initialized', {});

const byFile = new Map();
for (const entry of entries) {
  if (entry.is === 'site') byFile.set(entry.file, [...(byFile.get(entry.file) ?? []), entry]);
}
for (const [file, sites] of byFile) {
  const uri = pathToFileURL(join(root, file)).href;
  const text = readFileSync(join(root, file), 'utf8');
  server.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 1, text } });
  const answers = await Promise.all(
    sites.map(({ line, column }) =>
      server.ask('textDocument/definition', { textDocument: { uri }, position: { line, character: column } }),
    ),
  );
  sites.forEach((site, n) => Object.assign(site, judge(answers[n])));
  server.tell('textDocument/didClose', { textDocument: { uri } });
}
process.stdout.write(`${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
await server.ask('shutdown');
server.tell('exit');

function judge(answer) {
  const places = (Array.isArray(answer) ? answer : answer?.uri ? [answer] : []).map((location) => {
    const { start } = location.targetSelectionRange ?? location.range;
    const path = relative(root, fileURLToPath(location.targetUri ?? location.uri))
      .split(sep)
      .join('/');
    return { file: path, line: start.line, column: start.character };
  });
  if (places.length === 0) return { verdict: 'unresolved' };
  const inside = places.filter(({ file }) => !file.startsWith('..'));
  if (inside.length === 0) return { verdict: 'outside' };
  const targets = inside.flatMap(targetsOf);
  const isNamed = targets.some(({ kind }) => kind !== 'local' && kind !== 'parameter');
  return { verdict: isNamed ? 'edge' : 'local', targets };
}

/** A class and what runs when it is called are one. */
function targetsOf(at) {
  const entry = known.get(keyOf(at));
  const targets = [{ ...at, kind: entry?.kind ?? 'local' }];
  if (entry?.kind === 'class') for (const made of constructors.get(keyOf(at)) ?? []) targets.push(placeOf(made));
  if (entry?.owner && /^__(init|new)__$/.test(entry.name)) targets.push({ ...entry.owner, kind: 'class' });
  return targets;
}

function placeOf({ file, line, column, kind }) {
  return { file, line, column, kind };
}

function startServer() {
  const child = spawn(process.execPath, [join(tools, 'node_modules/pyright/langserver.index.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let received = Buffer.alloc(0);
  let count = 0;
  const waiting = new Map();
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const settings = {
    'python.analysis': {
      typeCheckingMode: 'off',
      diagnosticMode: 'openFilesOnly',
      useLibraryCodeForTypes: true,
      indexing: false,
    },
    python: {},
  };
  child.stdout.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1', 0, head))[1]);
      if (received.length < head + 4 + length) return;
      const message = JSON.parse(received.toString('utf8', head + 4, head + 4 + length));
      received = received.subarray(head + 4 + length);
      if (message.method !== undefined && message.id !== undefined) {
        const items = message.method === 'workspace/configuration' ? message.params.items : undefined;
        send({ id: message.id, result: items?.map(({ section }) => settings[section] ?? null) ?? null });
      } else if (message.id !== undefined) {
        waiting.get(message.id)?.(message.result);
        waiting.delete(message.id);
      }
    }
  });
  return {
    ask: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++count, resolve);
        send({ id: count, method, params });
      }),
    tell: (method, params) => send({ method, params }),
  };
}
