import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { c as modules, definitionOf } from './module-finder.ts';
import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

/** The standard library and POSIX, as far as programs of all kinds use them. */
const NAMES = `
std abort abs accept access acos asctime asin assert atan atan2 atexit atof atoi atol atoll bind bsearch calloc ceil chdir
chmod chown clearerr clock close closedir connect cos cosh ctime difftime div dup dup2 environ errno execl execlp execv
execve execvp exit exp fabs fclose fcntl fdopen feof ferror fflush fgetc fgets fileno floor fmod fopen fork fprintf fputc
fputs fread free freopen frexp fscanf fseek fsetpos fstat fsync ftell ftruncate fwrite getc getchar getcwd getenv geteuid
getopt getpid getppid gettimeofday getuid gmtime htonl htons ioctl isalnum isalpha iscntrl isdigit isgraph islower isprint
ispunct isspace isupper isxdigit kill labs ldexp link listen llabs localtime log log10 log2 longjmp lseek lstat malloc
memchr memcmp memcpy memmove memset mkdir mkstemp mktime mmap modf munmap nanosleep ntohl ntohs offsetof open opendir
perror pipe poll popen pow printf putc putchar puts qsort raise rand read readdir readlink realloc recv remove rename
rewind rmdir round scanf select send setenv setjmp setsockopt sigaction signal sin sinh sizeof sleep snprintf socket
sprintf sqrt srand sscanf stat stderr stdin stdout strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror
strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtof strtok
strtok_r strtol strtoll strtoul strtoull strxfrm symlink sysconf system tan tanh time tmpfile tolower toupper trunc umask
uname ungetc unlink unsetenv usleep utime va_arg va_copy va_end va_start vfprintf vprintf vsnprintf vsprintf wait waitpid
wcslen write defined alignof decltype noexcept static_assert static_cast dynamic_cast const_cast reinterpret_cast typeid
typeof likely unlikely
`;

/** Members of containers, strings, streams, pointers and their like. */
const MEMBERS = `
add append assign at back begin c_str capacity cbegin cend clear close code compare contains copy count data detach
dump emplace emplace_back empty end erase error eof extract fail fetch fill find first flush front get getline good handle
has_value hash id ignore init insert is_open join key length load lock lower_bound max_size merge message name next notify
notify_all notify_one open parse peek pop pop_back pop_front precision print push push_back push_front put rbegin rdbuf
read release remove rend reserve reset resize reverse rfind run seek seekg set shrink_to_fit size sort splice start stop
store str substr swap tellg test then to_string top try_lock type unique unlock update upper_bound use_count value value_or
values wait what width write
`;

const cBuiltIns = collectBuiltIns(declareBuiltIns('c', '[]', ''), NAMES, MEMBERS);

/** What is `static` belongs to its file. */
export const c: LanguageRules = {
  ...COMMON,
  family: 'c',
  builtIns: cBuiltIns,
  modules,
  includesFiles: true,
  impliesThis: true,
  hidesUnexported: true,
  addsMembers: true,
  fieldsHoldFunctions: true,
  definitionOf,
};

export const cpp: LanguageRules = {
  ...c,
  usesNamespaces: true,
  // Programs add to it, but what is meant by it is hardly ever theirs.
  outsideNames: new Set(['std']),
  addsMembers: 'overriding',
  virtual: /\b(?:virtual|override|final)\b/,
  hasOverloads: true,
};
