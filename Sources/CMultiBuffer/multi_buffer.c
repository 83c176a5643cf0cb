#include "CMultiBuffer.h"

#if defined(__linux__) && defined(__has_include)
#if __has_include(<intel-ipsec-mb.h>)
#include <intel-ipsec-mb.h>
// The functions used here are there since 1.1.
#if IMB_VERSION_NUM >= IMB_VERSION(1, 1, 0)
#define HAS_MULTI_BUFFER 1
#endif
#endif
#endif

#ifdef HAS_MULTI_BUFFER

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if IMB_VERSION_NUM < IMB_VERSION(2, 0, 0)
#define LIBRARY_NAME "libIPSec_MB.so.1"
#else
#define LIBRARY_NAME "libIPSec_MB.so.2"
#endif

enum { block_count = 128, state_count = 64 };

struct multi_buffer_hasher {
    IMB_MGR *manager;
    IMB_HASH_ALG algorithm;
    size_t result_count;
    // SHA-512 after the one block that the key becomes, for both hashes of an HMAC.
    uint8_t inner[state_count] __attribute__((aligned(64)));
    uint8_t outer[state_count] __attribute__((aligned(64)));
};

// MARK: - The library

// Loaded, not linked: a program that was built with the library runs without it.
static struct {
    unsigned (*version)(void);
    size_t (*manager_size)(void);
    IMB_MGR *(*allocate)(uint64_t);
    void (*initialize)(IMB_MGR *, IMB_ARCH *);
    int (*error)(IMB_MGR *);
    void (*free)(IMB_MGR *);
} library;

static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen(LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    // ISO C knows no function pointers made of others: POSIX does.
    *(void **)&library.version = dlsym(handle, "imb_get_version");
    *(void **)&library.manager_size = dlsym(handle, "imb_get_mb_mgr_size");
    *(void **)&library.allocate = dlsym(handle, "alloc_mb_mgr");
    *(void **)&library.initialize = dlsym(handle, "init_mb_mgr_auto");
    *(void **)&library.error = dlsym(handle, "imb_get_errno");
    *(void **)&library.free = dlsym(handle, "free_mb_mgr");
    // The layout of its structures is that of the header, if both are of one version.
    is_loaded = library.version && library.manager_size && library.allocate
        && library.initialize && library.error && library.free
        && library.version() >> 8 == IMB_VERSION_NUM >> 8;
}

static IMB_MGR *make_manager(void) {
    pthread_once(&once, load);
    if (!is_loaded) return NULL;
    IMB_MGR *manager = library.allocate(0);
    if (!manager) return NULL;
    IMB_ARCH architecture = IMB_ARCH_NONE;
    library.initialize(manager, &architecture);
    // With narrower registers it is no faster than libcrypto.
    if (architecture >= IMB_ARCH_AVX2 && library.error(manager) == 0) return manager;
    library.free(manager);
    return NULL;
}

// MARK: - Hashers

static multi_buffer_hasher *make_hasher(IMB_HASH_ALG algorithm, size_t result_count) {
    IMB_MGR *manager = make_manager();
    if (!manager) return NULL;
    multi_buffer_hasher *hasher = aligned_alloc(64, sizeof *hasher);
    if (!hasher) {
        library.free(manager);
        return NULL;
    }
    memset(hasher, 0, sizeof *hasher);
    hasher->manager = manager;
    hasher->algorithm = algorithm;
    hasher->result_count = result_count;
    return hasher;
}

multi_buffer_hasher *multi_buffer_sha256(void) { return make_hasher(IMB_AUTH_SHA_256, 32); }

// The state of SHA-512 after the key with a padding (RFC 2104, section 2).
static void begin(
    multi_buffer_hasher *hasher, const uint8_t *key, size_t key_count, uint8_t padding,
    uint8_t *state) {
    uint8_t block[block_count];
    memset(block, padding, block_count);
    for (size_t index = 0; index < key_count; index++) block[index] ^= key[index];
    IMB_SHA512_ONE_BLOCK(hasher->manager, block, state);
    explicit_bzero(block, block_count);
}

multi_buffer_hasher *multi_buffer_hmac_sha512(const uint8_t *key, size_t key_count) {
    if (key_count > block_count) return NULL;
    multi_buffer_hasher *hasher = make_hasher(IMB_AUTH_HMAC_SHA_512, 64);
    if (!hasher) return NULL;
    begin(hasher, key, key_count, 0x36, hasher->inner);
    begin(hasher, key, key_count, 0x5c, hasher->outer);
    return hasher;
}

void multi_buffer_free(multi_buffer_hasher *hasher) {
    // What was hashed last, and under which key, is in there.
    explicit_bzero(hasher->manager, library.manager_size());
    library.free(hasher->manager);
    explicit_bzero(hasher, sizeof *hasher);
    free(hasher);
}

// MARK: - Hashing

static void fill(
    const multi_buffer_hasher *hasher, IMB_JOB *job, multi_buffer_message message,
    uint8_t *result) {
    job->src = message.bytes;
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = message.count;
    job->auth_tag_output = result;
    job->auth_tag_output_len_in_bytes = hasher->result_count;
    job->u.HMAC._hashed_auth_key_xor_ipad = hasher->inner;
    job->u.HMAC._hashed_auth_key_xor_opad = hasher->outer;
    job->hash_alg = hasher->algorithm;
    job->cipher_mode = IMB_CIPHER_NULL;
    job->cipher_direction = IMB_DIR_ENCRYPT;
    job->chain_order = IMB_ORDER_HASH_CIPHER;
}

bool multi_buffer_hash(
    multi_buffer_hasher *hasher, const multi_buffer_message *messages, size_t count,
    uint8_t *results) {
    IMB_MGR *manager = hasher->manager;
    size_t done = 0;
    bool is_right = true;
    for (size_t index = 0; index < count; index++) {
        IMB_JOB *job = IMB_GET_NEXT_JOB(manager);
        fill(hasher, job, messages[index], results + index * hasher->result_count);
        for (job = IMB_SUBMIT_JOB(manager); job; job = IMB_GET_COMPLETED_JOB(manager)) {
            is_right &= job->status == IMB_STATUS_COMPLETED;
            done++;
        }
    }
    for (IMB_JOB *job = IMB_FLUSH_JOB(manager); job; job = IMB_FLUSH_JOB(manager)) {
        is_right &= job->status == IMB_STATUS_COMPLETED;
        done++;
    }
    return is_right && done == count;
}

#else

multi_buffer_hasher *multi_buffer_sha256(void) { return NULL; }

multi_buffer_hasher *multi_buffer_hmac_sha512(const uint8_t *key, size_t key_count) {
    (void)key;
    (void)key_count;
    return NULL;
}

bool multi_buffer_hash(
    multi_buffer_hasher *hasher, const multi_buffer_message *messages, size_t count,
    uint8_t *results) {
    (void)hasher;
    (void)messages;
    (void)count;
    (void)results;
    return false;
}

void multi_buffer_free(multi_buffer_hasher *hasher) { (void)hasher; }

#endif
