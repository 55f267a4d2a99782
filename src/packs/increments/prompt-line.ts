import { asPath, defineRule, record } from '../../engine/rule.ts';
import { SPECWEAVE, statusFilePath } from './layout.ts';

interface Shown {
  readonly id: string;
  readonly completed: number;
  readonly total: number;
  readonly acsCompleted: number;
  readonly acsTotal: number;
}

export default defineRule({
  id: 'increments/prompt-line',
  pack: 'increments',
  summary: 'Says at a prompt which increment is active and how far it is, when that has changed.',
  on: [{ event: 'prompt.submit' }],
  needs: { entry: SPECWEAVE, human: true, main: true, session: true },
  optIn: true,
  mode: 'advise',
  state: { last: record<string>('increments.line') },
  messages: {
    progress: 'Active increment {id}: {completed} of {total} tasks done, {acsCompleted} of {acsTotal} criteria ticked.',
  },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = context.workspace.nearest(SPECWEAVE);
    const shown = root === undefined ? undefined : currentIn(context.files.readText(statusFilePath(root), 65_536));
    if (!shown) return context.pass('no active increment');
    const { id, completed, total, acsCompleted, acsTotal } = shown;
    const line = JSON.stringify([id, completed, total, acsCompleted, acsTotal]);
    if (context.state.last.get() === line) return context.pass('nothing has changed since it was last said');
    context.state.last.set(line);
    return context.note('progress', { id: asPath(id), completed, total, acsCompleted, acsTotal });
  },
});

function currentIn(text: string | undefined): Shown | undefined {
  try {
    const { current } = JSON.parse(text ?? '') as { readonly current?: Partial<Shown> | null };
    if (typeof current?.id !== 'string') return undefined;
    const { id, completed = 0, total = 0, acsCompleted = 0, acsTotal = 0 } = current;
    return { id, completed, total, acsCompleted, acsTotal };
  } catch {
    return undefined;
  }
}
