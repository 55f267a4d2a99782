// The command line of the build, once for each line that it is given: in a process that is there already, a verb costs a
// tenth of what it costs to start one. A line names the words, the directory and the environment; the answer is a line too.
import { readFileSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import type { Ran, VerbCall } from '../../src/cli/run-verb.fixture.ts';

/** Both ways. The usual streams are the program's. */
const LINES = 3;
const program = process.argv[1] ?? '';
const script = new Script(readFileSync(program, 'latin1'), { filename: program });
let said = { out: '', err: '' };
let unread = '';

process.stdout.write = (text: string | Uint8Array) => keep('out', text);
process.stderr.write = (text: string | Uint8Array) => keep('err', text);

function keep(stream: 'out' | 'err', text: string | Uint8Array): true {
  said[stream] += typeof text === 'string' ? text : Buffer.from(text).toString();
  return true;
}

/** All of it anew, but for what Node itself has loaded. */
function begin({ words, cwd, env }: VerbCall): void {
  said = { out: '', err: '' };
  process.exitCode = undefined;
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...words];
  const module = { exports: {} };
  const body = script.runInThisContext() as (...given: readonly unknown[]) => void;
  body(module.exports, createRequire(program), module, program, dirname(program));
}

/** Waits, doing nothing else, so that what a verb leaves open cannot go on as if its process had not ended. */
function nextCall(): VerbCall | undefined {
  const bytes = Buffer.alloc(65_536);
  while (!unread.includes('\n')) {
    const count = readSync(LINES, bytes);
    if (count === 0) return undefined;
    unread += bytes.toString('utf8', 0, count);
  }
  const end = unread.indexOf('\n');
  const line = unread.slice(0, end);
  unread = unread.slice(end + 1);
  return JSON.parse(line) as VerbCall;
}

function answer(): void {
  const ran: Ran = { code: Number(process.exitCode ?? 0), ...said };
  process.stdout.removeAllListeners('error');
  process.chdir('/');
  writeSync(LINES, `${JSON.stringify(ran)}\n`);
  const next = nextCall();
  if (next === undefined) process.exit(0);
  begin(next);
}

// Where its process would end. What the program does at that moment comes first.
process.on('beforeExit', () => void setImmediate(answer));
const first = nextCall();
if (first !== undefined) begin(first);
