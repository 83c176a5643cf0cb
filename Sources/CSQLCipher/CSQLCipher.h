// The one door to C: SQLCipher's own header, with the key functions declared, the variadic
// functions, which Swift cannot call, wrapped, and the structures whose layout SQLite relies on:
// Swift promises none for its own. Nothing else belongs here.

#ifndef CSQLCIPHER_H
#define CSQLCIPHER_H

// SQLCipher's header declares sqlite3_key, sqlite3_rekey and their kin only under this macro.
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif

// On Apple's systems pkg-config leads to the folder that holds SQLCipher's sqlite3.h; elsewhere a
// header of that name would be plain SQLite's.
#if defined(STRONGROOM_OWN_SQLCIPHER)
#include <sqlite3.h>
#elif __has_include(<sqlcipher/sqlite3.h>)
#include <sqlcipher/sqlite3.h>
#elif defined(__APPLE__) && __has_include(<sqlite3.h>)
#include <sqlite3.h>
#endif

// SQLCipher has no version macro of its own: 4.5.6 is the first release on SQLite 3.44.
#if !defined(SQLITE_VERSION_NUMBER)
#error "Strongroom needs SQLCipher 4.5.6 or later. Type `make setup` in Strongroom's folder; it installs libsqlcipher-dev."
#elif SQLITE_VERSION_NUMBER < 3044000
#error "This SQLCipher is too old (Debian 12's own 3.4.1 is): Strongroom needs 4.5.6 or later. Type `make setup` in Strongroom's folder; it installs 4.6.1 from bookworm-backports."
#else

#include <stdbool.h>

static inline int strongroom_config_log(void (*log)(void *, int, const char *), void *context) {
    return sqlite3_config(SQLITE_CONFIG_LOG, log, context);
}

/// Sets a boolean option of a connection, one of the SQLITE_DBCONFIG constants.
static inline int strongroom_db_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

/// Methods that Strongroom puts before those of an open file. SQLite finds `methods` where it looks
/// for the file's own, so they come first: the address of the one is the address of the other.
/// <https://www.sqlite.org/c3ref/io_methods.html>
struct strongroom_file_methods {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *usual;
    /// The Swift object that answers; null for a file that answers by itself.
    void *object;
};

/// The methods of a database file whose log is guarded, and what the guard has noted. It stands in
/// memory of SQLite's, behind its own structure of the file.
struct strongroom_guarded_file {
    struct strongroom_file_methods methods;
    /// What all frames of the log repeated when a checkpoint was about to read its header; two
    /// words of 32 bits.
    sqlite3_uint64 salts;
    /// Whether `salts` could be told.
    bool has_salts;
    /// Whether SQLite has the checkpoint lock through this file.
    bool is_checkpointing;
    /// Whether this file took the checkpoint lock while the log is begun anew.
    bool is_holding_off_checkpoints;
};

#endif
#endif
