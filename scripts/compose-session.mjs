#!/usr/bin/env node
// Composes a long session of recorded payloads: 60 prompts, 200 tool calls, token usage that grows, one compaction.
//   node scripts/compose-session.mjs > session.jsonl
// Each line is a step: { at, payload } is a hook call, { at, transcript } a line that the agent appends to its transcript,
// { at, file, text } and { at, run } what a tool did to the project. Only ids, texts, commands and numbers differ from what
// was recorded; the project is /home/dev/project.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const PROMPTS = 60;
const CALLS = 200;
const PROJECT = '/home/dev/project';
const MINUTE = 60_000;
/** Between two prompts; the session begins in the evening and ends after midnight. */
const PACE = 4 * MINUTE;
const COMPACTED_AT = 52;

const folder = new URL('../test/fixtures/claude-code/', import.meta.url);
const recorded = (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const usageLine = readFileSync(new URL('extras/transcript.jsonl', folder), 'utf8')
  .split('\n')
  .filter((line) => line.includes('"usage"'))
  .map((line) => JSON.parse(line))
  .find((line) => line.type === 'assistant');

/** What the agent has in its context at a prompt; a compaction leaves the summary. */
const tokensAt = (prompt) =>
  prompt < COMPACTED_AT ? 18_000 + prompt * 2_900 : 24_000 + (prompt - COMPACTED_AT) * 2_900;

/** What a prompt has the agent do, beside reading and editing the code. */
const WORK = new Map([
  [3, ['subagent']],
  [8, ['local-build', 'path-build']],
  [12, ['plan']],
  [20, ['failing-lint']],
  [26, ['decision']],
  [33, ['task']],
  [41, ['failing-lint']],
]);
const COMMIT_EVERY = 7;

export function composeSession() {
  const steps = [];
  let at = 0;
  let prompt = 0;
  let calls = 0;
  let edits = 0;
  const base = { ...pick(recorded('UserPromptSubmit/plain.json'), ['session_id', 'transcript_path']), cwd: PROJECT };
  const now = () => ({ ...base, prompt_id: `prompt-${String(prompt).padStart(2, '0')}` });
  const send = (file, more) => steps.push({ at: (at += 500), payload: { ...recorded(file), ...now(), ...more } });

  const call = (pre, post, tool, more = {}, response = {}, effect) => {
    calls += 1;
    const id = { tool_use_id: `toolu_long${String(calls).padStart(4, '0')}` };
    send(pre, { ...tool, ...id, ...more });
    if (effect) steps.push({ at, ...effect });
    send(post, { ...tool, ...id, ...more, ...response });
  };
  const bash = (command, effect) =>
    call('PreToolUse/bash.json', 'PostToolUse/bash.json', { tool_input: { command } }, {}, {}, effect);
  const failing = (command) =>
    call('PreToolUse/bash.json', 'PostToolUseFailure/bash.json', { tool_input: { command } });
  const read = () => call('PreToolUse/read.json', 'PostToolUse/read.json', {});
  const edit = () => {
    edits += 1;
    const text = `import { add } from "./math";\n\nexport function main() {\n  return add(${edits}, 2);\n}\n`;
    call('PreToolUse/edit.json', 'PostToolUse/edit.json', {}, {}, {}, { file: 'src/app.ts', text });
  };
  const write = (path, text) => {
    const input = { tool_input: { file_path: `${PROJECT}/${path}`, content: text } };
    call('PreToolUse/write.json', 'PostToolUse/write-create.json', input, {}, {}, { file: path, text });
  };

  const work = {
    subagent: () =>
      call(
        'PreToolUse/bash-subagent.json',
        'PostToolUse/bash.json',
        { tool_input: { command: 'git log --oneline' } },
        {
          ...pick(recorded('PreToolUse/bash-subagent.json'), ['agent_id', 'agent_type']),
        },
      ),
    'local-build': () => bash('./ctx status'),
    'path-build': () => bash('ctx status'),
    plan: () => {
      const input = { tool_input: { file_path: `${PROJECT}/plan.txt`, content: 'step 1\n' }, permission_mode: 'plan' };
      call('PreToolUse/write-plan.json', 'PostToolUse/write-create.json', input);
    },
    'failing-lint': () => failing('npm run lint'),
    decision: () => bash('fairlead context add decision "Numbers are added in one place"', decisionAdded),
    task: () => write('.context/TASKS.md', '# Tasks\n\n- [x] Parse the file\n- [ ] Report errors\n- [x] Set up\n'),
  };
  const decisionAdded = {
    file: '.context/LEARNINGS.md',
    text: '# Learnings\n\n## [2026-03-10-224500] Numbers are added in one place\n\n- **Lesson**: one place is easier to test.\n',
  };

  send('SessionStart/startup.json', {});
  for (prompt = 1; prompt <= PROMPTS; prompt += 1) {
    at = prompt * PACE;
    if (prompt === COMPACTED_AT) send('SessionStart/compact.json', {});
    steps.push({ at, transcript: JSON.stringify(withTokens(tokensAt(prompt), at)) });
    const planning = WORK.get(prompt)?.includes('plan') === true;
    send('UserPromptSubmit/plain.json', {
      prompt: `Step ${prompt}: ${planning ? 'plan the report' : 'tidy up the next function'}`,
      permission_mode: planning ? 'plan' : 'default',
    });
    for (const name of WORK.get(prompt) ?? []) work[name]();
    if (prompt % COMMIT_EVERY === 0) {
      bash('npx vitest run');
      bash('git status --short');
      bash(`git add -A && git commit -m "Step ${prompt}"`, { run: `git add -A && git commit -q -m "Step ${prompt}"` });
    }
    const due = Math.round((prompt * CALLS) / PROMPTS);
    for (let turn = 0; calls < due; turn += 1) (turn % 2 === 0 ? edit : read)();
    if (prompt % 15 === 0) send('UserPromptSubmit/task-notification.json', {});
    send('Stop/plain.json', {});
  }
  send('SessionEnd/other.json', {});
  return steps;
}

function withTokens(tokens, at) {
  const usage = { ...usageLine.message.usage, input_tokens: 1_200, cache_read_input_tokens: tokens - 1_200 };
  return { ...usageLine, uuid: `usage-${at}`, message: { ...usageLine.message, usage } };
}

function pick(from, names) {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(
    composeSession()
      .map((step) => `${JSON.stringify(step)}\n`)
      .join(''),
  );
