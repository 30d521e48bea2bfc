/* Loaded before the C library (LD_PRELOAD): writes down every change of the files of one folder, in order, and can play
   a disk that is full. tests/db/power.py reads what it writes.

   POWER_FOLDER is the folder, POWER_LOG the file for what was done, POWER_FULL the number of bytes after which the disk
   is full (none: never). A line of the log: operation, offset, length, path; then the bytes of a write. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long long written = 0;

static const char *ours(int fd, char *path, size_t size) {
    const char *folder = getenv("POWER_FOLDER");
    char link[64];
    if (!folder) return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlink, link, path, size - 1);
    if (length <= 0) return NULL;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0 ? path : NULL;
}

static void note(char what, long long offset, long long length, const char *path, const void *data) {
    char head[5000];
    int size = snprintf(head, sizeof head, "%c %lld %lld %s\n", what, offset, length, path);
    int log = syscall(SYS_openat, AT_FDCWD, getenv("POWER_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    struct iovec parts[2] = {{head, size}, {(void *)data, data ? length : 0}};
    if (syscall(SYS_writev, log, parts, 2) < 0) abort();
    syscall(SYS_close, log);
}

static int full(const char *path, size_t count) {
    const char *most = getenv("POWER_FULL");
    if (!most || !strstr(path, ".db")) return 0;
    if (written + (long long)count > atoll(most)) return 1;
    written += count;
    return 0;
}

static ssize_t positioned(int fd, const void *data, size_t count, off_t offset) {
    char path[4096];
    if (!ours(fd, path, sizeof path)) return syscall(SYS_pwrite64, fd, data, count, offset);
    if (full(path, count)) { errno = ENOSPC; return -1; }
    ssize_t done = syscall(SYS_pwrite64, fd, data, count, offset);
    if (done > 0) note('w', offset, done, path, data);
    return done;
}
ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) { return positioned(fd, data, count, offset); }
ssize_t pwrite64(int fd, const void *data, size_t count, off_t offset) { return positioned(fd, data, count, offset); }

ssize_t write(int fd, const void *data, size_t count) {
    char path[4096];
    if (!ours(fd, path, sizeof path)) return syscall(SYS_write, fd, data, count);
    if (full(path, count)) { errno = ENOSPC; return -1; }
    off_t offset = syscall(SYS_lseek, fd, 0, SEEK_CUR);
    ssize_t done = syscall(SYS_write, fd, data, count);
    if (done > 0) note('w', offset, done, path, data);
    return done;
}

static int synced(int fd, long call) {
    char path[4096];
    int result = syscall(call, fd);
    if (result == 0 && ours(fd, path, sizeof path)) note('s', 0, 0, path, NULL);
    return result;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int cut(int fd, off_t length) {
    char path[4096];
    int result = syscall(SYS_ftruncate, fd, length);
    if (result == 0 && ours(fd, path, sizeof path)) note('t', 0, length, path, NULL);
    return result;
}
int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off_t length) { return cut(fd, length); }

int unlink(const char *path) {
    const char *folder = getenv("POWER_FOLDER");
    int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0 && folder && strncmp(path, folder, strlen(folder)) == 0) note('u', 0, 0, path, NULL);
    return result;
}
