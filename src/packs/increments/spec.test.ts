import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSpec } from './spec.ts';

const SAMPLE = 'test/fixtures/specweave/project/.specweave/increments/0001-user-login/spec.md';

describe('a spec', () => {
  it.each([
    ['- [ ] AC-US1-01: Plain', 'AC-US1-01', 'Plain', false],
    ['- [x] **AC-US1-01**: Bold', 'AC-US1-01', 'Bold', true],
    ['- [X] **AC-US1-01** (P1): Bold with a word', 'AC-US1-01', 'Bold with a word', true],
    ['  - [ ] AC-US1-01 (P1, backend) : Plain with words', 'AC-US1-01', 'Plain with words', false],
    ['- [ ] **AC-US1-01 (P1)**: All bold', 'AC-US1-01', 'All bold', false],
    ['- [ ] **AC-US1-01:** Colon in bold', 'AC-US1-01', 'Colon in bold', false],
    ['- [ ] `AC-US1-01`: Code', 'AC-US1-01', 'Code', false],
    ['- [ ] **`AC-US1-01`**: Bold code', 'AC-US1-01', 'Bold code', false],
    ['- [ ] AC-7: Short', 'AC-7', 'Short', false],
  ])('has the criterion %s', (line, id, text, ticked) => {
    for (const end of ['', '\n', '\r\n']) {
      const { criteria } = readSpec(`é text\n${line}${end}`);
      expect(criteria).toEqual([{ id, text, ticked, at: 7 + line.indexOf('[') + 1 }]);
    }
  });

  it.each([
    'AC-US1-01: no box',
    '- AC-US1-01: no box',
    '- [ ] AC-US1-01 no colon',
    '- [ ] see AC-US1-01: not first',
    '- [ ]AC-US1-01: no blank',
    '- [ ] ac-us1-01: small',
    '- [y] AC-US1-01: no tick',
    '- [ ] AC-US1-01 (open: no end',
  ])('has none in %s', (line) => {
    expect(readSpec(line).criteria).toEqual([]);
  });

  it('is read whole', () => {
    const spec = readSpec(readFileSync(SAMPLE, 'utf8'));
    expect(Object.fromEntries(spec.frontMatter)).toEqual({
      increment: '0001-user-login',
      title: 'Log in with e-mail',
      priority: 'P1',
      status: 'active',
      created: '2027-02-01',
    });
    expect(spec.title).toBe('Log in with e-mail');
    expect(spec.overview).toEqual([
      'Customers get an account that they open with their e-mail address and a password.',
      'Guests can still buy without one.',
    ]);
    expect(spec.stories).toEqual([
      {
        id: 'US-001',
        title: 'Log in',
        priority: 'P1',
        lines: [
          '**As a** returning customer',
          '**I want** to log in with my e-mail address',
          '**So that** my orders are in one place',
        ],
      },
      {
        id: 'US-002',
        title: 'Log out',
        priority: 'P2',
        lines: [
          '**As a** customer on a shared computer',
          '**I want** to log out',
          '**So that** nobody else sees my orders',
        ],
      },
    ]);
    expect(spec.criteria.map(({ id, story, ticked }) => [id, story, ticked])).toEqual([
      ['AC-US1-01', 'US-001', false],
      ['AC-US1-02', 'US-001', false],
      ['AC-US1-03', 'US-001', false],
      ['AC-US2-01', 'US-002', false],
      ['AC-US2-02', 'US-002', true],
    ]);
  });

  it('takes a criterion outside of every story for the one its id names', () => {
    const { criteria } = readSpec('### US-001: a\n## Criteria\n- [ ] AC-US1-01: b\n- [ ] AC-US7-01: c\n');
    expect(criteria.map(({ story }) => story)).toEqual(['US-001', undefined]);
  });

  it.each([
    ['---\nstatus: active # for now\n---\n', { status: 'active' }],
    ['\ufeff---\r\nstatus: "in-progress"\r\n---\r\n', { status: 'in-progress' }],
    ["---\ntitle: 'a: b'\nnested:\n  status: x\n...\n", { title: 'a: b', nested: '' }],
    ['---\nstatus: active\n', {}],
    ['text\n---\nstatus: active\n---\n', {}],
  ])('has the front matter of %j', (text, fields) => {
    expect(Object.fromEntries(readSpec(text).frontMatter)).toEqual(fields);
  });

  it('comes out of any text, with boxes where they stand', () => {
    const line = fc.constantFrom('- [ ] AC-US1-01: a', '- [x] **AC-2**: b', '### US-001: c', '```', '---', '# d', 'é');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(line).map((lines) => lines.join('\r\n')),
    );
    fc.assert(
      fc.property(text, (each) => {
        for (const { at, ticked } of readSpec(each).criteria)
          expect(each.slice(at - 1, at + 2)).toBe(ticked ? '[x]' : '[ ]');
      }),
    );
  });
});
