// Starts hooks the way an agent does, as cheaply as the system allows, so that what is measured is the hook and not the
// program that measures. One request on stdin: "<words> <bytes>\n", that many NUL-terminated words, the payload.
// A single word that begins with `=` is the path of a socket instead: the payload is sent there, and the answer read from there.
// One answer on stdout: "<nanoseconds> <wait status> <bytes>\n" and what the hook wrote to its stdout.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_WORDS 64
#define MAX_TEXT (1 << 20)

extern char **environ;

static char words[MAX_TEXT], payload[MAX_TEXT], output[MAX_TEXT];

static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void cut(int pipe_ends[2]) {
  if (pipe(pipe_ends) != 0) exit(3);
  fcntl(pipe_ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(pipe_ends[1], F_SETFD, FD_CLOEXEC);
}

static int read_words(char *argv[], int count) {
  size_t at = 0;
  for (int word = 0; word < count; word++) {
    argv[word] = words + at;
    for (int byte; (byte = getchar()) != 0; words[at++] = (char)byte)
      if (byte == EOF || at + 1 >= MAX_TEXT) return 0;
    words[at++] = 0;
  }
  argv[count] = NULL;
  return 1;
}

static size_t receive(int from) {
  size_t got = 0;
  for (ssize_t size; got < MAX_TEXT && (size = read(from, output + got, MAX_TEXT - got)) > 0;) got += (size_t)size;
  return got;
}

static size_t exchange(const char *path, size_t length) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) exit(5);
  for (size_t sent = 0; sent < length;) {
    ssize_t wrote = write(fd, payload + sent, length - sent);
    if (wrote <= 0) exit(5);
    sent += (size_t)wrote;
  }
  size_t got = receive(fd);
  close(fd);
  return got;
}

static void answer(long long took, int status, size_t got) {
  printf("%lld %d %zu\n", took, status, got);
  fwrite(output, 1, got, stdout);
  fflush(stdout);
}

int main(void) {
  int count;
  size_t length;
  char *argv[MAX_WORDS + 1];
  signal(SIGPIPE, SIG_IGN); // `true` may be gone before its payload is written
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  while (scanf("%d %zu", &count, &length) == 2 && getchar() == '\n') {
    if (count < 1 || count > MAX_WORDS || length > MAX_TEXT || !read_words(argv, count)) return 2;
    if (fread(payload, 1, length, stdin) != length) return 2;
    long long started = nanoseconds();
    if (argv[0][0] == '=') {
      size_t replied = exchange(argv[0] + 1, length);
      answer(nanoseconds() - started, 0, replied);
      continue;
    }
    int in[2], out[2], status = 0;
    pid_t child;
    cut(in);
    cut(out);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (posix_spawn(&child, argv[0], &actions, &attributes, argv, environ) != 0) return 4;
    close(in[0]);
    close(out[1]);
    for (size_t sent = 0; sent < length;) {
      ssize_t wrote = write(in[1], payload + sent, length - sent);
      if (wrote <= 0) break;
      sent += (size_t)wrote;
    }
    close(in[1]);
    size_t got = receive(out[0]);
    waitpid(child, &status, 0);
    long long took = nanoseconds() - started;
    close(out[0]);
    posix_spawn_file_actions_destroy(&actions);
    answer(took, status, got);
  }
  return 0;
}
