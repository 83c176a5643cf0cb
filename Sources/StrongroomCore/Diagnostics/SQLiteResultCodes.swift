/// SQLite's result codes, with their C names.
///
/// `ResultCode` and `DatabaseError` both offer them, so that `catch DatabaseError.SQLITE_BUSY` and
/// `code == .SQLITE_BUSY` read alike. Meanings: <https://www.sqlite.org/rescode.html>.
public protocol SQLiteResultCodes {}

extension SQLiteResultCodes {
    /// Primary code 4.
    public static var SQLITE_ABORT: ResultCode { ResultCode(rawValue: 4) }
    /// Extended code 516, a kind of `SQLITE_ABORT`.
    public static var SQLITE_ABORT_ROLLBACK: ResultCode { .extended(SQLITE_ABORT, 2) }
    /// Primary code 23.
    public static var SQLITE_AUTH: ResultCode { ResultCode(rawValue: 23) }
    /// Extended code 279, a kind of `SQLITE_AUTH`.
    public static var SQLITE_AUTH_USER: ResultCode { .extended(SQLITE_AUTH, 1) }
    /// Primary code 5.
    public static var SQLITE_BUSY: ResultCode { ResultCode(rawValue: 5) }
    /// Extended code 261, a kind of `SQLITE_BUSY`.
    public static var SQLITE_BUSY_RECOVERY: ResultCode { .extended(SQLITE_BUSY, 1) }
    /// Extended code 517, a kind of `SQLITE_BUSY`.
    public static var SQLITE_BUSY_SNAPSHOT: ResultCode { .extended(SQLITE_BUSY, 2) }
    /// Extended code 773, a kind of `SQLITE_BUSY`.
    public static var SQLITE_BUSY_TIMEOUT: ResultCode { .extended(SQLITE_BUSY, 3) }
    /// Primary code 14.
    public static var SQLITE_CANTOPEN: ResultCode { ResultCode(rawValue: 14) }
    /// Extended code 1038, a kind of `SQLITE_CANTOPEN`.
    public static var SQLITE_CANTOPEN_CONVPATH: ResultCode { .extended(SQLITE_CANTOPEN, 4) }
    /// Extended code 1294, a kind of `SQLITE_CANTOPEN`.
    public static var SQLITE_CANTOPEN_DIRTYWAL: ResultCode { .extended(SQLITE_CANTOPEN, 5) }
    /// Extended code 782, a kind of `SQLITE_CANTOPEN`.
    public static var SQLITE_CANTOPEN_FULLPATH: ResultCode { .extended(SQLITE_CANTOPEN, 3) }
    /// Extended code 526, a kind of `SQLITE_CANTOPEN`.
    public static var SQLITE_CANTOPEN_ISDIR: ResultCode { .extended(SQLITE_CANTOPEN, 2) }
    /// Extended code 270, a kind of `SQLITE_CANTOPEN`.
    public static var SQLITE_CANTOPEN_NOTEMPDIR: ResultCode { .extended(SQLITE_CANTOPEN, 1) }
    /// Extended code 1550, a kind of `SQLITE_CANTOPEN`.
    public static var SQLITE_CANTOPEN_SYMLINK: ResultCode { .extended(SQLITE_CANTOPEN, 6) }
    /// Primary code 19.
    public static var SQLITE_CONSTRAINT: ResultCode { ResultCode(rawValue: 19) }
    /// Extended code 275, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_CHECK: ResultCode { .extended(SQLITE_CONSTRAINT, 1) }
    /// Extended code 531, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_COMMITHOOK: ResultCode { .extended(SQLITE_CONSTRAINT, 2) }
    /// Extended code 3091, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_DATATYPE: ResultCode { .extended(SQLITE_CONSTRAINT, 12) }
    /// Extended code 787, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_FOREIGNKEY: ResultCode { .extended(SQLITE_CONSTRAINT, 3) }
    /// Extended code 1043, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_FUNCTION: ResultCode { .extended(SQLITE_CONSTRAINT, 4) }
    /// Extended code 1299, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_NOTNULL: ResultCode { .extended(SQLITE_CONSTRAINT, 5) }
    /// Extended code 2835, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_PINNED: ResultCode { .extended(SQLITE_CONSTRAINT, 11) }
    /// Extended code 1555, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_PRIMARYKEY: ResultCode { .extended(SQLITE_CONSTRAINT, 6) }
    /// Extended code 2579, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_ROWID: ResultCode { .extended(SQLITE_CONSTRAINT, 10) }
    /// Extended code 1811, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_TRIGGER: ResultCode { .extended(SQLITE_CONSTRAINT, 7) }
    /// Extended code 2067, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_UNIQUE: ResultCode { .extended(SQLITE_CONSTRAINT, 8) }
    /// Extended code 2323, a kind of `SQLITE_CONSTRAINT`.
    public static var SQLITE_CONSTRAINT_VTAB: ResultCode { .extended(SQLITE_CONSTRAINT, 9) }
    /// Primary code 11.
    public static var SQLITE_CORRUPT: ResultCode { ResultCode(rawValue: 11) }
    /// Extended code 779, a kind of `SQLITE_CORRUPT`.
    public static var SQLITE_CORRUPT_INDEX: ResultCode { .extended(SQLITE_CORRUPT, 3) }
    /// Extended code 523, a kind of `SQLITE_CORRUPT`.
    public static var SQLITE_CORRUPT_SEQUENCE: ResultCode { .extended(SQLITE_CORRUPT, 2) }
    /// Extended code 267, a kind of `SQLITE_CORRUPT`.
    public static var SQLITE_CORRUPT_VTAB: ResultCode { .extended(SQLITE_CORRUPT, 1) }
    /// Primary code 101.
    public static var SQLITE_DONE: ResultCode { ResultCode(rawValue: 101) }
    /// Primary code 16.
    public static var SQLITE_EMPTY: ResultCode { ResultCode(rawValue: 16) }
    /// Primary code 1.
    public static var SQLITE_ERROR: ResultCode { ResultCode(rawValue: 1) }
    /// Extended code 257, a kind of `SQLITE_ERROR`.
    public static var SQLITE_ERROR_MISSING_COLLSEQ: ResultCode { .extended(SQLITE_ERROR, 1) }
    /// Extended code 513, a kind of `SQLITE_ERROR`.
    public static var SQLITE_ERROR_RETRY: ResultCode { .extended(SQLITE_ERROR, 2) }
    /// Extended code 769, a kind of `SQLITE_ERROR`.
    public static var SQLITE_ERROR_SNAPSHOT: ResultCode { .extended(SQLITE_ERROR, 3) }
    /// Primary code 24.
    public static var SQLITE_FORMAT: ResultCode { ResultCode(rawValue: 24) }
    /// Primary code 13.
    public static var SQLITE_FULL: ResultCode { ResultCode(rawValue: 13) }
    /// Primary code 2.
    public static var SQLITE_INTERNAL: ResultCode { ResultCode(rawValue: 2) }
    /// Primary code 9.
    public static var SQLITE_INTERRUPT: ResultCode { ResultCode(rawValue: 9) }
    /// Primary code 10.
    public static var SQLITE_IOERR: ResultCode { ResultCode(rawValue: 10) }
    /// Extended code 3338, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_ACCESS: ResultCode { .extended(SQLITE_IOERR, 13) }
    /// Extended code 7178, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_AUTH: ResultCode { .extended(SQLITE_IOERR, 28) }
    /// Extended code 7434, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_BEGIN_ATOMIC: ResultCode { .extended(SQLITE_IOERR, 29) }
    /// Extended code 2826, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_BLOCKED: ResultCode { .extended(SQLITE_IOERR, 11) }
    /// Extended code 3594, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_CHECKRESERVEDLOCK: ResultCode { .extended(SQLITE_IOERR, 14) }
    /// Extended code 4106, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_CLOSE: ResultCode { .extended(SQLITE_IOERR, 16) }
    /// Extended code 7690, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_COMMIT_ATOMIC: ResultCode { .extended(SQLITE_IOERR, 30) }
    /// Extended code 6666, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_CONVPATH: ResultCode { .extended(SQLITE_IOERR, 26) }
    /// Extended code 8458, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_CORRUPTFS: ResultCode { .extended(SQLITE_IOERR, 33) }
    /// Extended code 8202, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_DATA: ResultCode { .extended(SQLITE_IOERR, 32) }
    /// Extended code 2570, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_DELETE: ResultCode { .extended(SQLITE_IOERR, 10) }
    /// Extended code 5898, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_DELETE_NOENT: ResultCode { .extended(SQLITE_IOERR, 23) }
    /// Extended code 4362, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_DIR_CLOSE: ResultCode { .extended(SQLITE_IOERR, 17) }
    /// Extended code 1290, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_DIR_FSYNC: ResultCode { .extended(SQLITE_IOERR, 5) }
    /// Extended code 1802, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_FSTAT: ResultCode { .extended(SQLITE_IOERR, 7) }
    /// Extended code 1034, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_FSYNC: ResultCode { .extended(SQLITE_IOERR, 4) }
    /// Extended code 6410, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_GETTEMPPATH: ResultCode { .extended(SQLITE_IOERR, 25) }
    /// Extended code 3850, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_LOCK: ResultCode { .extended(SQLITE_IOERR, 15) }
    /// Extended code 6154, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_MMAP: ResultCode { .extended(SQLITE_IOERR, 24) }
    /// Extended code 3082, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_NOMEM: ResultCode { .extended(SQLITE_IOERR, 12) }
    /// Extended code 2314, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_RDLOCK: ResultCode { .extended(SQLITE_IOERR, 9) }
    /// Extended code 266, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_READ: ResultCode { .extended(SQLITE_IOERR, 1) }
    /// Extended code 7946, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_ROLLBACK_ATOMIC: ResultCode { .extended(SQLITE_IOERR, 31) }
    /// Extended code 5642, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_SEEK: ResultCode { .extended(SQLITE_IOERR, 22) }
    /// Extended code 5130, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_SHMLOCK: ResultCode { .extended(SQLITE_IOERR, 20) }
    /// Extended code 5386, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_SHMMAP: ResultCode { .extended(SQLITE_IOERR, 21) }
    /// Extended code 4618, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_SHMOPEN: ResultCode { .extended(SQLITE_IOERR, 18) }
    /// Extended code 4874, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_SHMSIZE: ResultCode { .extended(SQLITE_IOERR, 19) }
    /// Extended code 522, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_SHORT_READ: ResultCode { .extended(SQLITE_IOERR, 2) }
    /// Extended code 1546, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_TRUNCATE: ResultCode { .extended(SQLITE_IOERR, 6) }
    /// Extended code 2058, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_UNLOCK: ResultCode { .extended(SQLITE_IOERR, 8) }
    /// Extended code 6922, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_VNODE: ResultCode { .extended(SQLITE_IOERR, 27) }
    /// Extended code 778, a kind of `SQLITE_IOERR`.
    public static var SQLITE_IOERR_WRITE: ResultCode { .extended(SQLITE_IOERR, 3) }
    /// Primary code 6.
    public static var SQLITE_LOCKED: ResultCode { ResultCode(rawValue: 6) }
    /// Extended code 262, a kind of `SQLITE_LOCKED`.
    public static var SQLITE_LOCKED_SHAREDCACHE: ResultCode { .extended(SQLITE_LOCKED, 1) }
    /// Extended code 518, a kind of `SQLITE_LOCKED`.
    public static var SQLITE_LOCKED_VTAB: ResultCode { .extended(SQLITE_LOCKED, 2) }
    /// Primary code 20.
    public static var SQLITE_MISMATCH: ResultCode { ResultCode(rawValue: 20) }
    /// Primary code 21.
    public static var SQLITE_MISUSE: ResultCode { ResultCode(rawValue: 21) }
    /// Primary code 22.
    public static var SQLITE_NOLFS: ResultCode { ResultCode(rawValue: 22) }
    /// Primary code 7.
    public static var SQLITE_NOMEM: ResultCode { ResultCode(rawValue: 7) }
    /// Primary code 26.
    public static var SQLITE_NOTADB: ResultCode { ResultCode(rawValue: 26) }
    /// Primary code 12.
    public static var SQLITE_NOTFOUND: ResultCode { ResultCode(rawValue: 12) }
    /// Primary code 27.
    public static var SQLITE_NOTICE: ResultCode { ResultCode(rawValue: 27) }
    /// Extended code 539, a kind of `SQLITE_NOTICE`.
    public static var SQLITE_NOTICE_RECOVER_ROLLBACK: ResultCode { .extended(SQLITE_NOTICE, 2) }
    /// Extended code 283, a kind of `SQLITE_NOTICE`.
    public static var SQLITE_NOTICE_RECOVER_WAL: ResultCode { .extended(SQLITE_NOTICE, 1) }
    /// Primary code 0.
    public static var SQLITE_OK: ResultCode { ResultCode(rawValue: 0) }
    /// Extended code 256, a kind of `SQLITE_OK`.
    public static var SQLITE_OK_LOAD_PERMANENTLY: ResultCode { .extended(SQLITE_OK, 1) }
    /// Extended code 512, a kind of `SQLITE_OK`.
    public static var SQLITE_OK_SYMLINK: ResultCode { .extended(SQLITE_OK, 2) }
    /// Primary code 3.
    public static var SQLITE_PERM: ResultCode { ResultCode(rawValue: 3) }
    /// Primary code 15.
    public static var SQLITE_PROTOCOL: ResultCode { ResultCode(rawValue: 15) }
    /// Primary code 25.
    public static var SQLITE_RANGE: ResultCode { ResultCode(rawValue: 25) }
    /// Primary code 8.
    public static var SQLITE_READONLY: ResultCode { ResultCode(rawValue: 8) }
    /// Extended code 1288, a kind of `SQLITE_READONLY`.
    public static var SQLITE_READONLY_CANTINIT: ResultCode { .extended(SQLITE_READONLY, 5) }
    /// Extended code 520, a kind of `SQLITE_READONLY`.
    public static var SQLITE_READONLY_CANTLOCK: ResultCode { .extended(SQLITE_READONLY, 2) }
    /// Extended code 1032, a kind of `SQLITE_READONLY`.
    public static var SQLITE_READONLY_DBMOVED: ResultCode { .extended(SQLITE_READONLY, 4) }
    /// Extended code 1544, a kind of `SQLITE_READONLY`.
    public static var SQLITE_READONLY_DIRECTORY: ResultCode { .extended(SQLITE_READONLY, 6) }
    /// Extended code 264, a kind of `SQLITE_READONLY`.
    public static var SQLITE_READONLY_RECOVERY: ResultCode { .extended(SQLITE_READONLY, 1) }
    /// Extended code 776, a kind of `SQLITE_READONLY`.
    public static var SQLITE_READONLY_ROLLBACK: ResultCode { .extended(SQLITE_READONLY, 3) }
    /// Primary code 100.
    public static var SQLITE_ROW: ResultCode { ResultCode(rawValue: 100) }
    /// Primary code 17.
    public static var SQLITE_SCHEMA: ResultCode { ResultCode(rawValue: 17) }
    /// Primary code 18.
    public static var SQLITE_TOOBIG: ResultCode { ResultCode(rawValue: 18) }
    /// Primary code 28.
    public static var SQLITE_WARNING: ResultCode { ResultCode(rawValue: 28) }
    /// Extended code 284, a kind of `SQLITE_WARNING`.
    public static var SQLITE_WARNING_AUTOINDEX: ResultCode { .extended(SQLITE_WARNING, 1) }
}
