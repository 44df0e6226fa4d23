/* Notes when bytes come into a spool's files, and when the disk is told to keep them.
 *
 * Built and preloaded by scanner_faults.py. Each line of the file that DISK_TIMES names is
 *     w|s NANOSECONDS SIZE PATH
 * after a write to, or before and after a sync of, a file below the folder DISK_TIMES_FOLDER:
 * `s` has the size before the sync, so what was written meanwhile does not count as kept. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static ssize_t (*true_write)(int, const void *, size_t);
static int (*true_sync)(int);
static int notes = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void)
{
    true_write = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    true_sync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    const char *name = getenv("DISK_TIMES");
    folder = getenv("DISK_TIMES_FOLDER");
    if (name && folder) notes = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int is_ours(int file, char *path, size_t length)
{
    char link[64];
    if (notes < 0 || file == notes) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, length - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static void note(char kind, long long size, const char *path)
{
    char line[1200];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int count = snprintf(line, sizeof line, "%c %lld %lld %s\n", kind,
                         now.tv_sec * 1000000000LL + now.tv_nsec, size, path);
    if (true_write(notes, line, (size_t)count) != count) abort();
}

static long long size_of(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 ? (long long)status.st_size : -1;
}

ssize_t write(int file, const void *bytes, size_t count)
{
    char path[1024];
    if (!true_write) begin();
    ssize_t done = true_write(file, bytes, count);
    if (done > 0 && is_ours(file, path, sizeof path)) note('w', size_of(file), path);
    return done;
}

int fdatasync(int file)
{
    char path[1024];
    if (!true_sync) begin();
    int ours = is_ours(file, path, sizeof path);
    long long size = ours ? size_of(file) : 0;
    int result = true_sync(file);
    if (ours && result == 0) note('s', size, path);
    return result;
}
