import { filterRepo } from './history.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import type { VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

const bareFilterRepo: ReadEffects = (command, scene) =>
  filterRepo({ command, scene, name: 'filter-repo', words: command.words.slice(1), config: new Map() });

const HG: VerbTable = {
  kind: 'discard',
  values: 'R repository cwd config r rev m message',
  verbs: {
    update: { how: 'hg-update', needs: ['C', 'clean'], target: 'everything' },
    up: { how: 'hg-update', needs: ['C', 'clean'], target: 'everything' },
    checkout: { how: 'hg-update', needs: ['C', 'clean'], target: 'everything' },
    revert: { how: 'hg-revert', target: 'everything' },
    purge: { how: 'hg-purge', unless: ['p', 'print'], target: 'everything' },
    clean: { how: 'hg-purge', unless: ['p', 'print'], target: 'everything' },
    shelve: { how: 'hg-shelve', needs: ['d', 'delete', 'cleanup'] },
    strip: { kind: 'rewrite-history', how: 'hg-strip' },
    histedit: { kind: 'rewrite-history', how: 'rebase' },
    rollback: { kind: 'rewrite-history', how: 'hg-rollback' },
    push: { kind: 'force-push', how: 'force', needs: ['f', 'force'] },
  },
};

const SVN: VerbTable = {
  kind: 'discard',
  values: 'username password config-dir m message depth r revision',
  verbs: {
    revert: { how: 'svn-revert' },
    cleanup: { how: 'svn-cleanup', needs: ['remove-unversioned', 'remove-ignored'], target: 'everything' },
  },
};

const JJ: VerbTable = {
  kind: 'discard',
  values: 'R repository at-op at-operation config r revision m message f from t to',
  verbs: {
    restore: { how: 'jj-restore', target: 'everything' },
    abandon: { kind: 'rewrite-history', how: 'jj-abandon', target: 'the current change' },
    'op|operation abandon': { kind: 'rewrite-history', how: 'jj-abandon' },
  },
};

export const OTHER_VERSION_CONTROL: ProgramTable = {
  'git-filter-repo': bareFilterRepo,
  hg: readVerbs(HG),
  svn: readVerbs(SVN),
  jj: readVerbs(JJ),
  bfg: (command, scene) =>
    command.words.some(({ value }) => value === '--help' || value === '--version')
      ? []
      : [scene.effect(command, { kind: 'rewrite-history', how: 'bfg', target: 'every commit' })],
};
