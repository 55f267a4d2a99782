import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import type { Project } from '../indexer/project.fixture.ts';
import { askGraph } from './ask-graph.ts';
import type { GraphReader } from './graph-reader.ts';
import { renderAnswer } from './render-answer.ts';

const TREE = {
  'go.mod': 'module x.org/a\n',
  'os/open_linux.go':
    'package os\n\ntype file struct{ fd int }\n\nfunc open(name string) int { return helper(1) }\n\nfunc (f *file) Close() { open("x") }\n\nfunc init() { helper(3) }\n',
  'os/open_other.go':
    '//go:build !linux\n\npackage os\n\ntype file struct{ handle int }\n\nfunc open(_ string) int { return helper(2) }\n\nfunc (x *file) Close() { open("y") }\n\nfunc init() { helper(4) }\n',
  'os/all.go':
    'package os\n\nfunc helper(n int) int { return n }\n\nfunc Use(f *file) { open("a"); f.Close() }\n\ntype door struct{}\n\nfunc (d *door) Close() {}\n',
  'os/open_test.go': 'package os_test\n\nfunc open(name string) int { return 0 }\n\nfunc check() { open("t") }\n',
  'Cargo.toml': '[package]\nname = "a"\n',
  'src/lib.rs': `#[cfg(unix)]
pub fn sys() -> u32 { 1 }
#[cfg(windows)]
pub fn sys() -> u32 { 2 }
pub struct S;
#[cfg(unix)]
impl S { pub fn go(&self) { sys(); } }
#[cfg(windows)]
impl S { pub fn go(&self) { sys(); } }
impl From<u8> for S { fn from(n: u8) -> Self { S } }
impl From<u16> for S { fn from(n: u16) -> Self { S } }
pub fn run(s: S) { sys(); s.go(); }
`,
  'c/a.c':
    '#ifdef WIN\nint low(int a) { return 1; }\n#else\nint low(int a) { return 2; }\n#endif\nint high(void) { return low(3); }\n',
  'c/b.cpp':
    '#ifdef WIN\nint both(int a) { return 1; }\n#else\nint both(int a) { return 2; }\n#endif\nint both(int a, int b) { return 3; }\nint top() { return both(3); }\n',
};

let project: Project;
let reader: GraphReader;
beforeAll(async () => {
  project = openProject(TREE);
  const indexer = project.indexer();
  await indexer.indexAll();
  indexer.compact();
  reader = project.graph();
});
afterAll(() => project.close());

function told(action: 'callers' | 'callees' | 'impact', symbol: string): string {
  const answer = askGraph(reader, { action, symbol }, () => undefined);
  return renderAnswer({ answer, root: '', state: 'stable', stale: 0 }, 6_000, { how: () => 'more' });
}

it.each<['callers' | 'callees' | 'impact', string, readonly string[]]>([
  ['callers', 'os/open_linux.go#open', ['for other builds: os/open_other.go:7', '2 callers in production; 3 calls']],
  ['callers', 'os/open_other.go#open', ['for other builds: os/open_linux.go:5', '2 callers in production; 3 calls']],
  ['callers', 'file.Close', ['for other builds: os/open_other.go:9', '1 caller in production; 1 call']],
  ['callers', 'helper', ['3 callers in production; 4 calls', 'open  os/open_linux.go:5, os/open_other.go:7']],
  ['callees', 'Use', ['2 callees, 2 calls']],
  ['impact', 'helper', ['distance 1: 3 callers', 'distance 2: 2 callers']],
  ['callers', 'file', ['for other builds: os/open_other.go:5', '1 caller in production; 1 call']],
  ['callers', 'sys', ['for other builds: src/lib.rs:4', '2 callers in production; 3 calls', 'S.go  src/lib.rs:7, 9']],
  ['callers', 'go', ['for other builds: src/lib.rs:9', '1 caller in production; 1 call']],
  ['callers', 'low', ['for other builds: c/a.c:4', '1 caller in production; 1 call']],
  ['callers', 'c/b.cpp:2', ['for other builds: c/b.cpp:4', '1 caller in production; 1 call']],
])('%s of %s: one symbol for all builds', (action, symbol, texts) => {
  for (const text of texts) expect(told(action, symbol)).toContain(text);
});

it.each([
  ['another type', 'door.Close'],
  ['other traits', 'src/lib.rs#S.from'],
  ['other parameters', 'c/b.cpp:6'],
  ['a test of its own', 'os/open_test.go#open'],
  ['what each file may have', 'os/open_linux.go#init'],
])('not %s', (_, symbol) => {
  expect(told('callers', symbol)).not.toContain('other builds');
});
