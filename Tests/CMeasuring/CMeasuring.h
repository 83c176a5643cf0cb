// What Swift cannot ask for itself.
//
// Instructions of this process in user space are counted by the processor, through the kernel, or by
// valgrind's callgrind when the process runs under it. Swift can call neither itself: syscall(2) is
// variadic, and callgrind is asked by a sequence of instructions that means nothing else.
#ifndef C_MEASURING_H
#define C_MEASURING_H

#include <errno.h>
#include <stdint.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__linux__)
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

/// Opens a counter for this thread and the ones that it starts: a descriptor, or a negated errno.
static inline int instructions_open(void) {
#if defined(__linux__)
    struct perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    event.type = PERF_TYPE_HARDWARE;
    event.config = PERF_COUNT_HW_INSTRUCTIONS;
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    event.inherit = 1;
    long descriptor = syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : (int)descriptor;
#else
    return -ENOSYS;
#endif
}

/// How many instructions were counted so far, or -1.
static inline int64_t instructions_read(int descriptor) {
    int64_t count = -1;
#if defined(__linux__)
    if (read(descriptor, &count, sizeof count) != sizeof count) return -1;
#endif
    return count;
}

static inline int instructions_are_counted_by_valgrind(void) {
#if defined(CALLGRIND_ZERO_STATS)
    return RUNNING_ON_VALGRIND > 0;
#else
    return 0;
#endif
}

/// Has callgrind begin at 0.
static inline void instructions_begin(void) {
#if defined(CALLGRIND_ZERO_STATS)
    CALLGRIND_ZERO_STATS;
#endif
}

/// Has callgrind write what it counted, under a name.
static inline void instructions_end(const char *name) {
#if defined(CALLGRIND_ZERO_STATS)
    CALLGRIND_DUMP_STATS_AT(name);
#else
    (void)name;
#endif
}

/// The bytes of the heap that are in use, or 0 where the C library does not say.
static inline int64_t heap_byte_count(void) {
#if defined(__GLIBC__)
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

#endif
