import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

/** What wraps a value and lets its members through has it as a base. */
const DECLARATIONS = `
Future<T>
  @await: T
Option<T>
  @enter: T
  @each: T
  unwrap(): T
  expect(str): T
  unwrap_or(T): T
  unwrap_or_else(() => T): T
  unwrap_or_default(): T
  map<U>((T) => U): Option<U>
  map_or<U>(U, (T) => U): U
  map_or_else<U>(() => U, (T) => U): U
  and_then<U>((T) => Option<U>): Option<U>
  filter((T) => bool): Option<T>
  is_some_and((T) => bool): bool
  inspect((T) => ?): Option<T>
  or(Option<T>): Option<T>
  or_else(() => Option<T>): Option<T>
  ok_or<E>(E): Result<T, E>
  ok_or_else<E>(() => E): Result<T, E>
  as_ref(): Option<T>
  as_mut(): Option<T>
  as_deref(): Option<T>
  as_deref_mut(): Option<T>
  cloned(): Option<T>
  copied(): Option<T>
  take(): Option<T>
  replace(T): Option<T>
  insert(T): T
  get_or_insert(T): T
  get_or_insert_with(() => T): T
  iter(): Iterator<T>
  into_iter(): Iterator<T>
Result<T, E>
  @enter: T
  @each: T
  unwrap(): T
  expect(str): T
  unwrap_err(): E
  expect_err(str): E
  unwrap_or(T): T
  unwrap_or_else((E) => T): T
  unwrap_or_default(): T
  ok(): Option<T>
  err(): Option<E>
  map<U>((T) => U): Result<U, E>
  map_err<F>((E) => F): Result<T, F>
  map_or<U>(U, (T) => U): U
  and_then<U>((T) => Result<U, E>): Result<U, E>
  or_else((E) => Result<T, E>): Result<T, E>
  is_ok_and((T) => bool): bool
  is_err_and((E) => bool): bool
  inspect((T) => ?): Result<T, E>
  inspect_err((E) => ?): Result<T, E>
  as_ref(): Result<T, E>
  as_mut(): Result<T, E>
  cloned(): Result<T, E>
  iter(): Iterator<T>
Iterator<T>
  @each: T
  next(): Option<T>
  map<U>((T) => U): Iterator<U>
  filter((T) => bool): Iterator<T>
  filter_map<U>((T) => Option<U>): Iterator<U>
  find((T) => bool): Option<T>
  find_map<U>((T) => Option<U>): Option<U>
  flat_map<U>((T) => U): Iterator<each U>
  flatten(): Iterator<each T>
  any((T) => bool): bool
  all((T) => bool): bool
  for_each((T) => ?): ?
  fold<A>(A, (A, T) => A): A
  position((T) => bool): Option<usize>
  enumerate(): Iterator<[usize, T]>
  zip<U>(U): Iterator<[T, each U]>
  chain(?): Iterator<T>
  take(usize): Iterator<T>
  take_while((T) => bool): Iterator<T>
  skip(usize): Iterator<T>
  skip_while((T) => bool): Iterator<T>
  step_by(usize): Iterator<T>
  rev(): Iterator<T>
  cloned(): Iterator<T>
  copied(): Iterator<T>
  cycle(): Iterator<T>
  inspect((T) => ?): Iterator<T>
  peekable(): Iterator<T>
  peek(): Option<T>
  by_ref(): Iterator<T>
  last(): Option<T>
  nth(usize): Option<T>
  min_by_key((T) => ?): Option<T>
  max_by_key((T) => ?): Option<T>
  min_by((T, T) => ?): Option<T>
  max_by((T, T) => ?): Option<T>
  min(): Option<T>
  max(): Option<T>
  partition((T) => bool): ?
  scan<A, U>(A, (A, T) => Option<U>): Iterator<U>
  into_iter(): Iterator<T>
  collect<B>(): B
IntoIterator<T>: Iterator<T>
DoubleEndedIterator<T>: Iterator<T>
ExactSizeIterator<T>: Iterator<T>
[]<T>
  @each: T
  @element: T
  iter(): Iterator<T>
  iter_mut(): Iterator<T>
  into_iter(): Iterator<T>
  drain(?): Iterator<T>
  first(): Option<T>
  first_mut(): Option<T>
  last(): Option<T>
  last_mut(): Option<T>
  get(usize): Option<T>
  get_mut(usize): Option<T>
  pop(): Option<T>
  remove(usize): T
  swap_remove(usize): T
  push(T): ?
  insert(usize, T): ?
  extend(?): ?
  retain((T) => bool): ?
  chunks(usize): Iterator<T[]>
  windows(usize): Iterator<T[]>
  sort_by((T, T) => ?): ?
  sort_by_key((T) => ?): ?
  to_vec(): Vec<T>
  as_slice(): T[]
  split_first(): Option<[T, T[]]>
  split_last(): Option<[T, T[]]>
Vec<T>: T[]
  static new<U>(): Vec<U>
  static with_capacity<U>(usize): Vec<U>
  static from<U>(?): Vec<U>
VecDeque<T>: T[]
  static new<U>(): VecDeque<U>
  pop_front(): Option<T>
  pop_back(): Option<T>
  front(): Option<T>
  back(): Option<T>
  push_back(T): ?
  push_front(T): ?
HashSet<T>
  @each: T
  static new<U>(): HashSet<U>
  iter(): Iterator<T>
  into_iter(): Iterator<T>
  get(?): Option<T>
  take(?): Option<T>
  insert(T): bool
BTreeSet<T>: HashSet<T>
BinaryHeap<T>: T[]
HashMap<K, V>
  @each: [K, V]
  @element: V
  static new<A, B>(): HashMap<A, B>
  static with_capacity<A, B>(usize): HashMap<A, B>
  get(?): Option<V>
  get_mut(?): Option<V>
  get_or_insert_with(?, () => V): V
  insert(K, V): Option<V>
  remove(?): Option<V>
  entry(K): Entry<K, V>
  iter(): Iterator<[K, V]>
  iter_mut(): Iterator<[K, V]>
  into_iter(): Iterator<[K, V]>
  drain(): Iterator<[K, V]>
  keys(): Iterator<K>
  values(): Iterator<V>
  values_mut(): Iterator<V>
  into_values(): Iterator<V>
  into_keys(): Iterator<K>
  retain((K, V) => bool): ?
BTreeMap<K, V>: HashMap<K, V>
  range(?): Iterator<[K, V]>
Entry<K, V>
  or_insert(V): V
  or_insert_with(() => V): V
  or_default(): V
  and_modify((V) => ?): Entry<K, V>
Box<T>: T
  static new<U>(U): Box<U>
Rc<T>: T
  static new<U>(U): Rc<U>
  static clone<U>(U): U
Arc<T>: T
  static new<U>(U): Arc<U>
  static clone<U>(U): U
Cow<T>: T
Pin<T>: T
  as_mut(): T
  as_ref(): T
Cell<T>
  static new<U>(U): Cell<U>
  get(): T
  set(T): ?
  take(): T
  replace(T): T
RefCell<T>
  static new<U>(U): RefCell<U>
  borrow(): T
  borrow_mut(): T
  into_inner(): T
Mutex<T>
  static new<U>(U): Mutex<U>
  lock(): Result<T, ?>
  try_lock(): Result<T, ?>
  into_inner(): Result<T, ?>
RwLock<T>
  static new<U>(U): RwLock<U>
  read(): Result<T, ?>
  write(): Result<T, ?>
OnceCell<T>
  get(): Option<T>
  get_or_init(() => T): T
OnceLock<T>: OnceCell<T>
LazyLock<T>: T
MutexGuard<T>: T
RwLockReadGuard<T>: T
RwLockWriteGuard<T>: T
Ref<T>: T
RefMut<T>: T
Some<T>(T): Option<T>
Ok<T>(T): Result<T, ?>
Err<E>(E): Result<?, E>
None: Option<?>
`;

