import { callName, defineRule, own, stamp } from '../../engine/rule.ts';
import { CELLS } from './cells.ts';
import { brought } from './brought.ts';
import type { Looked } from './brought.ts';
import type { Drawing } from './drawing/drawing.ts';
import { reserve } from './flag.ts';
import { judge, keepDrawings, takeBaseline } from './judge.ts';
import { waitFor } from './pending.ts';
import type { Drawn, Pending } from './pending.ts';
import { refuse } from './refused.ts';
import type { ResultingText } from './resulting-text.ts';
import { OPTIONS, settingsOf } from './settings.ts';
import { counted } from '../../text/counted.ts';
import { acceptedSource, boxesOf, fileName, linesOf, markerFor, otherFiles, runnable } from './wording.ts';

const B = '┌───┐     ┌───┐\n│ A │ ──> │ B │\n└───┘     └───┘';
const SOURCE = '<details>\n<summary>graph-easy source</summary>\n\n```\n[A] -> [B]\n```\n\n</details>';

export default defineRule({
  id: 'diagrams/box-without-source',
  pack: 'diagrams',
  summary: 'A box drawing goes into a Markdown file together with the source it can be redrawn from.',
  on: [
    { event: 'tool.before', tool: ['write', 'edit'], paths: ['*.ipynb'], endings: 'extensions' },
    { event: 'tool.before', tool: ['shell'], effect: ['write'], endings: 'extensions' },
    {
      event: 'tool.before',
      tool: ['shell'],
      words: ['python', 'node ', 'ruby ', 'perl ', 'php ', 'deno ', 'bun ', 'tsx ', 'bash ', '.sh', 'file:'],
    },
  ],
  // A drawing harms nothing while the rule fails.
  onError: 'pass',
  mode: 'enforce',
  priority: 55,
  options: OPTIONS,
  state: CELLS,
  messages: {
    'by-hand':
      '{file}, {lines}: {boxes} drawn without a source to redraw from{missing}.\nThree ways on: 1. {run}. 2. Keep the source next to it: {source}. 3. If it is meant as it is, {ok} in the 3 lines above, with a reason of 8 or more characters{marker}.',
    again:
      '{file}, {lines}: the same drawing again, and still no source for it{missing}.\nThe three ways on are those of the message before; the user can decide too, so ask how they want it.',
  },
  examples: {
    deny: [
      { tool: 'write', path: 'docs/a.md', new: `# Flow\n\n${B}\n` },
      { command: `cat > docs/a.md <<'EOF'\n${B}\nEOF` },
    ],
    pass: [
      { tool: 'write', path: 'docs/a.md', new: `# Flow\n\n${B}\n\n${SOURCE}\n` },
      { tool: 'write', path: 'docs/plans/a.md', new: B },
      { tool: 'write', path: 'src/box.ts', new: B },
      { tool: 'write', path: 'docs/tree.md', new: 'src\n├── a.ts\n├── b.ts\n└── c\n    └── d.ts\n' },
      { command: 'graph-easy in.txt > docs/a.md' },
      { command: `cat > a.txt <<'EOF'\n${B}\nEOF` },
    ],
  },
  check(event, context) {
    const { state: cells, files, now, pass, workspace } = context;
    const settings = settingsOf(context.options);
    const brings = brought(event, context, settings);
    if (typeof brings === 'string') return pass(brings);
    // Without a session nothing would tell whose flag and whose memory it is.
    const state = event.hasSession ? cells : undefined;
    if (state) for (const { key, before } of brings.emptied) keepDrawings(key, before, state, settings);
    const judged = brings.texts.map((text) => ({ text, ...judge(text, { files, workspace, settings, state }) }));
    const left = judged.filter((each) => each.left.length > 0);
    const id = event.tool && callName(event.tool);
    const awaits = state !== undefined && id !== undefined;
    const look = awaits ? brings.look() : [];
    for (const { path, before } of look) takeBaseline(path, before, cells, settings);
    const printed = judged.flatMap(({ text, printed: drawings }) =>
      drawings.length > 0 ? [drawnOf(text, drawings)] : [],
    );
    const wait = (more: Omit<Pending, 'at'>) => {
      if (awaits && (look.length > 0 || Object.keys(more).length > 0))
        waitFor(cells.pending, id, { at: now, ...(look.length > 0 && { look: look.map(place) }), ...more });
    };

    const [first] = left;
    if (!first) {
      wait(printed.length > 0 ? { exempt: printed } : {});
      const reasons = judged.flatMap((each) => each.reasons);
      return reasons.length > 0 ? pass(`marked as meant: ${reasons.join('; ')}`, 'remark') : pass(brings.otherwise);
    }
    const drawings = left.flatMap((each) => each.left);
    const name = stamp(drawings.map(({ fingerprint }) => fingerprint).sort());
    if (state && settings.provenance !== 'require') {
      if (reserve(cells.flag, { by: id ?? '', drawings: name }, now, settings.freshForMs)) {
        wait({ exempt: [...printed, ...left.map((each) => drawnOf(each.text, each.left))] });
        return pass('a diagram tool ran a moment ago');
      }
    }
    if (context.mode === 'advise' && awaits) {
      const advice = left.map((each) => ({
        ...drawnOf(each.text, each.left),
        lines: linesOf(each.left),
        boxes: boxesOf(each.left),
      }));
      wait({ advice });
      return pass('said when the text is there');
    }
    const missing = left.reduce((sum, each) => sum + each.missing, 0);
    const { path } = first.text;
    const others = otherFiles(left.slice(1).map((each) => fileName(each.text.path, workspace)));
    const values = {
      lines: own`${own(linesOf(first.left))}${others}`,
      missing: own(missing > 0 ? `; ${counted(missing, 'line')} of it came from no tool` : ''),
    };
    if (state && !refuse(cells.refused, name, context.turn, event.subagent?.id ?? 'main'))
      return context.deny('again', { ...values, file: fileName(path, workspace) });
    const ways = {
      boxes: own(counted(boxesOf(drawings), 'box')),
      run: own(runnable(settings, workspace)),
      source: own(acceptedSource(settings, path)),
      ok: own(markerFor(path)),
      marker: own(UNREASONED[left.find(({ unreasoned }) => unreasoned)?.unreasoned ?? 'not']),
    };
    return context.deny('by-hand', { ...values, ...ways, file: fileName(path, workspace) });
  },
});

/** What is said of a marker that does not count. */
const UNREASONED = {
  not: '',
  none: ' (the marker there has none)',
  short: ' (that of the marker there is too short)',
};

function drawnOf({ path, key }: ResultingText, drawings: readonly Drawing[]): Drawn {
  return { path, key, drawings: drawings.map(({ fingerprint }) => fingerprint) };
}

function place({ path, mtimeMs, size }: Looked): Omit<Looked, 'before'> {
  return { path, mtimeMs, size };
}
