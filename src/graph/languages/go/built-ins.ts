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

export const goBuiltIns = collectBuiltIns(declareBuiltIns('go', '[]', DECLARATIONS), NAMES, MEMBERS);
