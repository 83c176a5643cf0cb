// Loaded before libc: the call number FAIL_AT on a file below FAIL_BELOW, or (FAIL_MODE=onwards) that
// one and all later ones, fails with FAIL_ERRNO. How many calls there were is written to FAIL_COUNT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static int is_below(const char *path) {
    const char *below = getenv("FAIL_BELOW");
    return below && strncmp(path, below, strlen(below)) == 0;
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(link, path, PATH_MAX - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return 1;
}

static int is_due(const char *path) {
    if (!is_below(path)) return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    const char *at = getenv("FAIL_AT"), *mode = getenv("FAIL_MODE"), *code = getenv("FAIL_ERRNO");
    long wanted = at ? atol(at) : 0;
    if (!wanted || number < wanted || (number > wanted && !(mode && !strcmp(mode, "onwards"))))
        return 0;
    errno = code ? atoi(code) : EIO;
    return 1;
}

static int is_due_on(int fd) {
    char path[PATH_MAX];
    return path_of(fd, path) && is_due(path);
}

static int is_due_at(int folder, const char *name) {
    char path[2 * PATH_MAX];
    if (name[0] == '/') return is_due(name);
    if (folder == AT_FDCWD) {
        if (!getcwd(path, PATH_MAX)) return 0;
    } else if (!path_of(folder, path)) {
        return 0;
    }
    strcat(path, "/");
    strncat(path, name, PATH_MAX - 1);
    return is_due(path);
}

__attribute__((destructor)) static void tell(void) {
    const char *count = getenv("FAIL_COUNT");
    FILE *file = count ? fopen(count, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))
#define ON_FILE(result, name, parameters, arguments)                                              \
    result name parameters {                                                                      \
        if (is_due_on(fd)) return -1;                                                             \
        return NEXT(result(*) parameters, #name) arguments;                                       \
    }

ON_FILE(int, fsync, (int fd), (fd))
ON_FILE(int, fdatasync, (int fd), (fd))
ON_FILE(ssize_t, pread, (int fd, void *b, size_t n, off_t o), (fd, b, n, o))
ON_FILE(ssize_t, pread64, (int fd, void *b, size_t n, off64_t o), (fd, b, n, o))
ON_FILE(ssize_t, pwrite, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o))
ON_FILE(ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t o), (fd, b, n, o))
ON_FILE(ssize_t, read, (int fd, void *b, size_t n), (fd, b, n))
ON_FILE(ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n))
ON_FILE(int, ftruncate, (int fd, off_t n), (fd, n))
ON_FILE(int, ftruncate64, (int fd, off64_t n), (fd, n))
ON_FILE(int, fchmod, (int fd, mode_t mode), (fd, mode))
ON_FILE(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))

#define AT_PATH(result, name, parameters, arguments, folder, path)                                \
    result name parameters {                                                                      \
        if (is_due_at(folder, path)) return -1;                                                   \
        return NEXT(result(*) parameters, #name) arguments;                                       \
    }

AT_PATH(int, rename, (const char *a, const char *b), (a, b), AT_FDCWD, b)
AT_PATH(int, renameat, (int d, const char *a, int e, const char *b), (d, a, e, b), e, b)
AT_PATH(int, renameat2, (int d, const char *a, int e, const char *b, unsigned f), (d, a, e, b, f), e,
        b)
AT_PATH(int, link, (const char *a, const char *b), (a, b), AT_FDCWD, b)
AT_PATH(int, linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f), e, b)
AT_PATH(int, unlink, (const char *a), (a), AT_FDCWD, a)
AT_PATH(int, unlinkat, (int d, const char *a, int f), (d, a, f), d, a)
AT_PATH(int, mkdir, (const char *a, mode_t m), (a, m), AT_FDCWD, a)
AT_PATH(int, mkdirat, (int d, const char *a, mode_t m), (d, a, m), d, a)

#define OPENING(name)                                                                             \
    int name(const char *a, int f, ...) {                                                         \
        __builtin_va_list list;                                                                   \
        __builtin_va_start(list, f);                                                              \
        mode_t mode = f & (O_CREAT | __O_TMPFILE) ? __builtin_va_arg(list, mode_t) : 0;           \
        __builtin_va_end(list);                                                                   \
        if (is_due_at(AT_FDCWD, a)) return -1;                                                    \
        return NEXT(int (*)(const char *, int, ...), #name)(a, f, mode);                          \
    }
#define OPENING_AT(name)                                                                          \
    int name(int d, const char *a, int f, ...) {                                                  \
        __builtin_va_list list;                                                                   \
        __builtin_va_start(list, f);                                                              \
        mode_t mode = f & (O_CREAT | __O_TMPFILE) ? __builtin_va_arg(list, mode_t) : 0;           \
        __builtin_va_end(list);                                                                   \
        if (is_due_at(d, a)) return -1;                                                           \
        return NEXT(int (*)(int, const char *, int, ...), #name)(d, a, f, mode);                  \
    }
OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)
