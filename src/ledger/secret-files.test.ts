import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { claudeCode } from '../adapters/claude-code/index.ts';
import type { Event } from '../event/event.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import { NEUTRAL } from '../event/verdict.ts';
import type { Decision } from '../event/verdict.ts';
import { openDatabase } from '../platform/database.ts';
import { rowOf } from './record.ts';
import { createSqliteLedger, LEDGER_SCHEMA } from './sqlite.ts';
import { coverSecretFiles, redactCommand } from './secret-files.ts';

/** In everything below this is what must not be kept. */
const CONTENT = 'zq7-content-zq7';
const NEEDLE = 'content-zq7';

function eventOf(tool: string, input: object, response?: unknown): Event {
  const payload = {
    hook_event_name: response === undefined ? 'PreToolUse' : 'PostToolUse',
    session_id: 's1',
    cwd: '/home/me/shop',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 't1',
    ...(response === undefined ? {} : { tool_response: response }),
  };
  return claudeCode.parse({ payload, cwd: '/home/me/shop', home: '/home/me', depth: 0, receivedAt: 1 });
}

const SECRET_FILES = [
  '/home/me/shop/.env',
  '/home/me/shop/.env.production',
  '/home/me/.ssh/id_ed25519',
  '/home/me/.aws/credentials',
  '/home/me/.netrc',
  '/home/me/shop/server.key',
  '/home/me/shop/config/secrets.yml',
];

const bash = (command: string, output?: string): Event =>
  eventOf(
    'Bash',
    { command, description: 'does it' },
    output === undefined ? undefined : { stdout: output, stderr: '' },
  );

