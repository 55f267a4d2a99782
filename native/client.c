// The command transport: hands one event of an agent to the daemon, and the daemon's reply to the agent. The agent
// waits for this process at every tool call, so the usual path allocates nothing and touches little memory; every other
// path (no daemon, no answer, no slot) ends in the one-shot engine or, at the deadline, in a reply made beforehand.
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#else
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "variables.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the frames are little endian, and numbers are copied into them as they are"
#endif
#ifndef FAIRLEAD_STAMP
#define FAIRLEAD_STAMP "0.0.0+0.source"
#endif

enum {
  DEADLINE_MS = 8000, // the agent gives up after 10 s
  DAEMON_MS = 3000,   // a daemon that takes longer is stuck, and the one-shot needs its time too
  LINE_MS = 25,       // between two looks while waiting in line, at first
  LONG_LINE_MS = 200, // and later, when hundreds may wait
  BACKLOG_MS = 2,     // while the daemon has more callers than it has accepted
  GRACE_MS = 1000,    // past the deadline, for an agent that is still writing or reading
  SLOTS = 4,          // one-shots at a time
  FRAME_HEAD = 12,
  HEAD_BYTES = 64 * 1024,
  MAX_BODY = 16 * 1024 * 1024,
};

static char **words; // after `hook`
static int word_count;
static const char *state;
static int64_t deadline;
static bool adopted; // the entry has the engine run hooks of others
extern char **environ;

// The first half is the head that is kept of any input; the second takes what follows when memory cannot be had.
// Aligned, because each page that the kernel has to hand out costs more than any call here.
static _Alignas(4096) char start_of_input[2 * HEAD_BYTES];
static struct {
  char *bytes;
  size_t room, kept;
  uint64_t size;
  bool over, ended;
} input = {.bytes = start_of_input, .room = sizeof start_of_input};

// The request up to its body, then the reply.
static char frame[HEAD_BYTES];

struct text {
  char *at, *end; // at is NULL once something did not fit
};

static void add(struct text *text, const char *bytes, size_t length) {
  if (text->at && (size_t)(text->end - text->at) < length) text->at = NULL;
  if (!text->at) return;
  memcpy(text->at, bytes, length);
  text->at += length;
}

static void add_text(struct text *text, const char *value) { add(text, value, strlen(value)); }

static void add_field(struct text *text, const char *kind, const char *value) {
  add_text(text, kind);
  add(text, value, strlen(value) + 1);
}

// By hand, to keep printf out of the usual path.
static const char *to_digits(char digits[24], uint64_t value, unsigned base, int width) {
  char *at = digits + 23;
  *at = '\0';
  for (; value > 0 || width > 0; value /= base, width--) *--at = "0123456789abcdef"[value % base];
  return at;
}

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static bool wait_for(int fd, short events, int64_t until) {
  for (;;) {
    struct pollfd one = {.fd = fd, .events = events};
    int64_t left = until - now_ms();
    int ready = poll(&one, 1, left < 0 ? 0 : (int)earlier(left, INT_MAX));
    if (ready > 0) return true;
    if (ready == 0 ? left <= 0 : errno != EINTR) return false;
  }
}

static bool is_passing(void) { return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK; }

static const char *value_of(const char *flag) {
  for (int i = 0; i + 1 < word_count; i++)
    if (strcmp(words[i], flag) == 0) return words[i + 1];
  return NULL;
}

static int64_t read_within(void) {
  const char *text = value_of("--within");
  int64_t ms = 0;
  for (; text && *text >= '0' && *text <= '9' && ms < INT_MAX / 16; text++) ms = ms * 10 + (*text - '0');
  return ms > 0 && *text == '\0' ? ms : DEADLINE_MS;
}

