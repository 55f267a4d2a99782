// The least that a Node hook can do, in the form that starts fastest.
const { readFileSync, writeSync } = require('node:fs');
const event = JSON.parse(readFileSync(0, 'utf8'));
const denied = /\bgit push\b.*\s--force(\s|$)/.test(event.tool_input.command ?? '');
const decision = { hookEventName: event.hook_event_name, permissionDecision: 'deny', permissionDecisionReason: 'no' };
writeSync(1, JSON.stringify(denied ? { hookSpecificOutput: decision } : {}));
