import type { Roll } from './shell-grammar.ts';
import { pick } from './shell-grammar.ts';

export const encode = (text: string, each: (char: string) => string): string => text.split('').map(each).join('');
export const hex = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
const python = (text: string): string => JSON.stringify(text);

/** A file on disk, and the command that runs it. */
interface Stored {
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
}

const stored = (name: string, text: string, command: string): Stored => ({ files: { [name]: text }, command });
const scripts = (entries: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: entries }, null, 2);
const bash = (text: string): string => `#!/bin/bash\n${text}\n`;
/** Recipes and tasks have lines; what has more than one goes through a shell. */
const line = (text: string): string => (text.includes('\n') ? `bash -c $'${encode(text, hex)}'` : text);

/** How a script on disk comes to be run. */
export const SCRIPTS: Readonly<Record<string, (text: string) => Stored>> = {
  'bash file': (text) => stored('x.sh', text, 'bash x.sh'),
  'sh -e file with arguments': (text) => stored('bin/x.sh', `set -u\n${text}`, 'sh -e bin/x.sh a b'),
  'by its name': (text) => stored('x.sh', bash(text), './x.sh'),
  'by its name, from elsewhere': (text) => stored('x.sh', bash(text), 'cd sub && ../x.sh now'),
  sourced: (text) => stored('x.sh', text, 'source ./x.sh'),
  'a function of a sourced file': (text) => stored('lib.sh', `work() {\n${text}\n}`, '. lib.sh; work'),
  'from its input': (text) => stored('x.sh', text, 'bash < x.sh'),
  'through a pipe': (text) => stored('x.sh', text, 'cat x.sh | sh'),
  'one script of another': (text) => ({
    files: { 'a.sh': 'set -e\nbash ./b.sh "$@"', 'b.sh': text },
    command: './a.sh',
  }),
  'npm run': (text) => stored('package.json', scripts({ x: text }), 'npm run x'),
  'npm run, before another': (text) => stored('package.json', scripts({ prex: text, x: 'ls' }), 'npm run x -- -a'),
  'npm run, by another': (text) => stored('package.json', scripts({ x: 'npm run y', y: text }), 'npm run x'),
  'npm test': (text) => stored('package.json', scripts({ test: text }), 'npm test'),
  yarn: (text) => stored('package.json', scripts({ x: text }), 'yarn x'),
  pnpm: (text) => stored('package.json', scripts({ x: text }), 'pnpm run x'),
  make: (text) => stored('Makefile', `all:\n\t@${line(text).replaceAll('$', '$$$$')}\n`, 'make'),
  'make, what a target needs': (text) =>
    stored('Makefile', `a: b\n\techo\nb: c\nc:\n\t-${line(text).replaceAll('$', '$$$$')}\n`, 'make -j4 a'),
  just: (text) => stored('justfile', `x:\n    @${line(text)}\n`, 'just x'),
  composer: (text) => stored('composer.json', scripts({ x: text }), 'composer run x'),
  'deno task': (text) => stored('deno.json', JSON.stringify({ tasks: { x: text } }), 'deno task x'),
  python: (text) => stored('x.py', `import os\n\nos.system(${python(text)})\n`, 'python3 x.py'),
  'python by its name': (text) =>
    stored('x', `#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(${python(text)}, shell=True)\n`, './x'),
  node: (text) =>
    stored('x.mjs', `import { execSync } from 'child_process';\nexecSync(${python(text)});\n`, 'node x.mjs'),
  perl: (text) => stored('x.pl', `system(${python(text).replace(/[$@]/g, '\\$&')});\n`, 'perl x.pl'),
  'an alias of git': (text) => stored('.git/config', `[alias]\n\tx = ${JSON.stringify(`!${line(text)}`)}\n`, 'git x'),
};

/** Some texts lie in a script. */
export function perhapsStored(roll: Roll, text: string): Stored & { readonly name: string } {
  if (roll(4) > 0) return { command: text, files: {}, name: '' };
  const [name, store] = pick(roll, Object.entries(SCRIPTS));
  return { ...store(text), name };
}
