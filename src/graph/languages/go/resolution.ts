import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { go as modules } from './module-finder.ts';
import type { FileFacts } from '../../model/facts.ts';
import { directoryOf } from '../../model/paths.ts';
import type { Located } from '../../resolve/world.ts';
import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

/** A loop takes a key and a value, of a channel a value alone. */
const DECLARATIONS = `
[]<T>
  @each: [int, T]
  @element: T
map<K, V>
  @each: [K, V]
  @element: V
chan<T>
  @each: [T]
error
  Error(): string
`;

const NAMES = `
any bool byte comparable complex64 complex128 float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16
uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic print println real
recover true false nil iota
`;

/** Methods of many types of the standard library. */
const MEMBERS = `
Add Bytes Cancel Clone Close Context Copy Count Decode Delete Do Done Encode End Equal Err Error Errorf Exec Exit Fatal
Fatalf Find Flush Format Get Handle Header Helper ID Init Insert Key Len Less Lines Load Lock Log Logf Name New Next Open
Parse Path Peek Pop Post Print Printf Println Push Put Query RLock RUnlock Range Read ReadAll Recv Remove Reset Resolve
Run Scan Seek Send ServeHTTP Set Signal Size Skip Sort Start Status Stop Store String Sub Sum Swap Sync Text Title Type
Unlock Unwrap Update Value Values Wait Walk Write WriteString
`;

const goBuiltIns = collectBuiltIns(declareBuiltIns('go', '[]', DECLARATIONS), NAMES, MEMBERS);

/** Systems and processors that the name of a Go file may end with, and what projects call the rest. */
const TAG =
  /_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|nacl|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|unix|posix|bsd|nonlinux|unsupported|other|others|stub|386|amd64|arm|arm64|loong64|mips|mips64|ppc64|ppc64le|riscv64|s390x|wasm)(?=_|\.go$)/g;

/**
 * A Go package has a function once for each system: one of them is meant in every build, and all are called. Those written
 * for the same system as the caller are meant before the others. Undefined when the definitions are not of that sort.
 */
function variantsFor(from: FileFacts, targets: readonly Located[]): readonly Located[] | undefined {
  const [first] = targets;
  if (first === undefined || targets.length < 2) return undefined;
  const directory = directoryOf(first.file.path);
  for (const { file } of targets) if (directoryOf(file.path) !== directory) return undefined;
  if (new Set(targets.map(({ file }) => file)).size < targets.length) return undefined;
  const own = tagsOf(from.path);
  const same = own === '' ? [] : targets.filter(({ file }) => tagsOf(file.path) === own);
  return same.length > 0 ? same : targets;
}

function tagsOf(path: string): string {
  return (path.match(TAG) ?? []).join('');
}

export const go: LanguageRules = {
  ...COMMON,
  family: 'go',
  builtIns: goBuiltIns,
  modules,
  sharesDirectory: true,
  namesPackages: true,
  addsMembers: true,
  callsConvert: true,
  variantsFor,
};
