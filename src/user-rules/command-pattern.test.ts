import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { commandPattern } from './scaffold.ts';
import { compilePattern } from './pattern.ts';

const finds = (typed: string, command: string) =>
  compilePattern(commandPattern(typed), { ignoreCase: true }).test(command);

describe('npm run deploy*', () => {
  it.each([
    'npm run deploy',
    'npm run deploy:prod',
    'npm  run   deploy --force',
    'cd app && npm run deploy',
    'npm test; npm run deploy',
    'npm test\nnpm run deploy',
    'sudo npm run deploy',
    'CI=1 npm run deploy',
    'env CI=1 npm run deploy',
    'echo $(npm run deploy)',
    'bash -c "npm run deploy"',
    "sh -c 'npm run deploy'",
    'if true; then npm run deploy; fi',
  ])('finds %s', (command) => expect(finds('npm run deploy*', command)).toBe(true));

  it.each([
    'npm run build',
    'git commit -m "npm run deploy is for CI"',
    'echo npm run deploy',
    'grep -rn "npm run deploy" docs',
    'npm run undeploy',
    'pnpm run deploy',
  ])('leaves %s alone', (command) => expect(finds('npm run deploy*', command)).toBe(false));
});

it.each([
  ['git push', 'git push', true],
  ['git push', 'git push origin main', true],
  ['git push', 'git pushall', false],
  ['git * --force', 'git push origin --force', true],
  ['git * --force', 'git status && npm i --force', false],
  ['make.sh', 'makexsh', false],
  ['a+b (c) [d] {e} ^$|', 'a+b (c) [d] {e} ^$|', true],
])('%s, %s: %s', (typed, command, expected) => expect(finds(typed, command)).toBe(expected));

it('a command without wildcards finds itself, after another one too, and not when it is only named', () => {
  const word = fc.stringMatching(/^[A-Za-z][\w.:/@=+-]{0,10}$/).filter((each) => !each.includes('='));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const typed = words.join(' ');
      expect(finds(typed, typed)).toBe(true);
      expect(finds(typed, `cd x && ${typed} --more`)).toBe(true);
      expect(finds(typed, `git commit -m "about ${typed}"`) && words[0] !== 'git').toBe(false);
      expect(finds(`${typed}*`, `${typed}-more`)).toBe(true);
    }),
    cases(500),
  );
});
