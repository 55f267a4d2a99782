import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

const DECLARATIONS = `
[]<T>
  @each: T
  @element: T
  clone(): T[]
Iterator<T>
  next(): T
  hasNext(): boolean
ListIterator<T>: Iterator<T>
  previous(): T
Iterable<T>
  @each: T
  iterator(): Iterator<T>
  forEach((T) => ?): ?
Collection<T>: Iterable<T>
  stream(): Stream<T>
  parallelStream(): Stream<T>
  toArray(?): T[]
  add(T): boolean
  addAll(?): boolean
  removeIf((T) => boolean): boolean
List<T>: Collection<T>
  static of<U>(...U[]): List<U>
  static copyOf<U>(Iterable<U>): List<U>
  get(int): T
  set(int, T): T
  remove(?): T
  getFirst(): T
  getLast(): T
  removeFirst(): T
  removeLast(): T
  sort((T, T) => int): ?
  replaceAll((T) => T): ?
  subList(int, int): List<T>
  listIterator(): ListIterator<T>
ArrayList<T>: List<T>
LinkedList<T>: Deque<T>, List<T>
CopyOnWriteArrayList<T>: List<T>
Vector<T>: List<T>
Set<T>: Collection<T>
  static of<U>(...U[]): Set<U>
  static copyOf<U>(Iterable<U>): Set<U>
SortedSet<T>: Set<T>
  first(): T
  last(): T
NavigableSet<T>: SortedSet<T>
HashSet<T>: Set<T>
LinkedHashSet<T>: Set<T>
TreeSet<T>: NavigableSet<T>
EnumSet<T>: Set<T>
Queue<T>: Collection<T>
  poll(): T
  peek(): T
  element(): T
  remove(): T
Deque<T>: Queue<T>
  pop(): T
  pollFirst(): T
  pollLast(): T
  peekFirst(): T
  peekLast(): T
  getFirst(): T
  getLast(): T
  removeFirst(): T
  removeLast(): T
ArrayDeque<T>: Deque<T>
PriorityQueue<T>: Queue<T>
BlockingQueue<T>: Queue<T>
  take(): T
ConcurrentLinkedQueue<T>: Queue<T>
Map<K, V>
  static of<A, B>(A, B): Map<A, B>
  static copyOf<A, B>(Map<A, B>): Map<A, B>
  get(?): V
  put(K, V): V
  remove(?): V
  getOrDefault(?, V): V
  putIfAbsent(K, V): V
  computeIfAbsent(K, (K) => V): V
  computeIfPresent(K, (K, V) => V): V
  compute(K, (K, V) => V): V
  merge(K, V, (V, V) => V): V
  replace(K, V): V
  forEach((K, V) => ?): ?
  replaceAll((K, V) => V): ?
  keySet(): Set<K>
  values(): Collection<V>
  entrySet(): Set<Entry<K, V>>
Entry<K, V>
  getKey(): K
  getValue(): V
HashMap<K, V>: Map<K, V>
LinkedHashMap<K, V>: Map<K, V>
SortedMap<K, V>: Map<K, V>
NavigableMap<K, V>: SortedMap<K, V>
TreeMap<K, V>: NavigableMap<K, V>
  firstEntry(): Entry<K, V>
  lastEntry(): Entry<K, V>
  firstKey(): K
  lastKey(): K
EnumMap<K, V>: Map<K, V>
ConcurrentMap<K, V>: Map<K, V>
ConcurrentHashMap<K, V>: ConcurrentMap<K, V>
IdentityHashMap<K, V>: Map<K, V>
WeakHashMap<K, V>: Map<K, V>
Optional<T>
  static of<U>(U): Optional<U>
  static ofNullable<U>(U): Optional<U>
  static empty<U>(): Optional<U>
  get(): T
  orElse(T): T
  orElseGet(() => T): T
  orElseThrow(?): T
  map<R>((T) => R): Optional<R>
  flatMap<R>((T) => Optional<R>): Optional<R>
  filter((T) => boolean): Optional<T>
  or(() => Optional<T>): Optional<T>
  ifPresent((T) => ?): ?
  ifPresentOrElse((T) => ?, () => ?): ?
  stream(): Stream<T>
Stream<T>
  static of<U>(...U[]): Stream<U>
  static concat<U>(Stream<U>, Stream<U>): Stream<U>
  filter((T) => boolean): Stream<T>
  map<R>((T) => R): Stream<R>
  mapToInt((T) => int): ?
  mapToLong((T) => long): ?
  mapToDouble((T) => double): ?
  flatMap<R>((T) => Stream<R>): Stream<R>
  peek((T) => ?): Stream<T>
  distinct(): Stream<T>
  sorted((T, T) => int): Stream<T>
  limit(long): Stream<T>
  skip(long): Stream<T>
  takeWhile((T) => boolean): Stream<T>
  dropWhile((T) => boolean): Stream<T>
  forEach((T) => ?): ?
  forEachOrdered((T) => ?): ?
  anyMatch((T) => boolean): boolean
  allMatch((T) => boolean): boolean
  noneMatch((T) => boolean): boolean
  findFirst(): Optional<T>
  findAny(): Optional<T>
  min((T, T) => int): Optional<T>
  max((T, T) => int): Optional<T>
  reduce(T, (T, T) => T): T
  toList(): List<T>
  iterator(): Iterator<T>
  collect(?): ?
Function<T, R>
  ()(T): R
  apply(T): R
BiFunction<T, U, R>
  ()(T, U): R
  apply(T, U): R
UnaryOperator<T>: Function<T, T>
BinaryOperator<T>: BiFunction<T, T, T>
Supplier<T>
  ()(): T
  get(): T
Callable<T>
  ()(): T
  call(): T
Consumer<T>
  ()(T): ?
  accept(T): ?
BiConsumer<T, U>
  ()(T, U): ?
  accept(T, U): ?
Predicate<T>
  ()(T): boolean
  test(T): boolean
BiPredicate<T, U>
  ()(T, U): boolean
  test(T, U): boolean
ToIntFunction<T>
  ()(T): int
  applyAsInt(T): int
ToLongFunction<T>
  ()(T): long
  applyAsLong(T): long
Comparator<T>
  ()(T, T): int
  compare(T, T): int
Runnable
  ()(): ?
  run(): ?
Future<T>
  get(): T
CompletableFuture<T>: Future<T>
  static supplyAsync<U>(() => U): CompletableFuture<U>
  static completedFuture<U>(U): CompletableFuture<U>
  thenApply<R>((T) => R): CompletableFuture<R>
  thenAccept((T) => ?): ?
  thenCompose<R>((T) => CompletableFuture<R>): CompletableFuture<R>
  join(): T
AtomicReference<T>
  get(): T
  getAndSet(T): T
ThreadLocal<T>
  static withInitial<U>(() => U): ThreadLocal<U>
  get(): T
WeakReference<T>
  get(): T
Class<T>
  cast(Object): T
  newInstance(): T
Objects
  static requireNonNull<U>(U, ?): U
  static requireNonNullElse<U>(U, U): U
Arrays
  static asList<U>(...U[]): List<U>
  static stream<U>(U[]): Stream<U>
  static copyOf<U>(U[], int): U[]
Collections
  static unmodifiableList<U>(List<U>): List<U>
  static unmodifiableSet<U>(Set<U>): Set<U>
  static unmodifiableMap<A, B>(Map<A, B>): Map<A, B>
  static unmodifiableCollection<U>(Collection<U>): Collection<U>
  static synchronizedList<U>(List<U>): List<U>
  static singletonList<U>(U): List<U>
  static singleton<U>(U): Set<U>
  static max<U>(Collection<U>): U
  static min<U>(Collection<U>): U
`;

const NAMES = `
boolean byte char double float int long short void Boolean Byte Character Double Float Integer Long Short Number Object
String StringBuilder StringBuffer CharSequence Math System Thread Void Enum Record Throwable Exception Error
RuntimeException IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException
IndexOutOfBoundsException ClassCastException ArithmeticException InterruptedException CloneNotSupportedException
NumberFormatException AssertionError Comparable Cloneable AutoCloseable Process ProcessBuilder Runtime StackTraceElement
Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface
`;

/** What every object has, and what very many classes of the libraries have. */
const MEMBERS = `
equals hashCode toString getClass notify notifyAll wait clone finalize name ordinal valueOf values compareTo length
charAt substring indexOf isEmpty size contains clear append insert delete reverse trim split matches format println print
printf getName getMessage getCause printStackTrace close read write flush start stop run submit execute shutdown lock
unlock accept apply test invoke parse encode decode getId setId getValue setValue getKey getType setName build builder
create init update reset copy index find save load open next
`;

export const javaBuiltIns = collectBuiltIns(declareBuiltIns('java', '[]', DECLARATIONS), NAMES, MEMBERS);
