/**
 * The methods of what types of the standard library are embedded most: of interfaces with the types of parameters and results,
 * of structs by name alone.
 */
const METHODS = `
error Error() string
io.Reader Read([]byte) (int, error)
io.Writer Write([]byte) (int, error)
io.Closer Close() error
io.Seeker Seek(int64, int) (int64, error)
io.ReadWriter Read([]byte) (int, error); Write([]byte) (int, error)
io.ReadCloser Close() error; Read([]byte) (int, error)
io.WriteCloser Close() error; Write([]byte) (int, error)
io.ReadWriteCloser Close() error; Read([]byte) (int, error); Write([]byte) (int, error)
io.ReadSeeker Read([]byte) (int, error); Seek(int64, int) (int64, error)
io.ReadSeekCloser Close() error; Read([]byte) (int, error); Seek(int64, int) (int64, error)
io.WriteSeeker Seek(int64, int) (int64, error); Write([]byte) (int, error)
io.ReadWriteSeeker Read([]byte) (int, error); Seek(int64, int) (int64, error); Write([]byte) (int, error)
io.ReaderAt ReadAt([]byte, int64) (int, error)
io.WriterAt WriteAt([]byte, int64) (int, error)
io.ReaderFrom ReadFrom(Reader) (int64, error)
io.WriterTo WriteTo(Writer) (int64, error)
io.ByteReader ReadByte() (byte, error)
io.ByteScanner ReadByte() (byte, error); UnreadByte() error
io.ByteWriter WriteByte(byte) error
io.RuneReader ReadRune() (rune, int, error)
io.RuneScanner ReadRune() (rune, int, error); UnreadRune() error
io.StringWriter WriteString(string) (int, error)
fmt.Stringer String() string
fmt.GoStringer GoString() string
fmt.Formatter Format(State, rune)
fmt.State Flag(int) bool; Precision() (int, bool); Width() (int, bool); Write([]byte) (int, error)
fmt.Scanner Scan(ScanState, rune) error
sort.Interface Len() int; Less(int, int) bool; Swap(int, int)
heap.Interface Len() int; Less(int, int) bool; Pop() any; Push(any); Swap(int, int)
sync.Locker Lock(); Unlock()
context.Context Deadline() (Time, bool); Done() <-chan struct{}; Err() error; Value(any) any
net.Addr Network() string; String() string
net.Conn Close() error; LocalAddr() Addr; Read([]byte) (int, error); RemoteAddr() Addr; SetDeadline(Time) error; SetReadDeadline(Time) error; SetWriteDeadline(Time) error; Write([]byte) (int, error)
net.Error Error() string; Temporary() bool; Timeout() bool
net.Listener Accept() (Conn, error); Addr() Addr; Close() error
net.PacketConn Close() error; LocalAddr() Addr; ReadFrom([]byte) (int, Addr, error); SetDeadline(Time) error; SetReadDeadline(Time) error; SetWriteDeadline(Time) error; WriteTo([]byte, Addr) (int, error)
http.Handler ServeHTTP(ResponseWriter, *Request)
http.ResponseWriter Header() Header; Write([]byte) (int, error); WriteHeader(int)
http.Flusher Flush()
http.Hijacker Hijack() (Conn, *ReadWriter, error)
http.Pusher Push(string, *PushOptions) error
http.RoundTripper RoundTrip(*Request) (*Response, error)
http.FileSystem Open(string) (File, error)
http.File Close() error; Read([]byte) (int, error); Readdir(int) ([]FileInfo, error); Seek(int64, int) (int64, error); Stat() (FileInfo, error)
http.CookieJar Cookies(*URL) []*Cookie; SetCookies(*URL, []*Cookie)
flag.Value Set(string) error; String() string
flag.Getter Get() any; Set(string) error; String() string
encoding.BinaryMarshaler MarshalBinary() ([]byte, error)
encoding.BinaryUnmarshaler UnmarshalBinary([]byte) error
encoding.TextMarshaler MarshalText() ([]byte, error)
encoding.TextUnmarshaler UnmarshalText([]byte) error
json.Marshaler MarshalJSON() ([]byte, error)
json.Unmarshaler UnmarshalJSON([]byte) error
xml.Marshaler MarshalXML(*Encoder, StartElement) error
xml.Unmarshaler UnmarshalXML(*Decoder, StartElement) error
hash.Hash BlockSize() int; Reset(); Size() int; Sum([]byte) []byte; Write([]byte) (int, error)
hash.Hash32 BlockSize() int; Reset(); Size() int; Sum([]byte) []byte; Sum32() uint32; Write([]byte) (int, error)
hash.Hash64 BlockSize() int; Reset(); Size() int; Sum([]byte) []byte; Sum64() uint64; Write([]byte) (int, error)
sql.Result LastInsertId() (int64, error); RowsAffected() (int64, error)
sql.Scanner Scan(any) error
driver.Conn Begin() (Tx, error); Close() error; Prepare(string) (Stmt, error)
driver.Driver Open(string) (Conn, error)
driver.Rows Close() error; Columns() []string; Next([]Value) error
driver.Stmt Close() error; Exec([]Value) (Result, error); NumInput() int; Query([]Value) (Rows, error)
driver.Tx Commit() error; Rollback() error
driver.Valuer Value() (Value, error)
driver.Connector Connect(Context) (Conn, error); Driver() Driver
fs.FS Open(string) (File, error)
fs.File Close() error; Read([]byte) (int, error); Stat() (FileInfo, error)
fs.FileInfo IsDir() bool; ModTime() Time; Mode() FileMode; Name() string; Size() int64; Sys() any
fs.DirEntry Info() (FileInfo, error); IsDir() bool; Name() string; Type() FileMode
fs.ReadDirFile Close() error; Read([]byte) (int, error); ReadDir(int) ([]DirEntry, error); Stat() (FileInfo, error)
fs.ReadDirFS Open(string) (File, error); ReadDir(string) ([]DirEntry, error)
fs.ReadFileFS Open(string) (File, error); ReadFile(string) ([]byte, error)
fs.StatFS Open(string) (File, error); Stat(string) (FileInfo, error)
os.Signal Signal(); String() string
image.Image At(int, int) Color; Bounds() Rectangle; ColorModel() Model
draw.Image At(int, int) Color; Bounds() Rectangle; ColorModel() Model; Set(int, int, Color)
color.Color RGBA() (uint32, uint32, uint32, uint32)
crypto.Signer Public() PublicKey; Sign(Reader, []byte, SignerOpts) ([]byte, error)
crypto.SignerOpts HashFunc() Hash
crypto.Decrypter Decrypt(Reader, []byte, DecrypterOpts) ([]byte, error); Public() PublicKey
cipher.AEAD NonceSize() int; Open([]byte, []byte, []byte, []byte) ([]byte, error); Overhead() int; Seal([]byte, []byte, []byte, []byte) []byte
cipher.Block BlockSize() int; Decrypt([]byte, []byte); Encrypt([]byte, []byte)
cipher.Stream XORKeyStream([]byte, []byte)
ast.Node End() Pos; Pos() Pos
ast.Visitor Visit(Node) Visitor
rand.Source Int63() int64; Seed(int64)
rand.Source64 Int63() int64; Seed(int64); Uint64() uint64
os.FileInfo IsDir() bool; ModTime() Time; Mode() FileMode; Name() string; Size() int64; Sys() any
os.DirEntry Info() (FileInfo, error); IsDir() bool; Name() string; Type() FileMode
sync.Mutex Lock; TryLock; Unlock
sync.RWMutex Lock; RLock; RLocker; RUnlock; TryLock; TryRLock; Unlock
sync.WaitGroup Add; Done; Wait
sync.Once Do
bytes.Buffer Bytes; Cap; Grow; Len; Next; Read; ReadByte; ReadBytes; ReadFrom; ReadRune; ReadString; Reset; String; Truncate; UnreadByte; UnreadRune; Write; WriteByte; WriteRune; WriteString; WriteTo
strings.Builder Cap; Grow; Len; Reset; String; Write; WriteByte; WriteRune; WriteString
bufio.Reader Buffered; Discard; Peek; Read; ReadByte; ReadBytes; ReadLine; ReadRune; ReadSlice; ReadString; Reset; Size; UnreadByte; UnreadRune; WriteTo
bufio.Writer Available; AvailableBuffer; Buffered; Flush; ReadFrom; Reset; Size; Write; WriteByte; WriteRune; WriteString
os.File Chdir; Chmod; Chown; Close; Fd; Name; Read; ReadAt; ReadDir; ReadFrom; Readdir; Readdirnames; Seek; SetDeadline; SetReadDeadline; SetWriteDeadline; Stat; Sync; SyscallConn; Truncate; Write; WriteAt; WriteString
log.Logger Fatal; Fatalf; Fatalln; Flags; Output; Panic; Panicf; Panicln; Prefix; Print; Printf; Println; SetFlags; SetOutput; SetPrefix; Writer
http.Client CloseIdleConnections; Do; Get; Head; Post; PostForm
testing.T Cleanup; Deadline; Error; Errorf; Fail; FailNow; Failed; Fatal; Fatalf; Helper; Log; Logf; Name; Parallel; Run; Setenv; Skip; SkipNow; Skipf; Skipped; TempDir
testing.B Cleanup; Error; Errorf; Fail; FailNow; Failed; Fatal; Fatalf; Helper; Log; Logf; Name; ReportAllocs; ReportMetric; ResetTimer; Run; RunParallel; SetBytes; SetParallelism; Setenv; Skip; SkipNow; Skipf; Skipped; StartTimer; StopTimer; TempDir
`;

