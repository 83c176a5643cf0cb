// OpenSSL's libcrypto, which SQLCipher is built on: what derives a key from a passphrase, and what
// encrypts and authenticates a page.

#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#endif