static void *map(size_t length) {
  void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

// Pages that nobody writes to cost nothing, so there is one step from the usual size to the largest.
static bool grow_input(void) {
  char *bytes = map(MAX_BODY + HEAD_BYTES);
  if (!bytes) return false;
  memcpy(bytes, input.bytes, input.kept);
  input.bytes = bytes;
  input.room = MAX_BODY + HEAD_BYTES;
  return true;
}

// Always to the end, because an agent that cannot finish writing counts it as a failure. False when time is over.
static bool read_input(int64_t until) {
  while (!input.ended) {
    if (!wait_for(0, POLLIN, until)) return false;
    size_t from = input.over ? HEAD_BYTES : input.kept;
    ssize_t got = read(0, input.bytes + from, input.room - from);
    if (got < 0 && is_passing()) continue;
    input.ended = got <= 0; // a broken pipe ends the input where it broke
    if (input.ended) break;
    input.size += (size_t)got;
    if (input.over) continue;
    input.kept += (size_t)got;
    input.over = input.kept > MAX_BODY || (input.kept == input.room && !grow_input());
    if (input.over) input.kept = HEAD_BYTES;
  }
  return true;
}

// At most PIPE_BUF at a time, which never blocks after poll: an agent that does not read must not hold this process.
static void write_reply(const char *reply, size_t length) {
  while (length > 0) {
    if (!wait_for(1, POLLOUT, deadline + GRACE_MS)) _exit(0);
    ssize_t sent = write(1, reply, length < PIPE_BUF ? length : PIPE_BUF);
    if (sent < 0 && is_passing()) continue;
    if (sent < 0) _exit(0);
    reply += sent;
    length -= (size_t)sent;
  }
}

static _Noreturn void finish(const char *reply, size_t length, int code) {
  write_reply(reply, length);
  _exit(code);
}

static bool is_ours(const char *dir) {
  struct stat stat;
  return lstat(dir, &stat) == 0 && S_ISDIR(stat.st_mode) && stat.st_uid == geteuid() && (stat.st_mode & 077) == 0;
}

static bool run_path(char path[PATH_MAX], const char *name) {
  struct text text = {path, path + PATH_MAX};
  add_text(&text, state);
  add_field(&text, "/run", name);
  return text.at;
}

// FNV-1a.
static uint64_t hash_of(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

// Below /tmp whatever TMPDIR says: the environment belongs to the agent.
static bool short_path(char path[PATH_MAX], const char *name) {
  char user[24], digits[24];
  struct text text = {path, path + PATH_MAX};
  add_text(&text, "/tmp/fairlead-");
  add_text(&text, to_digits(user, geteuid(), 10, 1));
  add_text(&text, "-");
  add_field(&text, to_digits(digits, hash_of(state), 16, 16), name);
  return text.at;
}

static bool is_same_user(int fd) {
#ifdef SO_PEERCRED
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(fd, &user, &group) == 0 && user == geteuid();
#endif
}

static int connect_daemon(int64_t until) {
  char path[PATH_MAX];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  bool is_long = strlen(state) + strlen("/run/daemon.sock") + 12 > 100;
  if (!(is_long ? short_path(path, "") : run_path(path, "")) || !is_ours(path)) return -1;
  struct text text = {address.sun_path, address.sun_path + sizeof address.sun_path};
  add_field(&text, path, "/daemon.sock");
  int fd = text.at ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
  if (fd < 0) return -1;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  int failed;
  while ((failed = connect(fd, (const struct sockaddr *)&address, sizeof address)) && is_passing() && now_ms() < until)
    poll(NULL, 0, BACKLOG_MS);
  if (!failed && is_same_user(fd)) return fd;
  close(fd);
  return -1;
}

// Returns the length of the request up to its body, or 0 when it does not fit, which leaves the event to the one-shot.
static size_t write_head(void) {
  char cwd[PATH_MAX], digits[24];
  struct text text = {frame + FRAME_HEAD, frame + sizeof frame};
  add_field(&text, "v", "hook");
  add_field(&text, "b", FAIRLEAD_STAMP);
  add_field(&text, "h", state);
  for (int i = 0; i < word_count; i++) add_field(&text, "a", words[i]);
  if (getcwd(cwd, sizeof cwd)) add_field(&text, "d", cwd);
  add_field(&text, "s", to_digits(digits, input.size, 10, 1));
  for (char **each = environ; adopted && *each; each++) add_field(&text, "e", *each); // they get what the agent gave
  for (size_t i = 0; !adopted && i < sizeof FORWARDED / sizeof *FORWARDED; i++) {
    const char *value = getenv(FORWARDED[i]);
    if (!value || (i >= ASKED_FOR && strlen(value) > LONGEST_VALUE)) continue;
    add_text(&text, "e");
    add_text(&text, FORWARDED[i]);
    add_field(&text, "=", value);
  }
  if (!text.at) return 0;
  uint32_t lengths[2] = {(uint32_t)(text.at - frame - FRAME_HEAD), (uint32_t)input.kept};
  memcpy(frame, "FLQ1", 4);
  memcpy(frame + 4, lengths, sizeof lengths);
  return (size_t)(text.at - frame);
}

static bool send_request(int fd, size_t head, int64_t until) {
  for (size_t done = 0; done < head + input.kept;) {
    size_t in_head = done < head ? done : head, in_body = done - in_head;
    struct iovec parts[] = {{frame + in_head, head - in_head}, {input.bytes + in_body, input.kept - in_body}};
    ssize_t sent = writev(fd, parts, 2);
    if (sent < 0 && (!is_passing() || !wait_for(fd, POLLOUT, until))) return false;
    if (sent > 0) done += (size_t)sent;
  }
  return true;
}

// Ends this process once the reply is whole; before that nothing is written, since half a reply is none.
static void receive_reply(int fd, int64_t until) {
  char *reply = frame;
  size_t have = 0, need = FRAME_HEAD, room = sizeof frame;
  while (have < need) {
    if (!wait_for(fd, POLLIN, until)) return;
    ssize_t got = read(fd, reply + have, room - have);
    if (got < 0 && is_passing()) continue;
    if (got <= 0) return;
    for (; have == 0 && got > 0 && *reply == '\0'; memmove(reply, reply + 1, (size_t)--got))
      until = earlier(now_ms() + DAEMON_MS, deadline); // it lives and is at work
    have += (size_t)got;
    if (need > FRAME_HEAD || have < FRAME_HEAD) continue;
    uint32_t length;
    memcpy(&length, reply + 8, sizeof length);
    if (memcmp(reply, "FLR1\0", 5) != 0 || length > MAX_BODY) return;
    need += length;
    if (need <= room) continue;
    room = need;
    if (!(reply = map(room))) return;
    memcpy(reply, frame, have);
  }
  finish(reply + FRAME_HEAD, need - FRAME_HEAD, (unsigned char)reply[5]);
}

// Returns when the daemon has not answered; false when it had all its time, and there is no use in asking again at once.
static bool ask_daemon(void) {
  int64_t until = earlier(now_ms() + DAEMON_MS, deadline);
  int fd = connect_daemon(until);
  if (fd < 0) return now_ms() < until;
  if (read_input(deadline)) {
    until = adopted ? deadline : earlier(now_ms() + DAEMON_MS, deadline); // hooks of others take their own time
    size_t head = write_head();
    if (head > 0 && send_request(fd, head, until)) receive_reply(fd, until);
  }
  close(fd);
  return now_ms() < until;
}

static void make_dirs(char *path) {
  for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
    *at = '\0';
    mkdir(path, 0700);
  }
  mkdir(path, 0700);
}

// Somebody may have put a pipe in a file's place, whose other end nobody opens.
static int only_regular(int fd) {
  struct stat found;
  if (fd < 0 || (fstat(fd, &found) == 0 && S_ISREG(found.st_mode))) return fd;
  close(fd);
  return -1;
}

// In `run` or, where that cannot be written, in the short directory; -1 when neither will do.
static int open_ours(const char *name, int flags) {
  bool (*const places[])(char[PATH_MAX], const char *) = {run_path, short_path};
  for (int i = 0; i < 2; i++) {
    char path[PATH_MAX];
    if (!places[i](path, "")) continue;
    if (!is_ours(path)) {
      make_dirs(path);
      if (!is_ours(path)) continue; // whoever made it: of eight that start at once one does
    }
    int fd = places[i](path, name) ? open(path, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600) : -1;
    if ((fd = only_regular(fd)) >= 0) return fd;
  }
  return -1;
}

// The lock lives as long as the descriptor, which goes over to the one-shot: the kernel frees the slot whatever happens
// to it. Where slots cannot be had at all, an event that nobody looks at would be worse than one process more.
static bool take_slot(void) {
  char name[] = "/slot-0";
  for (int i = 0; i < SLOTS; i++, name[sizeof name - 2]++) {
    int fd = open_ours(name, O_RDWR);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0 || !is_passing()) return true;
    close(fd);
  }
  return false;
}

