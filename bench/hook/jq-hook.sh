#!/usr/bin/env bash
# The usual shell hook: three fields by jq, a count in a file, a pattern.
input=$(cat)
session=$(jq -r .session_id <<<"$input")
tool=$(jq -r .tool_name <<<"$input")
command=$(jq -r '.tool_input.command // ""' <<<"$input")
state="$HOME/.jq-hook-$session"
count=0
[ -f "$state" ] && count=$(<"$state")
echo $((count + 1)) >"$state"
if [ "$tool" = Bash ] && [[ $command =~ git\ push.*\ --force(\ |$) ]]; then
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'
fi
