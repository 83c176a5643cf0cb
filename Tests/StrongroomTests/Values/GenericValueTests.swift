import Strongroom
import StrongroomTestSupport
import Testing

/// Code that knows no more of a value's type than that it is a value.
@Suite struct GenericValueTests {
    private let database: DatabaseQueue

    init() throws { database = try DatabaseQueue() }

    /// Everything that reads a value, for a type that only conforms to `DatabaseValueConvertible`.
    private func readings<T: DatabaseValueConvertible & Hashable>(
        _ type: T.Type, _ literal: String
    ) throws -> [Result<T?, any Error>] {
        let sql = "SELECT \(literal) AS a"
        return try database.read { db throws in
            let statement = try db.makeStatement(sql: sql)
            let request = SQLRequest<T>(sql: sql)
            let adapter = SuffixRowAdapter(fromIndex: 0)
            return [
                Result { try T.fetchOne(db, sql: sql) },
                Result { try T.fetchOne(db, sql: sql, adapter: adapter) },
                Result { try T.fetchAll(db, sql: sql).first },
                Result { try T.fetchSet(db, sql: sql).first },
                Result { try T.fetchCursor(db, sql: sql).next() },
                Result { try T.fetchOne(statement) },
                Result { try T.fetchAll(statement).first },
                Result { try T.fetchSet(statement).first },
                Result { try T.fetchCursor(statement).next() },
                Result { try T.fetchOne(db, request) },
                Result { try T.fetchAll(db, request).first },
                Result { try T.fetchSet(db, request).first },
                Result { try T.fetchCursor(db, request).next() },
                Result { try request.fetchOne(db) },
                Result { try request.fetchAll(db).first },
                Result { try request.fetchSet(db).first },
                Result { try request.fetchCursor(db).next() },
                Result { try T?.fetchOne(db, sql: sql) ?? nil },
                Result { try T?.fetchAll(db, sql: sql).first ?? nil },
                Result { try Row.fetchCursor(db, sql: sql).next()?.decode(T.self, atIndex: 0) },
                Result {
                    try Row.fetchCursor(db, sql: sql).next()?.decode(T?.self, atIndex: 0) ?? nil
                },
                Result { try Row.fetchCursor(db, sql: sql).next()?.decode(T.self, forColumn: "a") },
                Result {
                    try Row.fetchCursor(db, sql: sql).next()?
                        .decode(T.self, forColumn: Column("a"))
                },
            ]
        }
    }

    @Test(.proves("CMP-64"))
    func `Generic code converts what is stored, and throws when it does not suit`() throws {
        func refuses<T: DatabaseValueConvertible & Hashable>(
            _ type: T.Type, _ literal: String
        ) throws -> Bool {
            try readings(type, literal).allSatisfy { result in
                guard case .failure(let error) = result else { return false }
                return error is RowDecodingError
            }
        }
        #expect(try refuses(Int.self, "'abc'"))
        #expect(try refuses(Int.self, "1e300"))
        #expect(try refuses(String.self, "1"))
        #expect(try refuses(Bool.self, "'x'"))
        #expect(try readings(Int.self, "12").allSatisfy { try $0.get() == 12 })
        #expect(try readings(String.self, "'ä'").allSatisfy { try $0.get() == "ä" })
        #expect(try readings(Bool.self, "1").allSatisfy { try $0.get() == true })
    }

    @Test(.proves("CMP-64"))
    func `Code that knows the type reads as SQLite converts`() throws {
        try database.read { db throws in
            let sql = "SELECT '12abc' AS a"
            #expect(try Int.fetchOne(db, sql: sql) == 12)
            #expect(try Int?.fetchAll(db, sql: sql) == [12])
            #expect(try SQLRequest<Int>(sql: sql).fetchSet(db) == [12])
            #expect(try Row.fetchCursor(db, sql: sql).map { $0["a"] as Int }.next() == 12)
            #expect(try Row.fetchCursor(db, sql: sql).map { $0[Column("a")] as Int? }.next() == 12)
            #expect(try String.fetchOne(db, sql: "SELECT 1") == "1")
        }
    }

    @Test(.proves("CMP-64"))
    func `The cursors have GRDB's names`() throws {
        func cursor<T: DatabaseValueConvertible>(
            of type: T.Type, _ db: Database
        ) throws -> DatabaseValueCursor<T> {
            try T.fetchCursor(db, sql: "SELECT 1")
        }
        try database.read { db throws in
            let fast: FastDatabaseValueCursor<Int> = try Int.fetchCursor(db, sql: "SELECT 1")
            let converting: DatabaseValueCursor<Int> = try Int.fetchCursor(db, sql: "SELECT 1")
            #expect(try fast.next() == 1 && converting.next() == 1)
            #expect(try cursor(of: Int.self, db).next() == 1)
        }
    }
}