// Puts what was read back before stdin. The feeder keeps open nothing that the agent or the next in line waits for.
static bool feed_input(void) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  pid_t feeder = fork();
  if (feeder == 0) {
    for (int fd = 0; fd < ends[0] || fd < ends[1]; fd++)
      if (fd != ends[1]) close(fd);
    close(ends[0]);
    for (ssize_t sent; input.kept > 0; input.bytes += sent, input.kept -= (size_t)sent) {
      sent = write(ends[1], input.bytes, input.kept);
      if (sent < 0 && errno != EINTR) break;
      if (sent < 0) sent = 0;
    }
    _exit(0);
  }
  bool ok = feeder > 0 && dup2(ends[0], 0) == 0;
  close(ends[0]);
  close(ends[1]);
  return ok;
}

// Returns only when the engine could not be started. An entry that names no Node has a launcher which finds one.
static void run_node(bool direct, bool is_stuck) {
  const char *named = value_of("--node"), *node = named ? named : "/bin/sh", *launcher = value_of("--launcher");
  const char **argv = calloc((size_t)word_count + 12, sizeof *argv);
  int64_t left = deadline - now_ms();
  if (!launcher || !argv || left <= 0 || (input.ended && !feed_input())) return;
  char within[24], size[24];
  int count = 0;
  argv[count++] = node;
  argv[count++] = launcher;
  argv[count++] = "hook";
  if (direct) {
    argv[count++] = "--direct";
    argv[count++] = "--watched";
    argv[count++] = "--start"; // a daemon, once the reply is out
    if (is_stuck) argv[count++] = "--stuck"; // the one there is does not answer any more
  }
  for (int i = 0; i < word_count; i++) {
    if (direct && strcmp(words[i], "--within") == 0) i++; // what is left of it follows
    else argv[count++] = words[i];
  }
  if (direct) {
    argv[count++] = "--within";
    argv[count++] = to_digits(within, (uint64_t)left, 10, 1);
  }
  if (input.over) {
    argv[count++] = "--size";
    argv[count++] = to_digits(size, input.size, 10, 1);
  }
  signal(SIGPIPE, SIG_DFL);
  execv(node, (char *const *)(uintptr_t)argv);
  signal(SIGPIPE, SIG_IGN);
}