const NAMES = `
bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 String Self drop Default Clone Copy Debug
Display Drop From Into TryFrom TryInto AsRef AsMut Send Sync Sized Unpin Eq PartialEq Ord PartialOrd Hash Fn FnMut FnOnce
ToString ToOwned Extend FromIterator PhantomData Ordering Error Write Read
assert! assert_eq! assert_ne! cfg! column! compile_error! concat! dbg! debug_assert! debug_assert_eq! debug_assert_ne! env!
eprint! eprintln! file! format! format_args! include! include_bytes! include_str! line! matches! module_path! option_env!
panic! print! println! stringify! thread_local! todo! unimplemented! unreachable! vec! write! writeln!
`;

const MEMBERS = `
abs add as_bytes as_mut as_ptr as_ref as_str await begin build chars clear clone close cmp contains contains_key count
default deref drop end ends_with eq find finish flush fmt from from_str hash id index insert into is_empty is_err is_none
is_ok is_some join key kind len lines lock name new next now ok open parse path poll pop push push_str read recv remove
replace reserve reset resize run send set size sort split start starts_with status stop sum to_lowercase to_owned
to_string to_uppercase to_vec trim truncate try_from try_into type update value wait wake with_capacity write
`;

export const rustBuiltIns = collectBuiltIns(declareBuiltIns('rust', '[]', DECLARATIONS), NAMES, MEMBERS);
