// Gives a program a wall clock that is wrong by WRONG_CLOCK seconds. Clocks that measure durations stay right.
//
//     cc -O2 -shared -fPIC -o wrong_clock.so wrong_clock.c
//     WRONG_CLOCK=-86400 LD_PRELOAD=./wrong_clock.so strongroom sync once …
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t error_seconds(void) {
    const char *text = getenv("WRONG_CLOCK");
    return text ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += error_seconds();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec time;
    int result = clock_gettime(CLOCK_REALTIME, &time);
    if (result == 0 && now) *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
    return result;
}

time_t time(time_t *seconds) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}
