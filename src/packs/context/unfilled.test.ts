import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { LOAD_ORDER } from './files.ts';
import { STARTERS } from './starters.ts';
import { isUnfilled } from './context-load-gate.ts';

describe('a file that nobody has filled', () => {
  it.each(LOAD_ORDER)('is every starter: %s', (name) => {
    expect(isUnfilled(name, STARTERS[name])).toBe(true);
    expect(isUnfilled(name, STARTERS[name].replaceAll('\n', '\r\n'))).toBe(true);
    expect(isUnfilled(name, STARTERS[name].split('\n').slice(0, 4).join('\n'))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['headings', '# Architecture\n\n## Overview\n\n## Components\n'],
    [
      'comments',
      '# Conventions\n\n<!--\nUPDATE WHEN: a pattern is agreed on\n-->\n\n## Naming\n\n<!-- e.g. camelCase -->\n',
    ],
    ['a comment that never ends', '# Architecture\n<!-- tell\nwhat it is'],
    ['tables without rows', '# Glossary\n\n| Term | Meaning |\n|------|:-----:|\n| | |\n'],
    ['rows that name what is missing', '## Commands\n\n| for | command |\n|---|---|\n| build | |\n| test | TODO |\n'],
    ['fields and bullets', '## Decision\n\n**Status**:\n\n**Context**: [why]\n\n- [ ]\n- \n1. ...\nOwner:\n---\n'],
    [
      'placeholders',
      '# Architecture\n\n[Describe the system here]\n\n- <component>: \n- {{name}}\n> TODO: write this\n_[none]_\n',
    ],
    ['front matter', '---\ntitle: x\n---\n# Architecture\n'],
  ])('has %s alone', (_what, text) => {
    expect(isUnfilled('ARCHITECTURE.md', text)).toBe(true);
  });

  it.each([
    ['a sentence', '# Architecture\n\nOne process reads, another writes.\n'],
    ['a bullet', '# Conventions\n\n## Names\n\n- kebab-case for files\n'],
    ['a row', '| part | what |\n|---|---|\n| api | serves |\n'],
    ['code', '# Commands\n\n```sh\nmake all\n```\n'],
    ['a link', '# Architecture\n\n[the drawing](docs/a.svg)\n'],
    ['a field', '**Status**: accepted\n'],
    ['a task', '# Tasks\n\n- [ ] Parse the file\n'],
  ])('has no %s', (_what, text) => {
    expect(isUnfilled('ARCHITECTURE.md', text)).toBe(false);
  });

  it('stops being one with the first line of somebody’s own', () => {
    const name = fc.constantFrom(...LOAD_ORDER);
    const own = fc.stringMatching(/^[a-z]{3,9} [a-z]{3,9} [a-z]{3,9}\.$/);
    fc.assert(
      fc.property(name, own, fc.nat(40), (file, line, place) => {
        const lines = STARTERS[file].split('\n');
        expect(isUnfilled(file, lines.toSpliced(place % lines.length, 0, `- ${line}`).join('\n'))).toBe(false);
      }),
      cases(1_000),
    );
  });
});
