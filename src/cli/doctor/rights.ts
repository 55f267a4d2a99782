import { narrow } from '../../platform/private-dir.ts';
import type { CliWorld } from '../command.ts';
import { counted } from '../table.ts';
import type { Section } from './report.ts';

/** `open` is what others had a right to before anything of ours was opened, which narrows what it opens. */
export function checkRights(open: readonly string[], world: CliWorld): Section {
  const left = open.filter((path) => !narrow(path));
  const closed = open.length - left.length;
  const { state } = world.paths;
  return {
    title: 'Rights',
    facts: [['state', left.length === 0 ? 'yours alone' : 'open to others']],
    findings: [
      ...(left.length === 0
        ? []
        : [
            {
              level: 'attention' as const,
              what: `Others have a right to ${named(left)}.`,
              why: 'What agents did, and what they were told, lies there. It does not belong to you, so its rights cannot be taken back here.',
              next: `chown -R "$(id -un)" '${state}' && chmod -R go= '${state}', as whoever it belongs to or as root`,
            },
          ]),
      ...(closed === 0
        ? []
        : [
            {
              level: 'note' as const,
              what: `Others had a right to ${named(open.filter((path) => !left.includes(path)))}.`,
              why: 'What agents did, and what they were told, lies there. It is yours alone from now on.',
              next: 'nothing, unless somebody else uses this machine: then what is in the ledger may have been read',
            },
          ]),
    ],
  };
}

function named(paths: readonly string[]): string {
  const more = paths.length - 3;
  return paths.slice(0, 3).join(', ') + (more > 0 ? ` and ${counted(more, 'other')}` : '');
}
