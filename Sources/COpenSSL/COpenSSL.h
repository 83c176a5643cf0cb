// OpenSSL's libcrypto, which SQLCipher is built on: what derives a key from a passphrase.

#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/evp.h>

#endif
