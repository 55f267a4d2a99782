import { expect, test } from 'vitest';
import { shownFacts } from '../shown-facts.fixture.ts';

test('shell: functions, sourced files and calls', async () => {
  const { definitions, imports, calls, facts } = await shownFacts(
    'bin/deploy.sh',
    'shell',
    `#!/bin/bash
source "$(dirname "$0")/lib/log.sh"
. ./util.sh
source "\${BASH_SOURCE%/*}/../common.sh"
. $HOME/rc
. "$FILE"

# Builds it.
# In two steps.
build() {
  local size=$(measure "$(inner)")
  log_info "done" | filter_it
  nested() { deep; }
  if check_it; then echo "\${x:-$(preset)}"; fi
}
function deploy-all {
  build && push_it <(list_all)
}
deploy-all "$@"
cat <<END
$(in_text)
END
`,
  );
  expect(definitions).toEqual(['10:1 function build', '13:3 function build.nested', '16:10 function deploy-all']);
  expect(imports).toEqual(['2:8 * of $/lib/log.sh', '3:3 * of ./util.sh', '4:8 * of $/../common.sh', '5:3 * of $/rc']);
  expect(calls).toEqual([
    '11:16 call measure/1 in build',
    '11:27 call inner/0 in build',
    '12:3 call log_info/1 in build',
    '12:21 call filter_it/0 in build',
    '13:14 call deep/0 in build.nested',
    '14:6 call check_it/0 in build',
    '14:34 call preset/0 in build',
    '17:3 call build/0 in deploy-all',
    '17:12 call push_it/1 in deploy-all',
    '17:22 call list_all/0 in deploy-all',
    '19:1 call deploy-all/1 in -',
    '21:3 call in_text/0 in -',
  ]);
  expect(facts.definitions[0]).toMatchObject({ doc: 'Builds it.', signature: 'build()' });
  expect(facts.flags).toEqual([]);
});

test('damaged code keeps what is before', async () => {
  const { definitions, facts } = await shownFacts('a.sh', 'shell', 'before() { go; }\nif then fi\nafter() { go; }\n');
  expect(facts.flags).toEqual(['damaged']);
  expect(definitions).toContain('1:1 function before');
});