let known: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;

/** What stands behind the names of the methods that a type outside the project has, by name; undefined where it is not known. */
export function standardMethods(type: string): ReadonlyMap<string, string> | undefined {
  known ??= new Map(METHODS.trim().split('\n').map(readLine));
  return known.get(type);
}

function readLine(line: string): [string, ReadonlyMap<string, string>] {
  const space = line.indexOf(' ');
  const methods = line.slice(space + 1).split('; ');
  return [line.slice(0, space), new Map(methods.map(readMethod))];
}

function readMethod(method: string): [string, string] {
  const end = method.search(/\W|$/);
  return [method.slice(0, end), method.slice(end)];
}

const INTERFACE = /^type \w+(?:\[.*\])? interface \{ (.*) \}$/;
const FIELD = /^\*?((?:\w+\.)?\w+)(?:\[.*\])?(?: [`"].*)?$/;

/** The types that an interface embeds, or a field that is called like its type, by their signatures. */
export function embeddedTypes(signature: string): readonly string[] {
  const list = INTERFACE.exec(signature)?.[1];
  if (list !== undefined) return list.split('; ').filter((each) => each !== MORE);
  const field = FIELD.exec(signature)?.[1];
  return field === undefined ? [] : [field];
}

/** Stands for the methods of an interface behind those types. */
export const MORE = '…';
