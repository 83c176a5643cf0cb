/// A raw `sqlite3 *`, owned by the library and used only inside a database access.
public typealias SQLiteConnection = OpaquePointer

/// A raw `sqlite3_stmt *`, owned by the library and used only inside a database access.
public typealias SQLiteStatement = OpaquePointer
