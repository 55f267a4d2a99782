import { expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import { createRuleGraph } from '../resident/rule-graph.ts';
import { askGraph } from './ask-graph.ts';
import type { GraphReader } from './graph-reader.ts';

const SOURCES = {
  'package.json': '{ "name": "top", "private": true, "workspaces": ["packages/*", "examples/*"] }',
  'packages/shop/package.json': '{ "name": "shop", "types": "types/index.d.ts", "main": "dist/index.js" }',
  'packages/shop/src/index.ts': 'export interface Item {}\nexport class Book implements Item {}\n',
  'packages/shop/types/index.d.ts': 'export interface Item {}\nexport declare class Book implements Item {}\n',
  'packages/shop/types/global.d.ts': 'declare const shop: string;\n',
  'packages/shop/src/env.d.ts': 'declare const env: string;\n',
  'examples/kit/package.json': '{ "name": "kit", "bin": { "kit": "./src/run.js" } }',
  'examples/kit/src/run.js': 'export function run() {}\n',
  'examples/kit/src/fixtures/one.js': 'export function one() {}\n',
  'examples/plain/package.json': '{ "name": "plain", "private": true, "main": "src/app.js" }',
  'examples/plain/src/app.js': 'export function app() {}\n',
  'rust/Cargo.toml':
    '[package]\nname = "boat"\n[[example]]\nname = "row"\npath = "rowing/row.rs"\n[[bench]]\nname = "fast"\npath = "speed/main.rs"\n[[bin]]\nname = "boat"\npath = "demos/boat.rs"\n',
  'rust/src/lib.rs': 'pub fn float() {}\n',
  'rust/rowing/row.rs': 'fn main() {}\n',
  'rust/speed/main.rs': 'mod more;\nfn main() {}\n',
  'rust/speed/more.rs': 'pub fn more() {}\n',
  'rust/demos/boat.rs': 'fn main() {}\n',
  'rust/demos/other.rs': 'fn main() {}\n',
  'py/pyproject.toml':
    '[project]\nname = "acme"\n[tool.setuptools]\npackages = ["samples.acme"]\n[tool.pytest.ini_options]\ntestpaths = ["qa"]\n',
  'py/samples/acme/core.py': 'def core(): pass\n',
  'py/samples/other.py': 'def other(): pass\n',
  'py/qa/support.py': 'def support(): pass\n',
};

function rolesIn(reader: GraphReader): Record<string, string> {
  const code = reader.files().filter(({ language }) => language !== 'manifest');
  return Object.fromEntries(code.map(({ path, role }) => [path, role]));
}

const ROLES = {
  'examples/kit/src/fixtures/one.js': 'test',
  'examples/kit/src/run.js': 'production',
  'examples/plain/src/app.js': 'sample',
  'packages/shop/src/env.d.ts': 'production',
  'packages/shop/src/index.ts': 'production',
  'packages/shop/types/global.d.ts': 'production',
  'packages/shop/types/index.d.ts': 'generated',
  'py/qa/support.py': 'test',
  'py/samples/acme/core.py': 'production',
  'py/samples/other.py': 'sample',
  'rust/demos/boat.rs': 'production',
  'rust/demos/other.rs': 'sample',
  'rust/rowing/row.rs': 'sample',
  'rust/speed/main.rs': 'test',
  'rust/speed/more.rs': 'test',
  'rust/src/lib.rs': 'production',
};

it('manifests say what files are there for, and another one says something else', async () => {
  const project = openProject(SOURCES);
  try {
    const indexer = project.indexer();
    await indexer.indexAll();
    const reader = project.graph();
    expect(rolesIn(reader)).toEqual(ROLES);
    // What a build made of a source is no second implementation.
    const answer = askGraph(reader, { action: 'callers', symbol: 'Item' }, () => undefined);
    expect(answer).toMatchObject({ implementations: { total: 1, items: [{ path: 'packages/shop/src/index.ts' }] } });
    const rules = createRuleGraph(reader, { isCurrent: () => true, whenCurrent: () => undefined });
    expect(rules.symbols('Book', 9)).toMatchObject({ total: 1 });
    const path = 'packages/shop/package.json';
    project.write(path, '{ "name": "shop" }');
    await indexer.sweep();
    expect(rolesIn(project.graph())).toEqual({ ...ROLES, 'packages/shop/types/index.d.ts': 'production' });
    indexer.compact();
    expect(await project.difference()).toEqual([]);
  } finally {
    project.close();
  }
});
