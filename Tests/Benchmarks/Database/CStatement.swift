import CSQLCipher

/// What the C API returned instead of what was expected.
struct CFailure: Error {
    var code: Int32
}

/// A prepared statement of the C API, with nothing between it and its caller but names.
///
/// Its user finalizes it.
struct CStatement {
    private let pointer: OpaquePointer

    init(_ connection: OpaquePointer, _ sql: String) throws {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw CFailure(code: code) }
        pointer = statement
    }

    static func execute(_ connection: OpaquePointer, _ sql: String) throws {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw CFailure(code: code) }
    }

    func finalize() {
        sqlite3_finalize(pointer)
    }

    /// True where there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw CFailure(code: code)
        }
    }

    /// Steps to the end, and makes the statement ready for the next run.
    func run() throws {
        while try step() {}
        reset()
    }

    func reset() {
        sqlite3_reset(pointer)
    }

    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(pointer, index, value)
    }

    func bind(_ index: Int32, _ value: Double) {
        sqlite3_bind_double(pointer, index, value)
    }

    func bind(_ index: Int32, _ value: String) {
        var value = value
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(
                    pointer, index, characters.baseAddress, Int32(characters.count), Self.transient)
            }
        }
    }

    var columnCount: Int32 { sqlite3_column_count(pointer) }

    func type(_ column: Int32) -> Int32 { sqlite3_column_type(pointer, column) }

    func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

    func text(_ column: Int32) -> String {
        let start = sqlite3_column_text(pointer, column)
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// SQLITE_TRANSIENT, a macro that Swift does not see: SQLite copies the text.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
