import { ADAPTERS } from '../../adapters/registry.ts';
import { DISABLED } from '../../adapters/forwarded.ts';
import { quote } from '../../shell/quote.ts';
import { linesUnknown } from '../../transport/fail-closed.ts';
import { goneDir, launchDir } from '../../transport/launch-place.ts';
import type { Launched } from '../../transport/launch-place.ts';
import { join } from '../../platform/paths.ts';
import { STABLE_NODES } from './launcher.ts';

/** What takes the hooks out of agents' settings where nothing else of this program is left. */
export const TAKE_OUT = 'take-out.mjs';
/** What hooks start where there is no native client. */
export const NODE_CLIENT = 'client.cjs';
/** An update takes the package away for a moment: how often the launcher looks for it before it counts as gone. */
const LOOKS = 20;

interface Place extends Launched {
  readonly state: string;
  readonly run: string;
}

/** The command that takes the hooks out, as a person types it. */
export function takeOutCommand(state: string): string {
  return `sh ${quote(join(launchDir(state), 'fairlead'))} uninstall`;
}

/**
 * What hooks start, as a script for any POSIX shell: it has to answer when the package is gone, and Node with it. It knows
 * agents by what their adapters say, and which calls are guarded by what the engine has left in `closed/`.
 */
export function launcherScript({ node, root, state, run }: Place): string {
  return `#!/bin/sh
# Starts Fairlead for the hooks of agents, and answers for it when its package is gone. \`fairlead init\` writes this file.
node=${quote(node)}
root=${quote(root)}
run=${quote(run)}
gone=${quote(goneDir(run))}

has_node() {
  [ -x "$node" ] && return
  for node in ${STABLE_NODES.map(quote).join(' ')}; do [ -x "$node" ] && return; done
  return 1
}

has_copy() {
  [ -f "$root/bin/fairlead" ] && [ -f "$root/dist/hook.js" ] && has_node
}

# A version manager keeps a copy beside each Node.
has_other_copy() {
  top=\${root%/lib/node_modules/*} name=\${root##*/lib/node_modules/} found=
  [ "$top" = "$root" ] && return 1
  for other in "\${top%/*}"/*/lib/node_modules/"$name"; do
    [ -f "$other/dist/hook.js" ] && [ -x "\${other%/lib/node_modules/*}/bin/node" ] && found=$other
  done
  [ -n "$found" ] || return 1
  root=$found node=\${found%/lib/node_modules/*}/bin/node
}

start() {
  if has_copy || has_other_copy; then
    PATH=$given_path
    exec "$node" "$root/bin/fairlead" "$@"
  fi
}

# Where there is no native client, one for Node lies here. It starts this script in turn for what no engine answers.
# By its real path: the link may lead to another version a moment later, and this one stays for a while.
given_path=\${PATH-}
case " $* " in
*' --direct '*) ;;
' hook '*)
  here=$(cd "\${0%/*}" 2>/dev/null && pwd -P)
  [ -f "$here/${NODE_CLIENT}" ] && has_node && exec "$node" "$here/${NODE_CLIENT}" "$@"
  ;;
esac
start "$@"
PATH=/usr/bin:/bin:/usr/sbin:/sbin

case \${1-} in
hook) ;;
statusline) exit 0 ;;
uninstall)
  for each in "$node" ${STABLE_NODES.map(quote).join(' ')} "$(PATH=$given_path; command -v node)"; do
    [ -x "$each" ] && exec "$each" "\${0%/*}/${TAKE_OUT}" ${quote(state)}
  done
  echo 'fairlead: its package is gone and no Node was found. Take its entries out of the settings of your agents by hand.' >&2
  exit 1
  ;;
*)
  echo "fairlead: its package is gone from $root. Install it again, or take its hooks out: "${quote(takeOutCommand(state))} >&2
  exit 1
  ;;
esac

${answerScript(state)}`;
}

/** What it does for a hook whose package is gone. */
function answerScript(state: string): string {
  return `# An update may be under way. That is found out once: who comes later does not wait.
look=0
while [ -d "$run" ] && [ ! -e "$gone/since" ] && [ $look -lt ${LOOKS} ]; do
  sleep 0.2
  start "$@"
  look=$((look + 1))
done
cat >/dev/null

agent= event= watched= adopted=
while [ $# -gt 0 ]; do
  case $1 in
  --agent) agent=\${2-} ;;
  --event) event=\${2-} ;;
  --watched) watched=1 ;;
  --adopted) adopted=1 ;;
  esac
  shift
done

# Nobody runs them now, and whoever wrote them counts on them.
if [ -n "$adopted" ]; then
  echo "Fairlead is gone from this machine, and with it the hooks that it has adopted. Give them back: "${quote(takeOutCommand(state))} >&2
  exit 1
fi

session= project=
case $agent in
${variablesOfAgents()}
esac
case $session in '' | *[!A-Za-z0-9._-]*) session=unnamed ;; esac

reply=
case "$agent $event" in
${questions(state)}
esac

# As the clients: by what the engine has left for the place where the agent works; where it has left nothing, every call.
is_guarded() {
  here=$(pwd -P) named=$(cd "\${project:-.}" && pwd -P) known=
  for file in "$run"/closed/*; do
    [ -f "$file" ] && [ -r "$file" ] && names_event <"$file" && return
  done
  [ -z "$known" ]
}

names_event() {
  IFS= read -r top || return
  [ "$top" = / ] && known=1
  case "$here/" in
  "\${top%/}"/*) ;;
  *) case "$named/" in "\${top%/}"/*) ;; *) return 1 ;; esac ;;
  esac
  while IFS= read -r line; do
    case $line in "$agent $event "*) return ;; esac
  done
  return 1
}

answer() {
  [ "\${${DISABLED}-}" = 1 ] && return
  mkdir -p -m 700 "$gone" 2>/dev/null
  printf '' >"$gone/since"
  [ -n "$reply" ] && is_guarded || return
  # Only the first of a session is asked about. Who cannot remember that asks.
  [ -e "$gone/session-$session" ] && return
  printf '' >"$gone/session-$session"
  printf '%s' "$reply"
}

answer 2>/dev/null
[ -n "$watched" ] && printf '\\0'
exit 0
`;
}

function variablesOfAgents(): string {
  const lines = ADAPTERS.map(({ name, environment }) => {
    const { session, projectDir } = environment ?? {};
    const value = (variable: string | undefined) => (variable === undefined ? '' : `\${${variable}-}`);
    return `${quote(name)}) session=${value(session)} project=${value(projectDir)} ;;`;
  });
  return lines.join('\n');
}

/** The question for each event that a tool call begins with. Where nobody can be asked, the agent takes it for a denial. */
function questions(state: string): string {
  const text =
    'Fairlead is gone from this machine, so none of its rules looked at this call.\n' +
    'It asks once in a session; after that, calls pass.\n' +
    `Install it again, or take its hooks out: ${takeOutCommand(state)}`;
  const lines = linesUnknown(text).flatMap((line) => {
    const [, start = '', reply = ''] = /^(\S+ \S+)\? (.*)$/.exec(line) ?? [];
    return reply === '' ? [] : [`${quote(start)}) reply=${quote(reply)} ;;`];
  });
  return lines.join('\n');
}
