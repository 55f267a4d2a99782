import { compileGlob, defineRule, matchGlob } from '../../engine/rule.ts';
import type { Effect, Glob } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

export default defineRule({
  id: 'guard/protected-paths',
  pack: 'guard',
  summary: 'Files that other programs and every shell live by are changed only when a person agrees.',
  on: [{ event: 'tool.before', effect: ['write', 'delete'] }],
  mode: 'ask',
  careful: 'enforce',
  guard: true,
  priority: 70,
  state: HELD,
  options: {
    /** `/etc`, `/usr` and what else the machine itself lives by. */
    system: true,
    paths: [
      '~/.ssh/{config,config.d/**,authorized_keys*,rc,environment,id_*}',
      '~/.{bashrc,bash_profile,bash_login,bash_logout,profile,zshrc,zshenv,zprofile,zlogin,bash_aliases}',
      '~/.{xprofile,xinitrc,xsession,xsessionrc,pam_environment,oh-my-zsh/custom/**,config/environment.d/**}',
      '~/.config/fish/**',
      '~/.{gitconfig,config/git/config}',
      '~/.config/{autostart,systemd}/**',
      '~/.local/share/systemd/**',
      '~/Library/LaunchAgents/**',
      '/var/spool/cron/**',
      '**/.git/hooks/**',
      '**/.husky/**',
      '**/.git/config',
    ] as readonly string[],
    /** More of them, as globs from the workspace root. */
    more: [] as readonly string[],
  },
  messages: {
    changed: '`{seen}` changes {target}, a protected path.\n{instead}',
  },
  examples: {
    deny: [
      'echo "127.0.0.1 x" >> /etc/hosts',
      'sudo cp app /usr/local/bin/app',
      'echo "alias g=git" >> ~/.bashrc',
      { tool: 'write', path: '.git/hooks/pre-commit', new: '#!/bin/sh\n' },
    ],
    pass: [
      'cat /etc/hosts',
      'cp app bin/app',
      'echo done > /tmp/report.txt',
      { tool: 'write', path: '.github/workflows/ci.yml', new: 'on: push\n' },
    ],
  },
  check(event, context) {
    const { options, workspace } = context;
    const globs = globsOf(options.paths, options.more, workspace.home);
    const held = holdEffect('guard/protected-paths', event, context, (effect) => {
      if (!changes(effect)) return false;
      if (effect.scope === 'system') return options.system;
      const { path } = effect;
      // Nothing reads the samples that git puts beside its hooks.
      if (path === undefined || path.endsWith('.sample')) return false;
      const inside = path.startsWith(`${workspace.root}/`) ? segmentsOf(path.slice(workspace.root.length)) : undefined;
      return globs.some((glob) => matchGlob(glob, inside, segmentsOf(path)));
    });
    return held ? context.deny('changed', held.seen) : context.pass('no protected path');
  },
});

/** Whole trees are for guard/files. */
function changes({ kind, recursive }: Effect): boolean {
  if (kind === 'delete') return recursive !== true;
  return kind === 'write' || kind === 'overwrite' || kind === 'truncate';
}

interface Known {
  readonly paths: readonly string[];
  readonly more: readonly string[];
  readonly globs: readonly Glob[];
}

/** By home, of which an engine has one. */
const known = new Map<string, Known>();

/** Compiled once for as long as the options are the same. */
function globsOf(paths: readonly string[], more: readonly string[], home: string): readonly Glob[] {
  const before = known.get(home);
  if (before?.paths === paths && before.more === more) return before.globs;
  const globs = [...paths, ...more].map((glob) => compileGlob(glob.startsWith('~/') ? home + glob.slice(1) : glob));
  known.set(home, { paths, more, globs });
  return globs;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
