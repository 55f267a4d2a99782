import { asPath, defineRule } from '../../engine/rule.ts';

const OPENS = /^<{7}(?: |$)/m;
const CLOSES = /^>{7}(?: |$)/m;

export default defineRule({
  id: 'basics/conflict-marker',
  pack: 'basics',
  summary: 'Text with both ends of a merge conflict is not ready to be written.',
  on: [{ event: 'tool.before', tool: ['write', 'edit'], words: ['<<<<<<<'] }],
  mode: 'advise',
  messages: {
    left: 'The new text of {file} still holds conflict markers (<<<<<<< and >>>>>>>). Each pair has two versions to choose from or to join before the file works again.',
  },
  examples: {
    deny: [{ tool: 'write', path: 'src/app.ts', new: 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n' }],
    pass: [
      { tool: 'write', path: 'src/app.ts', new: 'const arrow = "<<<<<<<";\n' },
      { tool: 'edit', path: 'docs/git.md', old: 'x', new: 'Git writes `<<<<<<<` at the start of a conflict.' },
    ],
  },
  check(event, context) {
    const marked = event.tool?.edits.find(
      (edit) => edit.new !== undefined && OPENS.test(edit.new) && CLOSES.test(edit.new),
    );
    if (!marked) return context.pass('one end of a conflict only');
    return context.deny('left', { file: asPath(context.workspace.relative(marked.path)) });
  },
});
