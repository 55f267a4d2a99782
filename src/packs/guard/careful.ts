import { defineRule, own } from '../../engine/rule.ts';
import { ASKED_VERBS, unless } from './asked-verbs.ts';

const FIRST_WORDS = [...new Set([...ASKED_VERBS.keys()].map((verb) => verb.replace(/ .*/, '')))];

export default defineRule({
  id: 'guard/careful',
  pack: 'guard',
  summary:
    'An agent does not end careful mode, pause a session or put copies back by itself: a person is asked, for that very call.',
  on: [
    { event: 'tool.before', effect: ['settings'] },
    { event: 'tool.before', tool: ['mcp'], words: FIRST_WORDS },
    { event: 'prompt.expand', words: FIRST_WORDS },
  ],
  mode: 'enforce',
  guard: true,
  priority: 90,
  messages: {
    asked: 'A person decides about this, because {why}: {seen}. A yes holds for this call alone, while it runs.',
    nobody:
      'A person decides about this, because {why}: {seen}.\nWork that does without goes on as before.\nNobody can be asked here. A person can run `fairlead {verb}` in a terminal that no agent started.',
    unasked:
      'A person decides about this, because {why}: {seen}.\nWork that does without goes on as before.\nIn this mode the agent may say yes to itself. A person can run `fairlead {verb}` in a terminal that no agent started.',
  },
  examples: {
    ask: [
      'fairlead careful off',
      `env -u AGENT sh -c 'fairlead careful off'`,
      'npx fairlead careful off --all',
      'cd docs && fairlead careful off',
      'fairlead pause',
      'fairlead undo',
      'fairlead undo 3 --yes',
    ],
    pass: [
      'fairlead undo list',
      'fairlead undo show 3',
      'fairlead resume',
      'fairlead careful on --for 1h',
      'fairlead careful status',
      'echo "fairlead careful off"',
    ],
  },
  check(event, { effects, ask, deny, pass }) {
    const called = effects.filter(
      ({ kind, how, target }) => kind === 'settings' && how === 'own-verb' && ASKED_VERBS.has(target),
    );
    const text = event.tool?.kind === 'mcp' ? JSON.stringify(event.tool.input) : (event.prompt?.text ?? '');
    const found = called.length > 0 ? called.map(({ seen, target }) => ({ seen, verb: target })) : mentioned(text);
    const verbs = [...new Set(found.map(({ verb }) => verb))];
    const [verb] = verbs;
    if (verb === undefined) return pass('names no verb that a person is asked about');
    const seen = [...new Set(found.map((one) => one.seen))].join('; ');
    const why = own(verbs.map((one) => ASKED_VERBS.get(one)).join(' and '));
    if (event.asksPerson === false) return deny('nobody', { seen, why, verb: own(verb) });
    if (event.approvesItself) return deny('unasked', { seen, why, verb: own(verb) });
    return { ...ask('asked', { seen, why }), grants: verbs };
  },
});

/** In the arguments of a tool, or in what a prompt expands to, the words may stand apart. */
function mentioned(text: string): { readonly seen: string; readonly verb: string }[] {
  const words = text.replaceAll(/["'`,[\]\\\s]+/g, ' ');
  return [...words.matchAll(MENTION)].map(([seen, verb = '']) => ({ seen, verb }));
}

const MENTION = new RegExp(
  `\\bfairlead\\S* (${[...ASKED_VERBS.keys()].map((verb) => `${verb}${unless(verb)}`).join('|')})(?![\\w-])`,
  'g',
);
