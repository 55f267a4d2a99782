import { defineRule } from '../../engine/rule.ts';

const VERB = 'careful off';

export default defineRule({
  id: 'guard/careful',
  pack: 'guard',
  summary: 'An agent does not end careful mode by itself: a person is asked, for that very call.',
  on: [
    { event: 'tool.before', effect: ['settings'] },
    { event: 'tool.before', tool: ['mcp'], words: ['careful'] },
    { event: 'prompt.expand', words: ['careful'] },
  ],
  mode: 'enforce',
  guard: true,
  priority: 90,
  messages: {
    asked:
      'This would switch careful mode off, which a person decides: {seen}. A yes holds for this call alone, while it runs. Work that careful mode allows goes on as before.',
    nobody:
      'This would switch careful mode off ({seen}), and here nobody can be asked. A person can run `fairlead careful off` in a terminal that no agent started. Work that careful mode allows goes on as before; `fairlead careful status` tells what holds.',
  },
  examples: {
    ask: [
      'fairlead careful off',
      `env -u AGENT sh -c 'fairlead careful off'`,
      'npx fairlead careful off --all',
      'cd docs && fairlead careful off',
    ],
    pass: ['fairlead careful on --for 1h', 'fairlead careful status', 'echo "fairlead careful off"'],
  },
  check(event, { effects, ask, deny, pass }) {
    const effect = effects.find(
      ({ kind, how, target }) => kind === 'settings' && how === 'own-verb' && target === VERB,
    );
    const seen =
      effect?.seen ??
      mentioned(event.tool?.kind === 'mcp' ? JSON.stringify(event.tool.input) : (event.prompt?.text ?? ''));
    if (seen === undefined) return pass('does not end careful mode');
    // An unattended session turns the ask into a denial by itself, unless a program answers in the person's name.
    return event.asksPerson === false ? deny('nobody', { seen }) : ask('asked', { seen });
  },
});

/** In the arguments of a tool, or in what a prompt expands to, the words may stand apart. */
function mentioned(text: string): string | undefined {
  return /\bfairlead\S* careful off\b/.exec(text.replaceAll(/["'`,[\]\\\s]+/g, ' '))?.[0];
}
