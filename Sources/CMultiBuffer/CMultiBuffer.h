// Hashes of several messages at once, each in a lane of the processor's wide registers, by Intel's
// multi-buffer library (Debian: libipsec-mb): one message after the other leaves these empty.
//
// The library is an extra. Where its header was missing when this was compiled, or the library itself
// is missing at run time, is another version, or finds no wide registers, there is no hasher, and who
// asked for one uses libcrypto.

#ifndef CMULTIBUFFER_H
#define CMULTIBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Hashes messages; serves one thread at a time.
typedef struct multi_buffer_hasher multi_buffer_hasher;

typedef struct {
    const uint8_t *_Nullable bytes;
    size_t count;
} multi_buffer_message;

/// A hasher for SHA-256; NULL where there is none.
multi_buffer_hasher *_Nullable multi_buffer_sha256(void);

/// A hasher for HMAC-SHA512 under a key of 128 bytes at most; NULL where there is none.
multi_buffer_hasher *_Nullable multi_buffer_hmac_sha512(
    const uint8_t *_Nonnull key, size_t key_count);

/// Writes the hash of each message behind the one before: 32 or 64 bytes each.
///
/// False if the library refused; the results are then of no use, and neither is the hasher.
bool multi_buffer_hash(
    multi_buffer_hasher *_Nonnull hasher, const multi_buffer_message *_Nonnull messages,
    size_t count, uint8_t *_Nonnull results);

/// Wipes a hasher, and frees it.
void multi_buffer_free(multi_buffer_hasher *_Nonnull hasher);

#endif
