/* Fails, kills or lies at the n-th call of a kind that changes files below FAULT_UNDER: preloaded into a process that is tried. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int counted = 0;

/* FAULT_CALL: write, fsync, rename or any; FAULT_AT: which of them; FAULT_HOW: kill, ENOSPC, EIO, lost, full. */
static int is(const char *name, const char *value) {
  const char *given = getenv(name);
  return given && strcmp(given, value) == 0;
}

static int is_under(const char *path) {
  const char *under = getenv("FAULT_UNDER");
  return under && strstr(path, under) != NULL;
}

static int file_is_under(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_under(path);
}

/* 0: go on; 1: fail with errno; 2: say that it was done, and do nothing. */
static int fault(const char *call) {
  if (!getenv("FAULT_HOW") || !(is("FAULT_CALL", "any") || is("FAULT_CALL", call))) return 0;
  int at = getenv("FAULT_AT") ? atoi(getenv("FAULT_AT")) : 0;
  int now = __sync_fetch_and_add(&counted, 1);
  if (is("FAULT_HOW", "count")) {
    const char *into = getenv("FAULT_COUNT");
    FILE *file = into ? fopen(into, "w") : NULL;
    if (file) {
      fprintf(file, "%d", now + 1);
      fclose(file);
    }
    return 0;
  }
  if (is("FAULT_HOW", "lost")) return now >= at ? 2 : 0;
  if (is("FAULT_HOW", "full") ? now < at : now != at) return 0;
  if (is("FAULT_HOW", "kill")) kill(getpid(), SIGKILL);
  errno = is("FAULT_HOW", "EIO") ? EIO : ENOSPC;
  return 1;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t length) {
  int what = file > 2 && file_is_under(file) ? fault("write") : 0;
  if (what) return what == 2 ? (ssize_t)length : -1;
  return REAL(write)(file, bytes, length);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  int what = file_is_under(file) ? fault("write") : 0;
  if (what) return what == 2 ? (ssize_t)length : -1;
  return REAL(pwrite64)(file, bytes, length, at);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  int what = file_is_under(file) ? fault("write") : 0;
  if (what) return what == 2 ? (ssize_t)length : -1;
  return REAL(pwrite)(file, bytes, length, at);
}

int fsync(int file) {
  int what = file_is_under(file) ? fault("fsync") : 0;
  if (what) return what == 2 ? 0 : -1;
  return REAL(fsync)(file);
}

int fdatasync(int file) {
  int what = file_is_under(file) ? fault("fsync") : 0;
  if (what) return what == 2 ? 0 : -1;
  return REAL(fdatasync)(file);
}

int rename(const char *from, const char *to) {
  int what = is_under(from) ? fault("rename") : 0;
  if (what) return what == 2 ? 0 : -1;
  return REAL(rename)(from, to);
}
