import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

const DECLARATIONS = `
Iterable<T>
  @each: T
Iterator<T>: Iterable<T>
  __next__(): T
Generator<T, S = ?, R = ?>: Iterator<T>
Awaitable<T>
  @await: T
Coroutine<A, B, T>: Awaitable<T>
AsyncIterable<T>
  @each: T
AsyncIterator<T>: AsyncIterable<T>
AsyncGenerator<T, S = ?>: AsyncIterator<T>
ContextManager<T>
  @enter: T
AbstractContextManager<T>: ContextManager<T>
list<T>: Iterable<T>
  @element: T
  append(T): ?
  clear(): ?
  copy(): T[]
  count(T): int
  extend(Iterable<T>): ?
  index(T): int
  insert(int, T): ?
  pop(int?): T
  remove(T): ?
  reverse(): ?
  sort(): ?
List<T> = list<T>
Sequence<T>: list<T>
MutableSequence<T>: list<T>
Collection<T>: Iterable<T>
tuple<T>: Iterable<T>
  @element: T
  count(T): int
  index(T): int
Tuple<T> = tuple<T>
dict<K, V>: Iterable<K>
  @element: V
  clear(): ?
  copy(): dict<K, V>
  get(K, V?): V
  items(): Iterable<[K, V]>
  keys(): Iterable<K>
  pop(K, V?): V
  popitem(): [K, V]
  setdefault(K, V): V
  update(?): ?
  values(): Iterable<V>
Dict<K, V> = dict<K, V>
Mapping<K, V>: dict<K, V>
MutableMapping<K, V>: dict<K, V>
defaultdict<K, V>: dict<K, V>
OrderedDict<K, V>: dict<K, V>
set<T>: Iterable<T>
  add(T): ?
  clear(): ?
  copy(): set<T>
  discard(T): ?
  pop(): T
  remove(T): ?
  update(Iterable<T>): ?
  union(Iterable<T>): set<T>
Set<T> = set<T>
frozenset<T>: set<T>
FrozenSet<T> = frozenset<T>
deque<T>: list<T>
  appendleft(T): ?
  popleft(): T
str
  @each: str
  @element: str
  capitalize(): str
  decode(): str
  encode(): bytes
  endswith(?): bool
  find(str): int
  format(...?[]): str
  index(str): int
  isdigit(): bool
  join(?): str
  lower(): str
  lstrip(str?): str
  replace(str, str): str
  rsplit(str?, int?): str[]
  rstrip(str?): str
  split(str?, int?): str[]
  splitlines(): str[]
  startswith(?): bool
  strip(str?): str
  title(): str
  upper(): str
bytes
  decode(): str
int
float
bool
enumerate<T>(Iterable<T>, int?): Iterable<[int, T]>
reversed<T>(Iterable<T>): Iterable<T>
sorted<T>(Iterable<T>, ??, ??): T[]
iter<T>(Iterable<T>): Iterator<T>
next<T>(Iterator<T>, T?): T
zip<A, B>(Iterable<A>, Iterable<B>): Iterable<[A, B]>
filter<T>(?, Iterable<T>): Iterable<T>
`;

const NAMES = `
ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError BufferError BytesWarning
ChildProcessError ConnectionError DeprecationWarning EOFError Ellipsis EnvironmentError Exception False FileExistsError
FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndexError
InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
StopIteration SyntaxError SyntaxWarning SystemError SystemExit TimeoutError True TypeError UnboundLocalError
UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning ZeroDivisionError __debug__ __file__
__import__ __name__ abs all any anext aiter ascii bin breakpoint bytearray callable chr classmethod compile complex
delattr dir divmod eval exec exit format getattr globals hasattr hash help hex id input isinstance issubclass len locals
map max memoryview min object oct open ord pow print property quit range repr round setattr slice staticmethod sum super
type vars
`;

const MEMBERS = `
__init__ __enter__ __exit__ __call__ __getitem__ __iter__ __next__ __str__ __repr__ add all as_dict check close compile connect
create debug delete error exception execute exists exit filter first flush get get_context group groups handle info init is_valid
load loads dump dumps log match name open parse path process read readline readlines register render reset resolve run save search
seek send set setup start stop sub tell test validate warn warning write
`;

export const pythonBuiltIns = collectBuiltIns(declareBuiltIns('python', 'list', DECLARATIONS), NAMES, MEMBERS);
