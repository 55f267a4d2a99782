import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { textAt } from '../fields.ts';
import { fieldsAt, fieldsOf } from '../json-setup.ts';
import { settingsPath } from './settings.ts';

/** In these, `rm` inside the project runs without a prompt, in auto mode even when the classifier has flagged it. */
const UNASKED: ReadonlySet<string> = new Set(['auto', 'acceptEdits', 'plan', 'bypassPermissions']);

/** The mode that a session begins in, and what of our decisions holds there, as they were tried with client 2.1.325. */
export function modesAt(location: SettingsLocation, files: SetupFiles): readonly (readonly [string, string])[] {
  const set = (['local', 'project', 'user'] as const).flatMap((scope) => {
    const path = settingsPath(scope, location);
    const mode = textAt(fieldsAt(fieldsOf(files.readText(path)), 'permissions'), 'defaultMode');
    // A project does not switch that on for those who work in it.
    return mode === undefined || (mode === 'auto' && scope !== 'user') ? [] : [{ mode, path }];
  });
  const [first] = set;
  const [terminal, print] = first ? [first.mode, first.mode] : ['auto', 'default'];
  const copies = UNASKED.has(terminal)
    ? 'what is deleted inside the project goes without a prompt, so a copy for `fairlead undo` is all there is'
    : 'the agent asks by itself before most commands';
  return [
    [
      'starts in mode',
      `${terminal} in a terminal, ${print} with -p${first ? `, by ${first.path}` : ', as nothing is set'}`,
    ],
    [
      'holds there',
      `a denial in every mode; a question is a dialog in a terminal, in every mode but dontAsk, and else a denial, as with -p; ${copies}`,
    ],
  ];
}
