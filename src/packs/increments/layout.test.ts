import { describe, expect, it } from 'vitest';
import { nameOf, numberOf, parsePath } from './layout.ts';

describe('paths of increments', () => {
  it.each([
    ['/p/.specweave/increments/0001-demo/tasks.md', { root: '/p', increment: '0001-demo', file: 'tasks.md' }],
    ['/p/.specweave/increments/0023E-fix/spec.md', { root: '/p', increment: '0023E-fix', file: 'spec.md' }],
    [
      '/p/x/../.specweave/increments/0001-demo/metadata.json',
      { root: '/p', increment: '0001-demo', file: 'metadata.json' },
    ],
    ['/p/.specweave//increments/0001-demo/./tasks.md', { root: '/p', increment: '0001-demo', file: 'tasks.md' }],
    ['/p/.specweave/increments/0001-demo/plan.md', { root: '/p', increment: '0001-demo' }],
    ['/p/.specweave/increments/0001-demo/docs/tasks.md', { root: '/p', increment: '0001-demo' }],
    ['/p/.specweave/increments/_archive/0051-x/spec.md', { root: '/p' }],
    ['/p/.specweave/increments/0051/spec.md', { root: '/p' }],
    ['/p/.specweave/increments/notes/spec.md', { root: '/p' }],
    ['/p/.specweave/config.json', { root: '/p' }],
    [
      '/p/.specweave/a/.specweave/increments/0001-b/spec.md',
      { root: '/p/.specweave/a', increment: '0001-b', file: 'spec.md' },
    ],
    ['/.specweave/increments/0001-b/spec.md', { root: '/', increment: '0001-b', file: 'spec.md' }],
    ['/p/src/a.ts', undefined],
    ['/p/.specweave', undefined],
    ['/p/.specweave/../increments/0001-demo/tasks.md', undefined],
    ['/p/my.specweave/increments/0001-demo/tasks.md', undefined],
    ['', undefined],
  ])('%s', (path, parsed) => {
    expect(parsePath(path)).toEqual(parsed);
  });

  it('have names and numbers', () => {
    expect(['0001-demo', '0023E-fix-it', 'odd'].map((id) => [nameOf(id), numberOf(id)])).toEqual([
      ['demo', 1],
      ['fix-it', 23],
      ['odd', 0],
    ]);
  });
});
