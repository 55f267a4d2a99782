import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

const DECLARATIONS = `
Partial<T> = T
Required<T> = T
Readonly<T> = T
NonNullable<T> = T
Pick<T, K> = T
Omit<T, K> = T
Extract<T, U> = T
Exclude<T, U> = T
NoInfer<T> = T
ThisType<T>
  @this: T
Awaited<T> = await T
ReturnType<F> = call F
InstanceType<C> = new C
Iterable<T, A = ?, B = ?>
  @each: T
AsyncIterable<T, A = ?, B = ?>
  @each: T
IteratorResult<T, R = ?>
  value: T
  done: boolean
Iterator<T, R = ?, N = ?>: Iterable<T>
  next(?): IteratorResult<T>
  return(?): IteratorResult<T>
  throw(?): IteratorResult<T>
  map<U>((T, number) => U): Iterator<U>
  filter((T, number) => boolean): Iterator<T>
  forEach((T, number) => void): void
  toArray(): T[]
  find((T, number) => boolean): T
  some((T, number) => boolean): boolean
  every((T, number) => boolean): boolean
  take(number): Iterator<T>
  drop(number): Iterator<T>
IterableIterator<T, R = ?, N = ?>: Iterator<T>
ArrayIterator<T>: Iterator<T>
MapIterator<T>: Iterator<T>
SetIterator<T>: Iterator<T>
Generator<T, R = ?, N = ?>: Iterator<T>
AsyncIterator<T, R = ?, N = ?>: AsyncIterable<T>
  next(?): Promise<IteratorResult<T>>
  return(?): Promise<IteratorResult<T>>
AsyncIterableIterator<T, R = ?, N = ?>: AsyncIterator<T>
AsyncGenerator<T, R = ?, N = ?>: AsyncIterator<T>
Array<T>: Iterable<T>
  @element: T
  length: number
  at(number): T
  concat(...T | T[]): T[]
  copyWithin(number, number): this
  entries(): Iterator<[number, T]>
  every((T, number, T[]) => boolean, ??): boolean
  fill(T, number?, number?): this
  filter((T, number, T[]) => boolean, ??): T[]
  find((T, number, T[]) => boolean, ??): T
  findIndex((T, number, T[]) => boolean, ??): number
  findLast((T, number, T[]) => boolean, ??): T
  findLastIndex((T, number, T[]) => boolean, ??): number
  flat(number?): (each T)[]
  flatMap<U>((T, number, T[]) => U | U[], ??): U[]
  forEach((T, number, T[]) => void, ??): void
  includes(T, number?): boolean
  indexOf(T, number?): number
  join(string?): string
  keys(): Iterator<number>
  lastIndexOf(T, number?): number
  map<U>((T, number, T[]) => U, ??): U[]
  pop(): T
  push(...T[]): number
  reduce((T, T, number, T[]) => T): T
  reduce<U>((U, T, number, T[]) => U, U): U
  reduceRight((T, T, number, T[]) => T): T
  reduceRight<U>((U, T, number, T[]) => U, U): U
  reverse(): this
  shift(): T
  slice(number?, number?): T[]
  some((T, number, T[]) => boolean, ??): boolean
  sort((T, T) => number?): this
  splice(number, number?, ...T[]): T[]
  toReversed(): T[]
  toSorted((T, T) => number?): T[]
  toSpliced(number, number?, ...T[]): T[]
  toString(): string
  toLocaleString(): string
  unshift(...T[]): number
  values(): Iterator<T>
  with(number, T): T[]
  constructor(...T[]): void
  static from<U>(Iterable<U>): U[]
  static from<U, V>(Iterable<U>, (U, number) => V): V[]
  static isArray(?): boolean
  static of<U>(...U[]): U[]
ReadonlyArray<T>: Array<T>
ArrayLike<T>: Iterable<T>
  @element: T
  length: number
ConcatArray<T>: Array<T>
Map<K, V>: Iterable<[K, V]>
  size: number
  clear(): void
  delete(K): boolean
  entries(): Iterator<[K, V]>
  forEach((V, K, Map<K, V>) => void): void
  get(K): V
  has(K): boolean
  keys(): Iterator<K>
  set(K, V): this
  values(): Iterator<V>
  constructor(Iterable<[K, V]>?): void
  static groupBy<A, B>(Iterable<A>, (A, number) => B): Map<B, A[]>
ReadonlyMap<K, V>: Map<K, V>
WeakMap<K, V>
  delete(K): boolean
  get(K): V
  has(K): boolean
  set(K, V): this
Set<T>: Iterable<T>
  size: number
  add(T): this
  clear(): void
  delete(T): boolean
  difference(Set<T>): Set<T>
  entries(): Iterator<[T, T]>
  forEach((T, T, Set<T>) => void): void
  has(T): boolean
  intersection(Set<T>): Set<T>
  keys(): Iterator<T>
  union(Set<T>): Set<T>
  values(): Iterator<T>
  constructor(Iterable<T>?): void
ReadonlySet<T>: Set<T>
WeakSet<T>
  add(T): this
  delete(T): boolean
  has(T): boolean
WeakRef<T>
  deref(): T
  constructor(T): void
PromiseLike<T>
  @await: T
  then<A, B>((T) => A | PromiseLike<A>?, (?) => B | PromiseLike<B>?): Promise<A | B>
Promise<T>: PromiseLike<T>
  then<A, B>((T) => A | PromiseLike<A>?, (?) => B | PromiseLike<B>?): Promise<A | B>
  catch<A>((?) => A | PromiseLike<A>?): Promise<T | A>
  finally(() => void): Promise<T>
  constructor(((T | PromiseLike<T>?) => void, (??) => void) => void): void
  static resolve<U>(U | PromiseLike<U>?): Promise<U>
  static reject<U>(??): Promise<U>
  static all<U>(Iterable<U | PromiseLike<U>>): Promise<U[]>
  static allSettled<U>(Iterable<U | PromiseLike<U>>): Promise<PromiseSettledResult<U>[]>
  static any<U>(Iterable<U | PromiseLike<U>>): Promise<U>
  static race<U>(Iterable<U | PromiseLike<U>>): Promise<U>
PromiseSettledResult<T>
  status: string
  value: T
  reason: ?
Record<K, V>
  @element: V
  []: V
Object
  static assign<A, B>(A, B): A & B
  static assign<A, B, C>(A, B, C): A & B & C
  static create<T>(T, ??): T
  static defineProperty<T>(T, ?, ?): T
  static defineProperties<T>(T, ?): T
  static entries<T>(Record<?, T>): [string, T][]
  static freeze<T>(T): T
  static fromEntries<T>(Iterable<[?, T]>): Record<string, T>
  static getOwnPropertyNames(?): string[]
  static getPrototypeOf(?): ?
  static keys(?): string[]
  static seal<T>(T): T
  static setPrototypeOf<T>(T, ?): T
  static values<T>(Record<?, T>): T[]
  hasOwnProperty(string): boolean
  isPrototypeOf(?): boolean
  propertyIsEnumerable(string): boolean
  toString(): string
  valueOf(): this
  toLocaleString(): string
Function
  name: string
  length: number
  apply(?, ??): ?
  bind(?, ...?[]): ?
  call(?, ...?[]): ?
  toString(): string
string
  length: number
  @element: string
  @each: string
  at(number): string
  charAt(number): string
  charCodeAt(number): number
  codePointAt(number): number
  concat(...string[]): string
  endsWith(string): boolean
  includes(string): boolean
  indexOf(string): number
  lastIndexOf(string): number
  localeCompare(string): number
  match(?): string[]
  matchAll(?): Iterator<string[]>
  normalize(string?): string
  padEnd(number, string?): string
  padStart(number, string?): string
  repeat(number): string
  replace(?, ?): string
  replaceAll(?, ?): string
  search(?): number
  slice(number?, number?): string
  split(?, number?): string[]
  startsWith(string): boolean
  substr(number, number?): string
  substring(number, number?): string
  toLocaleLowerCase(): string
  toLocaleUpperCase(): string
  toLowerCase(): string
  toString(): string
  toUpperCase(): string
  trim(): string
  trimEnd(): string
  trimStart(): string
  valueOf(): string
number
  toExponential(number?): string
  toFixed(number?): string
  toLocaleString(): string
  toPrecision(number?): string
  toString(number?): string
  valueOf(): number
boolean
  toString(): string
bigint
  toString(): string
symbol
  toString(): string
  description: string
regexp
  test(string): boolean
  exec(string): string[]
  source: string
  flags: string
  lastIndex: number
structuredClone<T>(T): T
queueMicrotask(() => void): void
setTimeout((...?[]) => void, number?, ...?[]): ?
setInterval((...?[]) => void, number?, ...?[]): ?
`;

