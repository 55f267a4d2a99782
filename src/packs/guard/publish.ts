import { defineRule } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

export default defineRule({
  id: 'guard/publish',
  pack: 'guard',
  summary: 'What is published stays published: a dry run comes first.',
  on: [{ event: 'tool.before', effect: ['publish'] }],
  mode: 'advise',
  careful: 'ask',
  guard: true,
  priority: 60,
  state: HELD,
  messages: {
    published: '`{seen}` publishes {target}, and a published version can hardly be taken back.\n{instead}',
  },
  examples: {
    deny: ['npm publish', 'cargo publish', 'docker push registry.example.com/app:1.0', 'twine upload dist/*'],
    pass: ['npm publish --dry-run', 'npm pack', 'docker build -t app .', 'npm run publish-docs'],
  },
  check(event, context) {
    const held = holdEffect('guard/publish', event, context, ({ kind }) => kind === 'publish');
    return held ? context.deny('published', held.seen) : context.pass('nothing is published');
  },
});
