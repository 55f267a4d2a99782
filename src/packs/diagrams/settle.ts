import { callName, defineRule, own } from '../../engine/rule.ts';
import type { Verdict } from '../../engine/rule.ts';
import { CELLS } from './cells.ts';
import { findDrawings } from './drawing/drawing.ts';
import { consume, release } from './flag.ts';
import { judge, touch } from './judge.ts';
import { take } from './pending.ts';
import type { Drawn, Pending } from './pending.ts';
import { once, textOnDisk } from './resulting-text.ts';
import { OPTIONS, settingsOf } from './settings.ts';
import { runsOfTools } from './tool-runs.ts';
import { counted } from '../../text/counted.ts';
import { acceptedSource, boxesOf, fileName, linesOf, markerFor } from './wording.ts';

export default defineRule({
  id: 'diagrams/settle',
  pack: 'diagrams',
  summary: 'Once a write has ended, uses up or gives back what let it pass, and says which drawing lacks a source.',
  on: [{ event: ['tool.after', 'tool.failed', 'permission.denied', 'tool.batch'] }],
  needs: { session: true, flag: 'diagrams.pending' },
  mode: 'advise',
  priority: 45,
  options: OPTIONS,
  state: CELLS,
  messages: {
    reminder: '{file}: the drawing has no source next to it yet. Accepted: {source}.',
    advice:
      '{file}, {lines}: {boxes} drawn without a source to redraw from. Add {source}, paste the output of a diagram tool instead, or say why it is meant so in {ok} above it.',
    written:
      'The command wrote {boxes} into {file}, {lines}, without a source to redraw from. One is, next to it, {source}; {ok} above it says that it is meant so.',
  },
  examples: { pass: [{ event: 'tool.after', tool: 'write', path: 'docs/a.md', new: '# A' }] },
  check(event, context) {
    const { state, files, workspace, now, later } = context;
    const settings = settingsOf(context.options);
    const said: Verdict[] = [];
    const isThere = ({ path, drawings }: Drawn): boolean => {
      if (event.name === 'tool.after') return true;
      const there = findDrawings(textOnDisk(path, context) ?? '', settings.drawing);
      return there.some(({ fingerprint }) => drawings.includes(fingerprint));
    };

    const waysOn = (path: string) => ({ source: own(acceptedSource(settings, path)), ok: own(markerFor(path)) });
    const remind = (drawn: Drawn) => {
      touch(drawn.key, drawn.drawings, state);
      later.count('exempted', drawn.drawings.length);
      if (!state.reminded.first(drawn.key)) return;
      const source = own(acceptedSource(settings, drawn.path));
      said.push(context.note('reminder', { source, file: fileName(drawn.path, workspace) }));
    };
    const lookAt = ({ path, mtimeMs, size }: NonNullable<Pending['look']>[number], hasDrawn: () => boolean) => {
      const found = files.stat(path);
      if (!found || (found.mtimeMs === mtimeMs && found.size === size)) return;
      const text = textOnDisk(path, context);
      if (text === undefined) return;
      const result = { path, key: path, text, fragment: false, before: () => undefined };
      const { left } = judge(result, { files, workspace, settings, state, written: true });
      // What it printed may have gone from one step to the next, where nobody has seen it.
      if (left.length === 0 || hasDrawn()) return;
      const unsaid = left.filter(({ fingerprint }) => state.reminded.first(`${path} ${fingerprint}`));
      if (unsaid.length === 0) return;
      for (const { fingerprint } of unsaid) touch(`${path} ${fingerprint}`, [], state);
      const values = { lines: own(linesOf(unsaid)), boxes: own(counted(boxesOf(unsaid), 'box')) };
      said.push(context.note('written', { ...values, ...waysOn(path), file: fileName(path, workspace) }));
    };

    let ended = 0;
    for (const call of event.batch ?? (event.tool ? [event.tool] : [])) {
      const id = callName(call);
      const pending = take(state.pending, id);
      if (!pending) continue;
      ended += 1;
      const { exempt = [], advice = [], look = [] } = pending;
      // What a batch tells of a call that has not ended before is that it was not run.
      const ran = (event.name === 'tool.after' || event.name === 'tool.batch') && call.failed !== true;
      const happened = ran && (exempt.length === 0 || exempt.some(isThere));
      if (happened) {
        consume(state.flag, id);
        exempt.forEach(remind);
      } else release(state.flag, id, now, settings.freshForMs);
      if (!ran) continue;
      for (const { lines, boxes, ...drawn } of advice)
        if (isThere(drawn)) {
          const file = fileName(drawn.path, workspace);
          said.push(
            context.note('advice', {
              file,
              lines: own(lines),
              boxes: own(counted(boxes, 'box')),
              ...waysOn(drawn.path),
            }),
          );
        }
      if (call.background === true) continue;
      const hasDrawn = once(() => runsOfTools(call.command ?? '', event.cwd, workspace, settings).length > 0);
      for (const each of look) lookAt(each, hasDrawn);
    }
    return said.length > 0 ? said : context.pass(ended > 0 ? 'the call has ended' : 'another call');
  },
});