// Runs the one-shot beside this process, which answers in time whatever happens to it. Its reply is whole once it has
// said so with a zero; what it does then has until the deadline, and after that goes on alone, the lock of its slot with
// it. Returns when there is no whole reply.
static void watch_one_shot(bool is_stuck) {
  int ends[2];
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0) return;
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (dup2(ends[1], 1) != 1 || (nowhere >= 0 && dup2(nowhere, 2) != 2)) _exit(1);
    if (nowhere > 2) close(nowhere);
    close(ends[0]);
    close(ends[1]);
    run_node(true, is_stuck);
    _exit(1);
  }
  close(ends[1]);
  size_t room = sizeof frame, have = 0;
  char *reply = frame;
  while (wait_for(ends[0], POLLIN, deadline + GRACE_MS / 2)) {
    ssize_t got = read(ends[0], reply + have, room - have);
    if (got < 0 && is_passing()) continue;
    if (got <= 0) break;
    have += (size_t)got;
    if (reply[have - 1] == '\0') {
      write_reply(reply, have - 1);
      while (wait_for(ends[0], POLLIN, deadline) && read(ends[0], frame, sizeof frame) > 0) {}
      _exit(0);
    }
    if (have < room) continue;
    char *more = room > MAX_BODY ? NULL : map(room * 2);
    if (!more) break;
    memcpy(more, reply, have);
    reply = more;
    room *= 2;
  }
  kill(child, SIGKILL);
}

