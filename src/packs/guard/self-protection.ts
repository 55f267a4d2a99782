import { defineRule } from '../../engine/rule.ts';
import type { Effect, Event, Look, RuleContext } from '../../engine/rule.ts';
import { ASKED_VERBS } from './asked-verbs.ts';
import { callsUs, judgeChange, MOST_SETTINGS } from './agent-settings.ts';
import { HELD, remember } from './denied.ts';
import { withoutWired } from './instead.ts';
import { isSeen, lookFirst, mayLose } from './look.ts';
import { seenOf } from './wording.ts';

export default defineRule({
  id: 'guard/self-protection',
  pack: 'guard',
  summary: 'The rules, their state and the hooks that call them are for a person to change, by every road.',
  on: [{ event: 'tool.before', effect: ['settings'] }],
  mode: 'enforce',
  guard: true,
  priority: 90,
  state: HELD,
  messages: {
    verb: '`fairlead {target}` is for a person in a terminal of their own: it changes what the rules may do.\nSay what you need and why, and let the person decide.',
    variable:
      '`{seen}` sets {target}, which steers the hooks. It is for a person to set, outside the agent.\nSay what you need and why, and let the person decide.',
    process:
      '`{seen}` ends the engine that answers the hooks.\n`fairlead daemon status` shows how it is; a person ends it.',
    ending:
      '`{seen}` may end the engine that answers the hooks: its process is among those that this means.\nEnd the process that you mean by its number, or name a script that is its own.',
    files:
      '`{seen}` changes {target}, which Fairlead is made of: its program, its state or the settings of the person.\n`fairlead rules list` and `fairlead state list` show what is there; a person changes it.',
    possible:
      '`{seen}` may change {target}, or what lies below it: the program, the state or the settings of Fairlead.\nName other files, or let the person agree.',
    rules:
      '`{seen}` changes {target}: rules of this project. A person agrees to that first.\nThe rules then take effect when `fairlead trust` has accepted them.',
    hooks:
      '`{seen}` changes {target} so that hooks are left out, switched off or steered otherwise.\nOther settings in that file can be edited; leave everything about hooks as it is, and ask the person to change it.',
    nested:
      '`{seen}` starts an agent without its hooks, without asking, or under other settings ({target}), so no rule would see what it does.\nStart it without that, or let the person agree.',
    wired: '`{seen}` takes {target} away, or puts another in its place; by it the agent calls Fairlead.\n{instead}',
    settings:
      '`{seen}` changes {target}, the settings of the agent, and what becomes of the hooks in it cannot be told.\nAn edit of that file that shows its text and leaves the hooks alone passes.',
  },
  examples: {
    deny: [
      'fairlead off',
      'npx fairlead rules disable guard/git',
      'FAIRLEAD_DISABLED=1 npm test',
      'pkill fairlead',
      'bash -c "fairlead uninstall"',
    ],
    ask: [{ tool: 'write', path: '.fairlead/rules/no-publish.md', new: '---\nevent: bash\n---\nNo.\n' }],
    pass: [
      'fairlead doctor',
      'fairlead rules list',
      'fairlead off --help',
      'git commit -m "fairlead off"',
      'FAIRLEAD_HOME=/tmp/x fairlead doctor',
    ],
  },
  check(event, context) {
    const ours = context.effects.filter(({ kind }) => kind === 'settings');
    const read = (path = '') => context.files.readText(path, MOST_SETTINGS);
    const decide = (effects: readonly Effect[]) => {
      const answers = effects.flatMap((effect) => {
        const answer = answerTo(effect, event, read);
        return answer ? [{ effect, answer }] : [];
      });
      const hardest = answers.find(({ answer: [kind] }) => kind === 'deny') ?? answers[0];
      if (!hardest) return context.pass('leaves the hooks as they are');
      const { effect, answer } = hardest;
      remember('guard/self-protection', event, context, [effect], answer[0]);
      const { seen, target } = seenOf(effect);
      if (answer[0] === 'ask') return context.ask(answer[1], { seen, target });
      if (answer[1] === 'wired') return context.deny('wired', { seen, target, instead: withoutWired(effect) });
      return answer[1] === 'verb' ? context.deny('verb', { target }) : context.deny(answer[1], { seen, target });
    };
    return ours.some(isLooked) ? withoutKept(ours, context).then(decide) : decide(ours);
  },
});

/** Whether git takes the file is for a look to tell. */
function isLooked({ how }: Effect): boolean {
  return how === 'stashed' || how?.startsWith('wired-') === true;
}

/** Without what git leaves where it is, as a stash does with files that are not there, or that git tracks or ignores. */
async function withoutKept(
  effects: readonly Effect[],
  context: Pick<RuleContext, 'files' | 'facts'>,
): Promise<readonly Effect[]> {
  const isThere = ({ how, path = '' }: Effect) => how !== 'stashed' || context.files.stat(path) !== undefined;
  const doubtful = effects.filter((effect) => isLooked(effect) && isThere(effect));
  const looks = await lookFirst(
    doubtful.map((effect) => (effect.how === 'stashed' ? { ...effect, kind: 'discard', how: 'clean' } : effect)),
    context,
  );
  // Git itself refuses to go to what is no commit; of the rest there is no more than a moment to find out.
  const isHeld = ({ how }: Effect, look: Look | undefined) =>
    mayLose(look, false) && (how !== 'wired-switching' || isSeen(look));
  const taken = doubtful.flatMap((effect, at) => {
    if (!isHeld(effect, looks?.[at])) return [];
    // What git cleans is seldom tracked, and the call without that file is as good.
    const isSure = isSeen(looks?.[at]) || effect.how === 'stashed' || effect.how?.startsWith('wired-clean') === true;
    return isSure ? [effect] : [{ ...effect, how: 'wired-unseen' }];
  });
  return [...effects.filter((effect) => !isLooked(effect)), ...taken];
}

type Answer =
  | readonly ['deny', 'verb' | 'variable' | 'process' | 'files' | 'hooks' | 'wired']
  | readonly ['ask', 'rules' | 'settings' | 'nested' | 'possible' | 'ending'];

function answerTo(effect: Effect, event: Event, read: (path?: string) => string | undefined): Answer | undefined {
  switch (effect.how) {
    case 'own-verb':
      // Those are answered by guard/careful.
      return ASKED_VERBS.has(effect.target) ? undefined : ['deny', 'verb'];
    case 'own-variable':
      return ['deny', 'variable'];
    case 'own-process':
      return ['deny', 'process'];
    case 'own-process-possible':
      return ['ask', 'ending'];
    case 'own-files':
      return ['deny', 'files'];
    case 'own-files-possible':
      return ['ask', 'possible'];
    case 'own-rules':
      return ['ask', 'rules'];
    case 'patch':
    case 'stashing':
      return undefined;
    case 'stashed':
      return ['ask', effect.path?.endsWith('/.fairlead') === true ? 'rules' : 'settings'];
    case 'agent-without-hooks':
      return ['ask', 'nested'];
    case 'agent-elsewhere':
      return callsUs(read(effect.path), effect.words) ? undefined : ['ask', 'nested'];
    case 'wired-unseen':
      return ['ask', 'settings'];
    default: {
      if (effect.how?.startsWith('wired') === true) return ['deny', 'wired'];
      const verdict = judgeChange(effect, event, read(effect.path));
      return verdict === 'pass' ? undefined : verdict === 'deny' ? ['deny', 'hooks'] : ['ask', 'settings'];
    }
  }
}
