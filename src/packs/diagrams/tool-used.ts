import { defineRule, stamp } from '../../engine/rule.ts';
import type { RuleFiles } from '../../engine/rule.ts';
import { CELLS } from './cells.ts';
import { hasBoxCharacters } from './drawing/drawing.ts';
import { keepOutput } from './outputs.ts';
import { OPTIONS, settingsOf } from './settings.ts';
import { runsOfTools } from './tool-runs.ts';

/** An output file that is bigger is no drawing for a text. */
const MOST_BYTES = 256 * 1024;
const MOST_FILES = 5;

export default defineRule({
  id: 'diagrams/tool-used',
  pack: 'diagrams',
  summary: 'Remembers that a diagram tool ran and what box lines programs printed, so that pasting them is no offence.',
  on: [{ event: ['tool.after', 'tool.failed'], tool: ['shell'] }],
  needs: { session: true },
  mode: 'advise',
  options: OPTIONS,
  state: CELLS,
  messages: {},
  examples: {
    pass: [
      { event: 'tool.after', tool: 'shell', command: 'graph-easy --help' },
      { event: 'tool.after', tool: 'shell', command: 'grep graph-easy README.md' },
    ],
  },
  check(event, { state, options, files, workspace, now, pass }) {
    const { command = '', outputText, error, failed, background } = event.tool ?? {};
    if (background === true) return pass('no run that has ended');
    const failing = failed === true || event.name === 'tool.failed';
    const printed = (failing ? [outputText, error] : [outputText]).filter((text) => text !== undefined).join('\n');
    const settings = settingsOf(options);
    const { ascii } = settings.drawing;
    const keep = (text: string, tool: string) => {
      if (settings.provenance !== 'off' && hasBoxCharacters(text, ascii)) keepOutput(state, text, tool, command, ascii);
    };
    const runs = runsOfTools(command, event.cwd, workspace, settings);
    const [run] = runs;
    if (!run) {
      keep(printed, '');
      return pass('no diagram tool ran');
    }
    if (failing) return pass('the diagram tool failed');
    const written = runs
      .flatMap((each) => each.files.map((path) => ({ path, tool: each.tool })))
      .filter(({ path }) => (files.stat(path)?.size ?? 0) > 0)
      .slice(0, MOST_FILES);
    for (const { path, tool } of written) keep(smallText(path, files), tool);
    keep(printed, run.tool);
    if (printed.trim() === '' && written.length === 0) return pass('the diagram tool made nothing');
    state.flag.set({ tool: run.tool, at: now, command: stamp([command]) });
    return pass(`${run.tool} ran`);
  },
});

function smallText(path: string, files: RuleFiles): string {
  return (files.stat(path)?.size ?? 0) > MOST_BYTES ? '' : (files.readText(path, MOST_BYTES) ?? '');
}
