import { expect, test } from 'vitest';
import { show } from '../shown.fixture.ts';
import { shownFacts } from '../shown-facts.fixture.ts';

test('C: definitions, includes and calls, each where it stands', async () => {
  const { definitions, imports, calls, others, facts } = await shownFacts(
    'src/list.c',
    'c',
    `#include "list.h"
#include <stdio.h>
#define SQUARE(x) ((x) * (x))
#define LIMIT 3

typedef struct node {
  struct node *next;
  int (*compare)(void *, void *);
} node_t;
typedef enum { FIRST, LAST } place;
union value { int number; float real; };
static node_t *make(int size);
extern int shared;
static const int kept = 2;

/* Adds one. */
int add(node_t *list, place where)
{
  node_t *made = make(SQUARE(2));
  for (node_t *at = list->next; at; at = at->next)
    at->compare(at, made);
  first(list)->next->compare(0, 0);
  printf("%d", sizeof(struct node));
  return 0;
}

static node_t *make(int size) { return allocate(size); }
int shared = 1;
`,
  );
  expect(definitions).toEqual([
    '3:9 constant SQUARE, callable',
    '9:3 type node_t',
    '6:16 struct node',
    '7:16 field node.next',
    '8:9 field node.compare',
    '10:30 enum place',
    '10:16 constant place.FIRST',
    '10:23 constant place.LAST',
    '11:7 struct value',
    '11:19 field value.number',
    '11:33 field value.real',
    '14:18 constant kept',
    '17:5 function add',
    '27:16 function make',
    '28:5 variable shared',
  ]);
  expect(imports).toEqual(['1:10 * of list.h', '2:10 * of <stdio.h>']);
  expect(calls).toEqual([
    '19:18 call make/1 in add',
    '19:23 call SQUARE/1 in add',
    '21:9 call at.compare/2 in add',
    '22:3 call first/1 in add',
    '22:22 call first().next.compare/2 in add',
    '23:3 call printf/2 in add',
    '27:40 call allocate/1 in make',
  ]);
  expect(others).toContain('17:9 type node_t in add');
  const add = facts.definitions[12];
  expect(add).toMatchObject({
    signature: 'int add(node_t *list, place where)',
    doc: 'Adds one.',
    exported: true,
    parameters: [{ name: 'list', type: { name: 'node_t' } }, { name: 'where' }],
  });
  expect(facts.definitions[13]).toMatchObject({ exported: false, type: { name: 'node_t' } });
  expect(facts.bindings.map(({ name, type }) => `${name}: ${type ? show(type) : ''}`)).toEqual([
    'list: node_t',
    'where: place',
    'made: node_t',
    'at: node_t',
    'size: ',
  ]);
  expect(facts.flags).toEqual([]);
});

test('C++: classes, namespaces, templates, methods in and out of their class', async () => {
  const { definitions, imports, calls, others, facts } = await shownFacts(
    'src/box.cpp',
    'cpp',
    `#include "box.hpp"
namespace shop::inner {
/// Holds one.
template <typename T> class Box : public Base<T>, private other::Part {
 public:
  explicit Box(T* value) : value_(value), size_(count(value)) {}
  ~Box();
  virtual void put(const T& item, int at = 0) = 0;
  static Box create();
  bool operator==(const Box& other) const { return other.value_ == value_; }
  using Pointer = std::unique_ptr<T>;
 private:
  T* value_;
  std::vector<Item> items_;
  void hidden();
};
}
enum class Color { Red };
using namespace shop;
void inner::Box<int>::put(const int& item, int at) {
  this->value_->go(item)->then([&](Item it) { it.run(); });
  auto made = new shop::Item(1);
  Item one(2);
  for (auto& each : items_) each.show();
  shop::helper<int>(made);
}
namespace { int counter; void local() {} }
void Elsewhere::save() { put(1, 2); }
`,
  );
  expect(definitions).toEqual([
    '2:11 namespace shop',
    '2:17 namespace shop.inner',
    '4:29 class shop.inner.Box, extends Base<T>, extends other.Part',
    '6:12 method shop.inner.Box.Box, constructor, special',
    '7:3 method shop.inner.Box.~Box, declared, special',
    '9:14 method shop.inner.Box.create, static, declared',
    '10:8 method shop.inner.Box.operator==, special',
    '11:9 type shop.inner.Box.Pointer',
    '13:6 field shop.inner.Box.value_, private',
    '14:21 field shop.inner.Box.items_, private',
    '15:8 method shop.inner.Box.hidden, declared, private',
    '18:12 enum Color',
    '18:20 constant Color.Red',
    '20:23 method shop.inner.Box.put',
    '27:17 variable counter',
    '27:31 function local',
    '28:17 method Elsewhere.save, adds Elsewhere',
  ]);
  expect(imports).toEqual(['1:10 * of box.hpp']);
  expect(calls).toEqual([
    '6:49 call count/1 in shop.inner.Box.Box',
    '21:17 call this.value_.go/1 in shop.inner.Box.put',
    '21:27 call this.value_.go().then/1 in shop.inner.Box.put',
    '21:50 call it.run/0 in shop.inner.Box.put',
    '22:25 new shop.Item/1 in shop.inner.Box.put',
    '23:3 new Item/1 in shop.inner.Box.put',
    '24:34 call each.show/0 in shop.inner.Box.put',
    '25:9 call shop.helper/1 in shop.inner.Box.put',
    '28:26 call put/2 in Elsewhere.save',
  ]);
  expect(others).toEqual([
    '4:42 type Base in shop.inner.Box',
    '4:66 type other.Part in shop.inner.Box',
    '9:10 type Box in shop.inner.Box',
    '10:25 type Box in shop.inner.Box.operator==',
    '14:15 type Item in shop.inner.Box',
    '21:36 type Item in shop.inner.Box.put',
  ]);
  expect(facts.definitions[2]).toMatchObject({ doc: 'Holds one.', generics: [{ name: 'T' }] });
  expect(facts.definitions[15]).toMatchObject({ exported: false });
});

test.each([
  ['class Store { public: void save(); };', 'cpp'],
  ['namespace a { int b; }', 'cpp'],
  ['template <typename T> T first(T a);', 'cpp'],
  ['#include <vector>\nint a;', 'cpp'],
  ['struct store { int a; };\nint class_of(int a);', 'c'],
  ['/* a\n   class of things */\nint a;', 'c'],
  ['#ifdef __cplusplus\nextern "C" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n', 'c'],
])('the header %j is %s', async (text, language) => {
  expect((await shownFacts('a.h', 'c', text)).facts.language).toBe(language);
});

test('macros before a name do not hide it', async () => {
  const { definitions: functions } = await shownFacts(
    'a.c',
    'c',
    'static int __init setup(void)\n{\n  return go(1);\n}\n',
  );
  expect(functions).toEqual(['1:19 function setup']);
  const { definitions: classes } = await shownFacts(
    'a.cpp',
    'cpp',
    'class API Store : public Base {\n public:\n  void save();\n};\n',
  );
  expect(classes[0]).toBe('1:11 class Store');
});

test('damaged code keeps what is before and after', async () => {
  const { definitions, facts } = await shownFacts(
    'a.c',
    'c',
    'int before(void) { return 1; }\nint broken(int {\nint after(void) { return go(); }\n',
  );
  expect(facts.flags).toEqual(['damaged']);
  expect(definitions).toContain('1:5 function before');
  expect(definitions).toContain('3:5 function after');
});
