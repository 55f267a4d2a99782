import { SET_ROLES } from '../../engine/settings.ts';
import type { IndexedFiles, SetRole } from '../../engine/settings.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import type { FileFacts, FileFlag } from '../model/facts.ts';
import { ROLE_FLAGS } from '../model/role.ts';

const FLAG: Readonly<Record<SetRole, FileFlag>> = {
  production: 'product',
  test: 'test',
  sample: 'sample',
  generated: 'generated',
};

/** What the settings say that a file is there for goes before what its place and text say. */
export function readSetRoles(roles: IndexedFiles['roles'] = {}): (facts: FileFacts) => FileFacts {
  const set = SET_ROLES.flatMap((role) => (roles[role] ?? []).map((glob) => ({ role, glob: compileGlob(glob) })));
  if (set.length === 0) return (facts) => facts;
  return (facts) => {
    const segments = facts.path.split('/');
    const found = set.find(({ glob }) => matchGlob(glob, segments, segments));
    if (found === undefined) return facts;
    return { ...facts, flags: [FLAG[found.role], ...facts.flags.filter((flag) => !ROLE_FLAGS.has(flag))] };
  };
}
