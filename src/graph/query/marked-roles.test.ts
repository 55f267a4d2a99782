import { expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import type { CallsAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';

/** The names of callers, by what they are there for. */
async function callersIn(sources: Readonly<Record<string, string>>, symbol: string) {
  const project = openProject(sources);
  try {
    await project.indexer().indexAll();
    const { items } = (askGraph(project.graph(), { action: 'callers', symbol }, () => undefined) as CallsAnswer).calls;
    const named = (role: string) => items.filter((one) => one.role === role).map((one) => one.symbol.name);
    return { production: named('production').sort(), test: named('test').sort() };
  } finally {
    project.close();
  }
}

it('a function that Rust runs as a test counts as one, wherever it stands', async () => {
  const callers = await callersIn(
    {
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': `pub fn round(n: u32) -> u32 { n }
pub fn total() -> u32 { round(2) }
#[test]
fn rounds() { assert_eq!(round(1), 1); }
#[cfg(test)]
mod checks { fn helper() { super::round(3); } }
`,
    },
    'round',
  );
  expect(callers).toEqual({ production: ['total'], test: ['checks.helper', 'rounds'] });
});

it('a Go file that takes what tests are given is there for tests, and so is one for a fuzzer', async () => {
  const callers = await callersIn(
    {
      'go.mod': 'module example.com/shop\n',
      'shop.go': 'package shop\n\nfunc Round(n int) int { return n }\n\nfunc Total() int { return Round(2) }\n',
      'testing.go':
        'package shop\n\nimport "testing"\n\nfunc TestRound(t testing.TB, n int) { t.Log(Round(n)) }\n\nfunc more() { Round(3) }\n',
      'fuzz.go': '//go:build gofuzz\n\npackage shop\n\nfunc Fuzz(data []byte) int { return Round(1) }\n',
      'plain.go': '//go:build !gofuzz\n\npackage shop\n\nfunc Plain() int { return Round(1) }\n',
    },
    'Round',
  );
  expect(callers).toEqual({ production: ['Plain', 'Total'], test: ['Fuzz', 'TestRound', 'more'] });
});
