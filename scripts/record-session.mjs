#!/usr/bin/env node
// Turns the output directory of one recorded run of an agent into a session fixture, one hook call per line.
//   node scripts/record-session.mjs RUN_DIR > test/fixtures/sessions/NAME.jsonl
//   node scripts/record-session.mjs RUN_DIR --payload PreToolUse:Edit > payload.json      the first such payload alone
// RUN_DIR holds hooks.json and the folders project/, home/ and tmp/ that the agent worked in.
import fs from 'node:fs';
import path from 'node:path';

// Everything else the agent adds is either constant or a secret (its messaging token), so nothing else is kept.
const KEPT_ENV = ['CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_SESSION_ATTENDED', 'CLAUDE_PID'];

const args = process.argv.slice(2);
const at = args.indexOf('--payload');
const payload = at < 0 ? undefined : args.splice(at, 2)[1];
if (args.length !== 1 || (at >= 0 && !payload)) {
  console.error('usage: node scripts/record-session.mjs RUN_DIR [--payload EVENT:TOOL]');
  process.exit(2);
}
const run = fs.realpathSync(args[0]);
const calls = JSON.parse(fs.readFileSync(path.join(run, 'hooks.json'), 'utf8'))
  .filter((call) => call.stdin)
  .sort((a, b) => a.t_start - b.t_start);

// The agent names its folders after paths, with every other character turned into a dash.
const dashed = (file) => file.replace(/[^a-zA-Z0-9]/g, '-');
const rewrites = [
  [path.join(run, 'project'), '/home/dev/project'],
  [dashed(path.join(run, 'project')), dashed('/home/dev/project')],
  [path.join(run, 'tmp'), '/home/dev/.tmp'],
  [path.join(run, 'home'), '/home/dev'],
  [run, '/home/dev/run'],
  [path.dirname(calls[0].argv[1]), '/home/dev/harness'],
  [path.dirname(calls[0].argv[0]), '/usr/bin'],
];
const clean = (value) =>
  JSON.parse(rewrites.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value)));

if (payload) {
  const [event, tool] = payload.split(':');
  const found = calls.find(({ stdin }) => stdin.hook_event_name === event && stdin.tool_name === tool);
  if (!found) throw new Error(`no ${payload} in ${args[0]}`);
  console.log(JSON.stringify(clean(found.stdin), null, 2));
} else {
  for (const call of calls) {
    const env = Object.fromEntries(
      KEPT_ENV.flatMap((name) => (name in call.env_added_by_client ? [[name, call.env_added_by_client[name]]] : [])),
    );
    console.log(
      JSON.stringify({ at: Math.round(call.t_start - calls[0].t_start), env: clean(env), payload: clean(call.stdin) }),
    );
  }
}
