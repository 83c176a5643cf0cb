#include "CArguments.h"

static int argument_count;
static char **arguments;

/* The C libraries of Linux (glibc) and Apple call constructors with what `main` gets. */
__attribute__((constructor)) static void remember(int count, char **values) {
    argument_count = count;
    arguments = values;
}

int strongroom_argument_count(void) { return argument_count; }

const char *strongroom_argument(int place) {
    return place >= 0 && place < argument_count ? arguments[place] : (const char *)0;
}