static bool covers(const char *root, const char *path) {
  size_t length = strlen(root);
  if (strcmp(root, "/") == 0) return true;
  return length > 0 && path && strncmp(path, root, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

// The reply that a file of `closed/` has for an event, if it is about the place where the agent works.
static const char *read_closed(FILE *file, const char *start, const char *cwd, const char *project, bool *is_known) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  for (int i = 0; (length = getline(&line, &room, file)) > 0 && line[length - 1] == '\n'; i++) {
    line[length - 1] = '\0';
    if (i == 0 && strcmp(line, "/") == 0) *is_known = true;
    if (i == 0 && !covers(line, cwd) && !covers(line, project)) return NULL;
    if (i > 0 && strncmp(line, start, strlen(start)) == 0) return line + strlen(start);
  }
  return NULL;
}

static const char *variable_of(const struct named *variables, const char *agent) {
  for (; agent && variables->agent; variables++)
    if (strcmp(variables->agent, agent) == 0) return getenv(variables->variable);
  return NULL;
}

// An entry that names no event is about a tool call, unless its payload names another event and this one nowhere.
static const char *likely_event(const char *agent, char name[128]) {
  static const char key[] = "\"hook_event_name\"";
  for (size_t i = 0; agent && UNKNOWN[i]; i++) {
    size_t length = strlen(agent), end = strncmp(UNKNOWN[i], agent, length) == 0 && UNKNOWN[i][length] == ' ' ? strcspn(UNKNOWN[i] + length + 1, " ") : 0;
    if (end == 0 || end > 120) continue;
    int quoted = snprintf(name, 128, "\"%.*s\"", (int)end, UNKNOWN[i] + length + 1);
    if (memmem(input.bytes, input.kept, key, sizeof key - 1) && !memmem(input.bytes, input.kept, name, (size_t)quoted)) return NULL;
    name[quoted - 1] = '\0';
    return name + 1;
  }
  return NULL;
}

static const char *find_closed(bool asks) {
  char path[PATH_MAX], cwd[PATH_MAX], start[256], likely[128];
  bool is_known = false; // which rules are in force
  const char *agent = value_of("--agent"), *event = value_of("--event"), *reply = NULL;
  if (!event) event = likely_event(agent, likely);
  const char *here = getcwd(cwd, sizeof cwd), *named = variable_of(PROJECT_DIRS, agent);
  const char *project = named ? realpath(named, NULL) : NULL;
  if (!agent || !event || snprintf(start, sizeof start, "%s %s%s ", agent, event, asks ? "?" : "") >= (int)sizeof start) return NULL;
  for (int place = 0; place < 2 && !reply; place++) {
    // A read-only home has it in the short directory, where everything must be ours.
    bool found = place == 0 ? run_path(path, "/closed") : short_path(path, "") && is_ours(path) && short_path(path, "/closed");
    DIR *dir = found ? opendir(path) : NULL;
    for (struct dirent *entry; !reply && dir && (entry = readdir(dir));) {
      int fd = entry->d_name[0] == '.' ? -1 : only_regular(openat(dirfd(dir), entry->d_name, O_RDONLY | O_NONBLOCK));
      FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
      if (!file) continue;
      reply = read_closed(file, start, here, project ? project : named, &is_known);
      fclose(file);
    }
    if (dir) closedir(dir);
  }
  for (size_t i = 0; !reply && !is_known && UNKNOWN[i]; i++)
    if (strncmp(UNKNOWN[i], start, strlen(start)) == 0) reply = UNKNOWN[i] + strlen(start);
  return reply;
}

// Every agent that stops tool calls has a reply built in.
static bool knows(const char *agent) {
  bool found = false;
  for (size_t i = 0; agent && !found && UNKNOWN[i]; i++) found = strncmp(UNKNOWN[i], agent, strlen(agent)) == 0 && UNKNOWN[i][strlen(agent)] == ' ';
  return found;
}

// A record per event that nobody decided: how it ended, and a hash of its session.
enum { RECORD = 1 + 16 + 1 };

static int count_denials(int fd, const char record[RECORD]) {
  static char records[RECORD * 1024];
  struct stat stat;
  if (fd < 0 || fstat(fd, &stat) != 0) return 0;
  off_t from = stat.st_size > (off_t)sizeof records ? stat.st_size - (off_t)sizeof records : 0;
  ssize_t got = pread(fd, records, sizeof records, from - from % RECORD);
  int count = 0;
  for (ssize_t at = 0; at + RECORD <= got; at += RECORD) count += memcmp(records + at, record, RECORD) == 0;
  return count;
}

// Nobody could decide in time. The reply is empty, unless a rule that must not be skipped has left one for this case.
static _Noreturn void turn_away(void) {
  read_input(deadline + GRACE_MS);
  if (adopted) {
    fputs("Fairlead could not run the hooks that it has adopted. `fairlead doctor` says more; `fairlead adopt --undo` gives them back.\n", stderr);
    _exit(1);
  }
  char digits[24], record[RECORD + 1];
  const char *session = variable_of(SESSIONS, value_of("--agent"));
  snprintf(record, sizeof record, "d%s\n", to_digits(digits, hash_of(session ? session : ""), 16, 16));
  int fd = open_ours("/turned-away", O_RDWR | O_APPEND);
  // Whoever names no session would be asked for the denials of all others.
  bool asks = session && count_denials(fd, record) >= MOST_DENIALS;
  const char *reply = find_closed(asks);
  if (!reply && asks) reply = find_closed(asks = false); // one that an older engine wrote has denials alone
  record[0] = !reply ? 'e' : asks ? 'a' : 'd';
  ssize_t counted = fd < 0 ? 0 : write(fd, record, RECORD);
  (void)counted; // a full disk changes nothing about the reply
  // A failure, which the agent takes as its entry says: for a tool call, a denial.
  if (!reply && !knows(value_of("--agent"))) {
    fputs("Fairlead does not know the agent that this hook names. `fairlead init` writes the hooks anew.\n", stderr);
    _exit(1);
  }
  finish(reply, reply ? strlen(reply) : 0, 0);
}

// A descriptor that the agent has closed must not become the socket.
static void open_standard(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) _exit(0);
}

