// SQLCipher in a folder of its own, which Package.swift puts first where headers are sought, and
// links by the name that it has there.

#define STRONGROOM_OWN_SQLCIPHER 1
#include "../CSQLCipher.h"
