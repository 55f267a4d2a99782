import type { BorrowedReader } from '../../event/pack.ts';
import { parseTemplate } from './template.ts';

/** How the files that a project has for ctx are read. */
export const borrowed: BorrowedReader = {
  options: {
    task_nudge_interval: ['task.interval', 'number'],
    injection_token_warn: ['load.injection_token_warn', 'number'],
    billing_token_warn: ['billing_token_warn', 'number'],
    context_window: ['window.size', 'number'],
    entry_count_decisions: ['knowledge.decisions_max', 'number'],
    entry_count_learnings: ['knowledge.learnings_max', 'number'],
    convention_line_count: ['knowledge.conventions_max_lines', 'number'],
    freshness_files: ['freshness.files', 'list'],
    // The older place of the key below it, which counts where both are set.
    'notify.key_rotation_days': ['notify.key_rotation_days', 'number'],
    key_rotation_days: ['notify.key_rotation_days', 'number'],
    key_path: ['notify.key_path', 'text'],
    event_log: ['event_log', 'switch'],
    'notify.events': ['notify.events', 'list'],
    auto_prune_days: ['prune_days', 'number'],
  },
  messageNames: {
    'block-dangerous-commands/mid-sudo': 'block-dangerous-commands/sudo',
    'block-dangerous-commands/mid-git-push': 'block-dangerous-commands/git-push',
    'block-dangerous-commands/install-to-local-bin': 'block-dangerous-commands/install-to-bin',
    'version-drift/nudge': 'post-commit/version-drift',
    'check-journal/unimported': 'check-journal/unexported',
    // The later spelling of three of its hooks.
    'check-ceremony': 'check-ceremonies',
    'check-reminder': 'check-reminders',
    'check-resource': 'check-resources',
  },
  parseTemplate,
};
