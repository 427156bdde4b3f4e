/* A machine whose clock is set otherwise, for the tests: preloaded, it adds MACHINE_CLOCK_AHEAD seconds to
 * the wall clock and leaves every other clock alone, above all those on which threads and timers wait. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead;

__attribute__((constructor)) static void read_ahead(void) {
    const char *given = getenv("MACHINE_CLOCK_AHEAD");
    ahead = given != NULL ? atol(given) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += ahead;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) {
        return -1;
    }
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) {
        return (time_t)-1;
    }
    if (now != NULL) {
        *now = exact.tv_sec;
    }
    return exact.tv_sec;
}
