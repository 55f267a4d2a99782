import { describe, expect, it } from 'vitest';
import { PERMISSION_PROGRAMS } from './permissions.ts';
import { effectsBy, lineOf } from '../scene.fixture.ts';

describe('PERMISSION_PROGRAMS', () => {
  it.each<readonly [string, ...string[]]>([
    ['chmod 777 a b', 'permissions:world-writable a @inside', 'permissions:world-writable b @inside'],
    ['chmod -v 0666 a', 'permissions:world-writable a @inside'],
    ['chmod -R 000 /etc', 'permissions:no-access /etc @system tree'],
    ['chmod --rec 000 ~bob', 'permissions:no-access /home/bob @home tree'],
    ['chmod a+rwx a', 'permissions:world-writable a @inside'],
    ['chmod ugo+w a', 'permissions:world-writable a @inside'],
    ['chmod o=rw a', 'permissions:world-writable a @inside'],
    ['chmod -rwx a', 'permissions:no-access a @inside'],
    ['chmod a= a', 'permissions:no-access a @inside'],
    ['chmod u+s a', 'system:set-id a @inside'],
    ['chmod 4755 a', 'system:set-id a @inside'],
    ['chmod -R 755 /usr', 'permissions:recursive /usr @system tree'],
    ['chown -R ann /', 'permissions:owner / @root tree'],
    ['chown -h -R --reference=/tmp/ref /', 'permissions:owner / @root tree'],
    ['find ~ -exec chown root {} +', 'permissions:owner /home/ann @home tree'],
    ['chown -R ann .', 'permissions:owner . @workspace tree'],
    ['setfacl -m o::rwx a', 'permissions:world-writable a @inside'],
    ['chattr -R +i /etc', 'permissions:recursive /etc @system tree'],
    ['chmod -x .git/hooks/pre-commit', 'write:mode .git/hooks/pre-commit @inside'],
    ['chmod +x .git/hooks/pre-commit'],
    ['chmod 755 a'],
    ['chmod +x a'],
    ['chmod -x a'],
    ['chmod 600 ~/.ssh/id_rsa'],
    ['chmod 1777 /tmp/x'],
    ['chmod -R u+w src'],
    ['chmod o-w a'],
    ['chmod --help /'],
    ['chown ann a'],
    ['chown -R ann node_modules'],
  ])('%s', (text, ...lines) => {
    expect(effectsBy(PERMISSION_PROGRAMS, text).map(lineOf)).toEqual(lines);
  });
});