int main(int argc, char **argv) {
  int64_t started = now_ms();
  deadline = started + DEADLINE_MS;
  open_standard();
  signal(SIGPIPE, SIG_IGN);
  if (argc == 2 && strcmp(argv[1], "--version") == 0) finish(FAIRLEAD_STAMP "\n", sizeof FAIRLEAD_STAMP, 0);
  if (argc < 2 || strcmp(argv[1], "hook") != 0) {
    fputs("fairlead-client is started by agents; `fairlead --help` lists the commands\n", stderr);
    return 1;
  }
  words = argv + 2;
  word_count = argc - 2;
  deadline = started + read_within();
  state = value_of("--state");
  adopted = value_of("--adopted");
  const char *disabled = getenv(DISABLED);
  bool is_off = !adopted && disabled && strcmp(disabled, "1") == 0;
  if (is_off || !state || state[0] != '/') {
    if (!is_off) run_node(false, false);
    read_input(deadline);
    if (is_off) _exit(0);
    state = "/dev/null"; // nothing is known of a place that nobody named
    turn_away();
  }
  bool ask = true;
  // One that was silent may have been busy: if all of a burst waited for a slot instead, the last would wait for minutes.
  int64_t asks_again = 0;
  for (int pause = LINE_MS; now_ms() < deadline; pause = pause * 3 / 2 < LONG_LINE_MS ? pause * 3 / 2 : LONG_LINE_MS) {
    if (now_ms() >= asks_again && !(ask = ask_daemon())) asks_again = now_ms() + DAEMON_MS;
    // Before it takes a slot: an agent that does not finish writing holds up nobody but itself.
    if (!read_input(deadline)) break;
    if (adopted) {
      watch_one_shot(false); // it waits for nobody, and holds up nobody
      break;
    }
    if (now_ms() < deadline && take_slot()) {
      int64_t end = deadline;
      deadline = earlier(end, now_ms() + DEADLINE_MS); // to wait in line may take longer than to decide
      watch_one_shot(!ask);
      // Another one may have started a daemon meanwhile, or does so soon if all are late.
      bool is_late = now_ms() >= deadline;
      deadline = earlier(end, now_ms() + (is_late ? DEADLINE_MS : DAEMON_MS));
      while (ask && now_ms() < deadline) {
        ask = ask_daemon() && is_late;
        if (ask) poll(NULL, 0, LONG_LINE_MS);
      }
      break;
    }
    poll(NULL, 0, pause);
  }
  turn_away();
}