const NAMES = `
any unknown never void null undefined object true false NaN Infinity
AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean Buffer
CSS CustomEvent DOMException DOMParser DOMRect DataView Date DecompressionStream Document DocumentFragment DragEvent Element
Error EvalError Event EventEmitter EventSource EventTarget File FileReader FinalizationRegistry Float32Array Float64Array FormData
HTMLCanvasElement HTMLDivElement HTMLElement HTMLImageElement HTMLInputElement HTMLVideoElement Headers IDBDatabase Image ImageBitmap
ImageData Int16Array Int32Array Int8Array IntersectionObserver Intl JSON JSX KeyboardEvent Location MIDIAccess Math MediaRecorder
MessageChannel MessageEvent MessagePort MouseEvent MutationObserver NaN Navigator Node NodeJS NodeList Notification Number
OffscreenCanvas Parameters Path2D Performance PerformanceObserver PointerEvent ProgressEvent Proxy RangeError ReadableStream ReferenceError
Reflect RegExp Request ResizeObserver Response SVGElement Selection SharedArrayBuffer Storage String Symbol SyntaxError Text
TextDecoder TextEncoder Touch TouchEvent TransformStream TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array
Uint8ClampedArray WebAssembly WebGL2RenderingContext WebGLRenderingContext WebSocket WheelEvent Window Worker WritableStream
XMLHttpRequest XMLSerializer alert arguments atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console
createImageBitmap crypto customElements decodeURI decodeURIComponent document encodeURI encodeURIComponent escape eval exports fetch
getComputedStyle global globalThis history importScripts isFinite isNaN localStorage location matchMedia module navigator parseFloat
parseInt performance postMessage process prompt reportError requestAnimationFrame requestIdleCallback require screen self
sessionStorage setImmediate unescape window Capitalize ConstructorParameters Lowercase OmitThisParameter ThisParameterType
Uncapitalize Uppercase PropertyKey PropertyDescriptor ArrayBufferLike ArrayBufferView BufferSource React
afterAll afterEach beforeAll beforeEach describe expect it jest test vi
`;

const MEMBERS = `
abort addEventListener after append appendChild assert before blur clear clearRect click clone close closest cloneNode contains
createElement debug dispatchEvent dispose draw emit end error exec execute fill focus format get getAttribute getBoundingClientRect
getContext getElementById getItem has hasAttribute info init insertBefore json load log matches now off on once open parse pause play
postMessage prepend preventDefault querySelector querySelectorAll read reload remove removeAttribute removeChild removeEventListener
removeItem render replaceWith request reset resolve restore resume run save scrollTo send set setAttribute setItem setState start stop
stopPropagation stringify style subscribe test text toBe toBeDefined toEqual toHaveBeenCalled toISOString toJSON toThrow trace update
warn write
`;

export const typescriptBuiltIns = collectBuiltIns(declareBuiltIns('typescript', 'Array', DECLARATIONS), NAMES, MEMBERS);
