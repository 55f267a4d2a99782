import { expect, it } from 'vitest';
import { openTasks } from './tasks.ts';

it.each<[string, string, readonly string[]]>([
  ['nothing', '', []],
  ['open and ticked', '# Tasks\n\n- [x] a\n- [ ] b\n- [X] c\n- [ ] d\n', ['b', 'd']],
  ['skipped is not open', '- [-] a\n- [ ] b', ['b']],
  ['other bullets and steps', '* [ ] a\n+ [ ] b\n1. [ ] c\n', ['a', 'b', 'c']],
  ['parts of a task', '- [ ] a\n  - [ ] b\n    more of b\n', ['a', 'b']],
  ['labels are no title', '- [ ] Write it #priority:high #added:2026-05-20\n', ['Write it']],
  ['a title of labels', '- [ ] #later\n', ['#later']],
  ['an issue number stays', '- [ ] Fix #12\n', ['Fix #12']],
  ['carriage returns', '- [ ] a\r\n- [ ] b\r\n', ['a', 'b']],
  ['code', '```md\n- [ ] example\n```\n~~~\n- [ ] example\n```\n~~~\n- [ ] real\n', ['real']],
  ['a comment', '<!--\nSTATUS:\n- [ ] pending\n-->\n- [ ] real\n<!-- one line -->\n- [ ] other', ['real', 'other']],
  ['a comment within a line', '- [ ] real <!-- until\n- [ ] no --> then\n', ['real']],
  ['a fence in a comment', '<!--\n```\n-->\n- [ ] real\n', ['real']],
  ['no box', '- [ ]x\n- [] y\ntext - [ ] z\n', []],
  ['an empty title', '- [ ]\n', ['']],
])('%s', (_name, text, titles) => {
  expect(openTasks(text)).toEqual(titles);
});
