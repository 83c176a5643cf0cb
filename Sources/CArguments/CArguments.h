// The arguments of the process as the system has handed them over.
//
// Swift's own list comes from /proc/self/cmdline, which a container may lack, and is text: bytes that
// are no UTF-8 are replaced.

#ifndef STRONGROOM_ARGUMENTS_H
#define STRONGROOM_ARGUMENTS_H

/// How many there are, the name of the program included; 0 where the C library has not told.
extern int strongroom_argument_count(void);

/// The argument at a place, which ends with a NUL.
extern const char *_Nullable strongroom_argument(int place);

#endif