const ROUTES: readonly (readonly [string, (path: string) => Event])[] = [
  ['is written', (path) => eventOf('Write', { file_path: path, content: `A=${CONTENT}` })],
  [
    'was written',
    (path) =>
      eventOf('Write', { file_path: path, content: CONTENT }, { filePath: path, content: CONTENT, type: 'create' }),
  ],
  ['is edited', (path) => eventOf('Edit', { file_path: path, old_string: CONTENT, new_string: `x${CONTENT}` })],
  [
    'was edited',
    (path) =>
      eventOf(
        'Edit',
        { file_path: path, old_string: 'a', new_string: CONTENT },
        { filePath: path, originalFile: CONTENT, structuredPatch: [{ lines: [`+${CONTENT}`] }] },
      ),
  ],
  [
    'is edited in many places',
    (path) => eventOf('MultiEdit', { file_path: path, edits: [{ old_string: CONTENT, new_string: 'b' }] }),
  ],
  [
    'was read',
    (path) =>
      eventOf('Read', { file_path: path }, { type: 'text', file: { filePath: path, content: `A=${CONTENT}\n` } }),
  ],
  [
    'was found',
    (path) =>
      eventOf(
        'Grep',
        { pattern: 'A', path: '/home/me' },
        { mode: 'content', content: `x.ts:1:a\n${path}:3:A=${CONTENT}\n${path}-4-B=${CONTENT}` },
      ),
  ],
  ['was printed', (path) => bash(`cat ${path}`, CONTENT)],
  ['was printed by a quoted name', (path) => bash(`cat "${path}" | head`, CONTENT)],
  ['was printed by a name in pieces', (path) => bash(`cat ${path.slice(0, -1)}''${path.at(-1)}`, CONTENT)],
  ['was printed by a name with a backslash', (path) => bash(`cat ${path.slice(0, -1)}\\${path.at(-1)}`, CONTENT)],
  ['was printed by a variable', (path) => bash(`D=${path.slice(0, -2)}; cat "\${D}${path.slice(-2)}"`, CONTENT)],
  ['was printed by code', (path) => bash(`python3 -c "print(open('${path}').read())"`, CONTENT)],
  ['was copied to a pipe', (path) => bash(`base64 < ${path}`, CONTENT)],
  ['was found in the shell', (path) => bash('grep -rn A .', `a.ts:1:x\n${path}:1:A=${CONTENT}\n`)],
  [
    'was compared',
    (path) => bash('git diff', `diff --git a${path} b${path}\n--- a${path}\n+++ b${path}\n@@ -1 +1 @@\n+${CONTENT}`),
  ],
  ['was shown among others', (path) => bash('head *', `==> a <==\nx\n\n==> ${path} <==\n${CONTENT}\n`)],
  ['gets a line', (path) => bash(`echo A=${CONTENT} >> ${path}`)],
  ['gets a quoted line', (path) => bash(`echo "A=${CONTENT}" > "${path}"`)],
  ['gets a document', (path) => bash(`cat > ${path} <<'EOF'\nA=${CONTENT}\nB=${CONTENT} x\nEOF\nls`)],
  ['gets a document that does not end', (path) => bash(`cat <<EOF > ${path}\nA=${CONTENT}`)],
  ['gets what is printed', (path) => bash(`printf '%s\\n' ${CONTENT} | tee ${path}`)],
  ['is changed in place', (path) => bash(`sed -i 's/^A=.*/A=${CONTENT}/' ${path}`)],
  ['gets a text', (path) => bash(`tee ${path} <<< ${CONTENT}`)],
  ['gets a variable', (path) => bash(`V=${CONTENT}; echo $V > ${path}`)],
  ['is written by code', (path) => bash(`node -e "require('fs').writeFileSync('${path}', '${CONTENT}')"`)],
  ['is written by another tool', (path) => eventOf('mcp__fs__write_file', { path, content: CONTENT })],
  [
    'is written by a tool with its own words',
    (path) => eventOf('mcp__x__put', { target: { uri: `file://${path}` }, data: [CONTENT] }),
  ],
  ['was read by another tool', (path) => eventOf('mcp__fs__read', { path }, [{ type: 'text', text: CONTENT }])],
  ['was read with others', (path) => eventOf('mcp__fs__read_all', { dir: '.' }, { files: [{ path, text: CONTENT }] })],
  [
    'is written by a shell of another tool',
    (path) => eventOf('mcp__x__exec', { command: `echo ${CONTENT} > ${path}` }),
  ],
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-secret-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const times = { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 };

/** All that the tables hold after an event that a rule has stopped with the command, as it was seen, in its words. */
function stored(event: Event, bodies = 2_000): string {
  const { db } = openDatabase(join(folder, 'state.db'), LEDGER_SCHEMA, 100);
  const ledger = createSqliteLedger(db, {
    blockSize: 1,
    random: () => 0.5,
    retention: () => ({ days: 1, rows: 9, bodies }),
  });
  const seen = `Not \`${(event.tool?.command ?? JSON.stringify(event.tool?.input)).slice(0, 200)}\`.`;
  const decision: Decision = { ...NEUTRAL, action: 'deny', by: ['a/b'], reason: seen };
  const row = rowFor(event, decision);
  const trace = [
    { rule: 'a/b', tier: 3, reason: '', mode: 'enforce', verdicts: [{ kind: 'deny', text: seen }] },
  ] as const;
  ledger.record(row, (): LedgerDetail => ({ event, trace, decision, times, attempts: 1 }), false);
  ledger.flush();
  const tables = JSON.stringify([db.prepare('SELECT * FROM events').all(), db.prepare('SELECT * FROM details').all()]);
  db.close();
  rmSync(join(folder, 'state.db'));
  return tables;
}

function rowFor(event: Event, decision: Decision): LedgerRow {
  return rowOf({
    ...{ id: 'x', event, root: '/', digest: '', tier: 3, decision, replyBytes: 0, micros: 0 },
    ...{ changed: false, copy: false, delivery: 'd', answer: JSON.stringify({ content: 'c', decision }) },
  });
}

it('a changed call is not kept for its copy when parts of it were taken out', () => {
  const [, make] = ROUTES[0] as (typeof ROUTES)[number];
  const rewrite = (path: string): Decision => ({ ...NEUTRAL, action: 'rewrite', by: ['a/b'], input: { path } });
  expect(rowFor(make('/home/me/shop/.env'), rewrite('x')).answer).toBeUndefined();
  expect(rowFor(make('/home/me/shop/src/cart.ts'), rewrite('x')).answer).toContain('"input":{"path":"x"}');
});

describe.each(ROUTES)('a secret file that %s', (_, make) => {
  it.each(SECRET_FILES)('leaves nothing of its content: %s', (path) => {
    const event = make(path);
    expect(JSON.stringify(event)).toContain(NEEDLE);
    expect(stored(event)).not.toContain(NEEDLE);
  });
});

it.each(ROUTES.filter(([name]) => !/among others|with others|compared|found/.test(name)))(
  '%s: another file is kept',
  (_, make) => {
    expect(stored(make('/home/me/shop/src/cart.ts'))).toContain(NEEDLE);
  },
);

it('what has nothing secret is the same event', () => {
  for (const event of [
    bash('npm test', 'all green'),
    eventOf('Read', { file_path: '/a.ts' }, { file: { content: 'x' } }),
  ])
    expect(coverSecretFiles(event).event).toBe(event);
});

it.each([
  ['cat .env', 'cat .env'],
  ['sudo cat /etc/shadow | wc -l', 'sudo cat /etc/shadow | wc -l'],
  ['git add .env && git push', 'git add .env && git push'],
  ['docker run --env-file .env app', 'docker run --env-file .env [redacted]'],
  ['echo KEY=abcd > .env', 'echo [redacted] > .env'],
  ['A=abcd ./run.sh .env', 'A=[redacted] ./run.sh .env'],
  ['cat > .env <<EOF\nKEY=abcd\nEOF\nls -la', 'cat > .env <<EOF\n[redacted]\nEOF\nls -la'],
])('%j becomes %j', (command, expected) => {
  expect(redactCommand(command)).toBe(expected);
});

it('whatever is around it, a word that goes into a secret file is not kept', () => {
  const before = fc.constantFrom('"', "'", ' ', '> ', '\\', 'A=', ' -x ', '$X ', '<<E\n', 'é');
  const after = fc.constantFrom('"', "'", ' ', '\n', '| tee ', '> ', ';', '$(', ')', '<<E\n', '\nE\n', '\\', 'A=');
  fc.assert(
    fc.property(fc.array(before, { maxLength: 8 }), fc.array(after, { maxLength: 8 }), (head, tail) => {
      // Behind a backslash it is no here-document, and what follows the line is the name of a program.
      fc.pre(!head.join('').includes('\\<<E\n'));
      const command = `echo ${head.join('')}${CONTENT}${tail.join('')} .env`;
      expect(redactCommand(command)).not.toContain(NEEDLE);
    }),
    cases(2_000),
  );
});

it.each([0])('with bodies of %d, no text of the event is kept, secret or not', (bodies) => {
  const kept = stored(bash('echo perfectly-harmless', 'printed'), bodies);
  expect(kept).not.toMatch(/harmless|printed/);
  expect(kept).toMatch(/a\/b.*deny/);
});
