import { expect, it } from 'vitest';
import { judge } from '../guard.fixture.ts';

/** What zsh reads otherwise than bash, or bash not at all. */
it.each([
  '=rm -rf /',
  'sudo =rm -rf /',
  'noglob rm -rf /',
  'command -p rm -rf /',
  '- rm -rf /',
  'repeat 3 rm -rf /',
  'repeat 3 { rm -rf / }',
  'rm -rf ~/(*)',
  'rm -rf ~/*(/)',
  'rm -rf ~/*(D)',
  'rm -rf /*(N)',
  'rm -rf ~/**/*(.)',
  'rm -rf $HOME(N)',
  'cat =(rm -rf /)',
  'for f (a b) rm -rf /',
  'for f (/) { rm -rf / }',
  'foreach x (a) rm -rf /; end',
  'if [[ -n a ]] { rm -rf / }',
  'while true { rm -rf / }',
  '{ ls } always { rm -rf / }',
  '() { rm -rf / }',
  'function { rm -rf / }',
  'x="rm -rf /"; ${=x}',
  'x="rm -rf /"; $=x',
  "x='$(rm -rf /)'; echo ${(e)x}",
  "x='$(rm -rf /)'; print ${(%)x}",
  'a=(rm -rf /); $a',
  'a=(ls rm); $a[2] -rf /',
  'alias -g X="; rm -rf /"; ls X',
  `print -l /*(e:'rm -rf /':)`,
])('is not met with silence: %s', async (command) => {
  expect(await judge(command)).toMatch(/^(?:deny|ask) /);
});

it.each([
  'ls *(/)',
  'print -l **/*.ts(.N)',
  'for f (a b) echo $f',
  'repeat 3 { echo x }',
  'a=(x y); echo $a $a[2]',
  "echo 'unterminated",
  'if true { echo x }',
])('passes: %s', async (command) => {
  expect(await judge(command)).toBe('pass');
});
