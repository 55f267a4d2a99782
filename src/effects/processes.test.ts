import { describe, expect, it } from 'vitest';
import { PROCESS_PROGRAMS } from './processes.ts';
import { effectsBy, lineOf } from './scene.fixture.ts';

describe('PROCESS_PROGRAMS', () => {
  it.each<readonly [string, ...string[]]>([
    ['kill -9 12 13', 'kill:force 12', 'kill:force 13'],
    ['kill -s KILL 12', 'kill:force 12'],
    ['kill -SIGKILL $PID', 'kill:force $PID'],
    ['kill -9 -1', 'kill:everything -1'],
    ['kill -- -1', 'kill:everything -1'],
    ['pkill -f node', 'kill:by-name node'],
    ['killall -9 python3', 'kill:by-name python3'],
    ['pkill -u ann', 'kill:by-name ann'],
    ['fuser -k 3000/tcp', 'kill:force 3000/tcp'],
    ['supervisorctl stop app', 'kill:service app'],
    ['tmux kill-session', 'kill:service kill-session'],
    ['kill 12'],
    ['kill %1'],
    ['kill -0 12'],
    ['kill -l'],
    ['kill -HUP 12'],
    ['pkill -0 node'],
    ['pgrep node'],
    ['fuser 3000/tcp'],
  ])('%s', (text, ...lines) => {
    expect(effectsBy(PROCESS_PROGRAMS, text).map(lineOf)).toEqual(lines);
  });
});
