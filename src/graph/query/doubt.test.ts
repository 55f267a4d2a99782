import { expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import type { CallsAnswer, ImpactAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import type { Ask } from './ask-graph.ts';

async function answersTo(sources: Readonly<Record<string, string>>, ...asks: Ask[]) {
  const project = openProject(sources);
  try {
    await project.indexer().indexAll();
    return asks.map((ask) => askGraph(project.graph(), ask, () => undefined));
  } finally {
    project.close();
  }
}

it.each<[string, Record<string, string>, string, number]>([
  [
    'what a library makes of a function',
    {
      'go.mod': 'module example.com/app\n',
      'app/app.go': `package app

import "sync"

type Engine struct{}

func (e *Engine) ServeAll() {}

var engine = sync.OnceValue(func() *Engine { return &Engine{} })

func Run() { engine().ServeAll() }
`,
    },
    'Engine.ServeAll',
    1,
  ],
  [
    'what a library makes of a class',
    {
      'store.ts': `import { resolve, other } from 'container';
export class Store { persist() {} }
export function run() { resolve(Store).persist(); other('name').persist() }
`,
    },
    'Store.persist',
    1,
  ],
  [
    'what a library makes of the result of a function',
    {
      'app.py': `import asyncio

class Loop:
    def add_later(self): pass

async def get_loop() -> Loop: return Loop()

class Case:
    def setUp(self):
        self.loop = asyncio.new_event_loop().run_until_complete(get_loop())
        self.name = asyncio.current_task().name
    def test(self):
        self.loop.add_later()
        self.name.add_later()
`,
    },
    'Loop.add_later',
    1,
  ],
])('the receiver is not known: %s', async (_, sources, symbol, unresolved) => {
  const [answer] = await answersTo(sources, { action: 'callers', symbol });
  expect(answer).toMatchObject({ calls: { total: 0 }, unresolved });
});

it('a function that says what `this` is may be called as a member of anything', async () => {
  const sources = {
    'path.ts': `export function replaceWithMany(this: Path, text: string) {}
export function plain(this: void) {}
export class Path {}
`,
    'use.ts': 'export function use(path: any) { path.up.replaceWithMany("x"); path.plain() }\n',
  };
  const [replaced, plain] = await answersTo(
    sources,
    { action: 'callers', symbol: 'replaceWithMany' },
    { action: 'callers', symbol: 'plain' },
  );
  expect([replaced, plain]).toMatchObject([{ possible: 1 }, { possible: 0 }]);
});

it('what is made of a function and exported is called as the default of its file', async () => {
  const sources = {
    'load.ts': `import wrap from 'wrapper';
import { read } from './read.ts';
export default wrap(function* load() { yield* read() });
`,
    'read.ts': 'export function* read() {}\n',
    'use.ts': `import load from './load.ts';
export function use() { load() }
`,
  };
  const [impact] = (await answersTo(sources, { action: 'impact', symbol: 'read', depth: 3 })) as [ImpactAnswer];
  expect(impact.levels.map(({ callers }) => callers.items.map(({ symbol }) => symbol.name))).toEqual([
    ['load'],
    ['use'],
  ]);
});

it('what a closure calls counts for the function that hands it out', async () => {
  const sources = {
    'wrap.ts': `import { log } from './log.ts';
export function wrap(text: string) {
  function wrapped() { log(text) }
  function helper() { log('') }
  helper();
  return wrapped;
}
export function use() { return wrap('x') }
`,
    'log.ts': 'export function log(text: string) {}\n',
  };
  const [callees, impact] = (await answersTo(
    sources,
    { action: 'callees', symbol: 'wrap' },
    { action: 'impact', symbol: 'log', depth: 3 },
  )) as [CallsAnswer, ImpactAnswer];
  expect(callees.calls.items.map(({ symbol }) => symbol.name)).toEqual(['log', 'wrap.helper']);
  const names = impact.levels.map(({ callers }) => callers.items.map(({ symbol }) => symbol.name));
  expect(names).toEqual([['wrap.helper', 'wrap.wrapped'], ['wrap'], ['use']]);
});

it('a function behind a cast is a definition', async () => {
  const sources = {
    'cast.ts': `type Handler = { (x: number): string };
export const handle = ((x) => inner(x)) as Handler;
function inner(x: number) { return '' }
handle(1);
`,
  };
  const [callers] = (await answersTo(sources, { action: 'callers', symbol: 'inner' })) as [CallsAnswer];
  expect(callers.calls.items.map(({ symbol }) => `${symbol.name} ${symbol.kind}`)).toEqual(['handle function']);
});

const EDITOR =
  'export class Editor { attach() {} get() {} view: View = new View() }\nexport class View { redraw() {} }\n';

it.each<[string, string, readonly string[]]>([
  [
    'that type arguments name',
    `import { createContext, useContext } from 'react';
import type { Editor } from './editor.ts';
const Current = createContext<{ editor: Editor | null }>({ editor: null });
const useCurrent = () => useContext(Current);
export function menu() { const { editor } = useCurrent(); editor?.attach(); editor?.view.redraw() }
`,
    ['Editor.attach', 'View.redraw'],
  ],
  [
    'that a type is made with',
    `import type { Ref } from 'vue';
import type { Editor } from './editor.ts';
export function menu(ref: Ref<Editor>) { ref.value.attach(); ref.value.view.redraw() }
`,
    ['Editor.attach', 'View.redraw'],
  ],
  [
    'for a function that is handed over',
    `import * as React from 'react';
import type { Editor } from './editor.ts';
export interface Props { editor: Editor }
export const menu = React.forwardRef<HTMLElement, Props>(({ editor }, ref) => { editor.attach() });
`,
    ['Editor.attach'],
  ],
  [
    'in an object that is handed over',
    `import { defineComponent, type PropType } from 'vue';
import type { Editor } from './editor.ts';
export const menu = defineComponent({
  props: { editor: { type: Object as PropType<Editor>, required: true } },
  setup(props) { const { editor } = props; editor.attach() },
});
`,
    ['Editor.attach'],
  ],
  [
    'as an object of its own',
    `import { markRaw } from 'vue';
import { Editor } from './editor.ts';
export function menu(editor: Editor) { markRaw(editor).attach() }
`,
    ['Editor.attach'],
  ],
])('what a library was given it may hand out, %s', async (_, text, symbols) => {
  const sources = { 'editor.ts': EDITOR, 'menu.ts': text };
  const asks = symbols.map((symbol) => ({ action: 'callers', symbol, possible: true }) as const);
  for (const answer of await answersTo(sources, ...asks))
    expect(answer).toMatchObject({ calls: { items: [{ symbol: { name: 'menu' }, sites: [{ why: 'handed' }] }] } });
});

it('a name that libraries have as well says nothing of what they were given', async () => {
  const sources = {
    'editor.ts': EDITOR,
    'menu.ts': `import type { Ref } from 'vue';
import type { Editor } from './editor.ts';
export function menu(ref: Ref<Editor>) { ref.get(); ref.missing() }
`,
  };
  const [answer] = await answersTo(sources, { action: 'callers', symbol: 'Editor.get', possible: true });
  expect(answer).toMatchObject({ calls: { total: 0 }, maybe: { total: 0 } });
});
