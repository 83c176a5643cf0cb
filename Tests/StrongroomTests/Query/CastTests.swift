import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct CastTests {
    private typealias StorageClass = Database.StorageClass

    @Test(.proves("VAL-036"))
    func `A storage class is what SQL casts to`() throws {
        let casts: [(StorageClass, String, DatabaseValue)] = [
            (.integer, "INTEGER", 1.databaseValue), (.real, "REAL", 1.5.databaseValue),
            (.text, "TEXT", "1.5".databaseValue), (.blob, "BLOB", Data("1.5".utf8).databaseValue),
            (StorageClass(rawValue: "int"), "int", 1.databaseValue),
            (
                StorageClass(rawValue: "VARCHAR(10)"), #""VARCHAR(10)""#, "1.5".databaseValue
            ),
        ]
        try DatabaseQueue().read { db throws in
            for (storageClass, name, value) in casts {
                let number = SQL("\("1.5")")
                let request: SQLRequest<DatabaseValue> = "SELECT \(cast(number, as: storageClass))"
                let statement = try request.makePreparedRequest(db).statement
                #expect(statement.sql == "SELECT CAST(? AS \(name))")
                #expect(try request.fetchOne(db)?.storage == value.storage)
            }
        }
        #expect(StorageClass(rawValue: "REAL") == .real)
    }

    @Test func `A storage class of unknown origin never becomes SQL`() throws {
        try DatabaseQueue().write { db throws in
            try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
            for name in ["TEXT); DROP TABLE t; --", "", "a\"b", "select", "1", "\"", "é"] {
                let text = cast(Column("a"), as: StorageClass(rawValue: name))
                let request: SQLRequest<Row> = "SELECT \(text) FROM t"
                #expect(try request.fetchOne(db)?.count == 1, "\(name)")
            }
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 1)
        }
    }
}
