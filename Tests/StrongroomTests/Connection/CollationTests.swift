import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct CollationTests {
    private static let byLength = DatabaseCollation("by 'length'") { left, right in
        left.count < right.count
            ? .orderedAscending : left.count == right.count ? .orderedSame : .orderedDescending
    }

    private func sorted(_ texts: [String], by name: String) throws -> [String] {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t(a)")
            for text in texts { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text]) }
            return try String.fetchAll(
                db,
                sql: "SELECT a FROM t ORDER BY a COLLATE \(name.quotedDatabaseIdentifier), rowid")
        }
    }

    @Test(.proves("FUN-011"))
    func `A collation is added, replaced and removed`() throws {
        let collation = Self.byLength
        #expect(collation.name == "by 'length'")
        let replacement = DatabaseCollation("BY 'LENGTH'") { _, _ in .orderedSame }
        #expect(collation.id == replacement.id)
        #expect(collation.id != DatabaseCollation.unicodeCompare.id)
        try DatabaseQueue().inDatabase { db throws in
            db.add(collation: collation)
            let sql = """
                SELECT group_concat(column1) FROM (
                    SELECT * FROM (VALUES ('ccc'), ('bb'), ('é')) ORDER BY 1 COLLATE "by 'length'")
                """
            #expect(try String.fetchOne(db, sql: sql) == "é,bb,ccc")
            db.add(collation: replacement)
            #expect(try String.fetchOne(db, sql: sql) == "ccc,bb,é")
            db.remove(collation: collation)
            let error = #expect(throws: DatabaseError.self) { try String.fetchOne(db, sql: sql) }
            #expect(error?.message == "no such collation sequence: by 'length'")
            db.remove(collation: collation)
        }
    }

    @Test func `A collation sees the whole text`() throws {
        let queue = try DatabaseQueue()
        let collected = Collected()
        try queue.inDatabase { db in
            db.add(
                collation: DatabaseCollation("c") { left, right in
                    collected.add("\(left.debugDescription) \(right.debugDescription)")
                    return .orderedSame
                })
            try db.execute(
                sql:
                    "SELECT CAST(x'610062' AS TEXT) COLLATE c = '', CAST(x'FF' AS TEXT) COLLATE c = ''"
            )
        }
        #expect(collected.texts == ["\"a\\0b\" \"\"", "\"\u{FFFD}\" \"\""])
    }

    @Test(.proves("FUN-012"))
    func `Every connection has collations that know Unicode`() throws {
        let collations: [(DatabaseCollation, String)] = [
            (.unicodeCompare, "swiftCompare"),
            (.caseInsensitiveCompare, "swiftCaseInsensitiveCompare"),
            (.localizedCaseInsensitiveCompare, "swiftLocalizedCaseInsensitiveCompare"),
            (.localizedCompare, "swiftLocalizedCompare"),
            (.localizedStandardCompare, "swiftLocalizedStandardCompare"),
        ]
        for (collation, name) in collations { #expect(collation.name == name) }
        let texts = ["z", "É", "a", "e\u{301}", "10", "é", "2", "Z", "A"]
        func expect(_ name: String, _ compare: (String, String) -> ComparisonResult) throws {
            let expected = texts.enumerated().sorted { left, right in
                switch compare(left.element, right.element) {
                case .orderedAscending: true
                case .orderedDescending: false
                case .orderedSame: left.offset < right.offset
                }
            }.map(\.element)
            let actual = try sorted(texts, by: name)
            // Strings are equal when equivalent; their bytes tell which one it is.
            #expect(actual.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(name)")
        }
        try expect("swiftCompare") {
            $0 < $1 ? .orderedAscending : $0 == $1 ? .orderedSame : .orderedDescending
        }
        try expect("swiftCaseInsensitiveCompare") { $0.caseInsensitiveCompare($1) }
        try expect("swiftLocalizedCaseInsensitiveCompare") {
            $0.localizedCaseInsensitiveCompare($1)
        }
        try expect("swiftLocalizedCompare") { $0.localizedCompare($1) }
        try expect("swiftLocalizedStandardCompare") { $0.localizedStandardCompare($1) }
        #expect(try sorted(["10", "2"], by: "swiftLocalizedStandardCompare") == ["2", "10"])
        #expect(try sorted(["É", "e", "é"], by: "swiftCaseInsensitiveCompare") == ["e", "É", "é"])
    }

    @Test func `Swift's own order is kept where ASCII alone decides`() throws {
        let pieces = ["", "a", "b", "e", "\u{301}", "é", "f", "\0", "~", "\u{FFFD}", "😀"]
        var generator = SeededGenerator(seed: 20)
        try DatabaseQueue().inDatabase { db throws in
            let statement = try db.makeStatement(
                sql: "SELECT (?1 < ?2 COLLATE swiftCompare) - (?1 > ?2 COLLATE swiftCompare)")
            for _ in 0..<2000 {
                func text() -> String {
                    (0..<3).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
                }
                let (left, right) = (text(), text())
                let order = left < right ? 1 : left > right ? -1 : 0
                #expect(
                    try Int.fetchOne(statement, arguments: [left, right]) == order,
                    "\(left.debugDescription) \(right.debugDescription)")
            }
        }
    }

    @Test(.proves("FUN-013", "FUN-014"))
    func `Indexes are built again when an order changes`() throws {
        #expect(Database.CollationName.binary.rawValue == "BINARY")
        #expect(Database.CollationName.nocase.rawValue == "NOCASE")
        #expect(Database.CollationName.rtrim.rawValue == "RTRIM")
        let fixture = try FixtureDatabase()
        defer { withExtendedLifetime(fixture) {} }
        let queue = try fixture.open()
        try queue.write { db throws in
            db.add(collation: Self.byLength)
            try db.execute(
                sql: """
                    CREATE TABLE t(a COLLATE "by 'length'");
                    CREATE INDEX i ON t(a); CREATE INDEX j ON t(a COLLATE NOCASE);
                    INSERT INTO t VALUES ('ccc'), ('bb'), ('a')
                    """)
            let check = "PRAGMA integrity_check"
            #expect(try String.fetchAll(db, sql: check) == ["ok"])
            db.add(
                collation: DatabaseCollation(Self.byLength.name) { left, right in
                    left < right
                        ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
                })
            #expect(try String.fetchAll(db, sql: check) == ["ok"])
            db.add(
                collation: DatabaseCollation(Self.byLength.name) { left, right in
                    left > right
                        ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
                })
            #expect(try String.fetchAll(db, sql: check) != ["ok"])
            try db.reindex(collation: .nocase)
            #expect(try String.fetchAll(db, sql: check) != ["ok"])
            try db.reindex(collation: Self.byLength)
            #expect(try String.fetchAll(db, sql: check) == ["ok"])
            let error = #expect(throws: DatabaseError.self) {
                try db.reindex(collation: Database.CollationName(rawValue: "nope\"; DROP TABLE t"))
            }
            #expect(error?.resultCode == .SQLITE_ERROR)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 3)
        }
    }

    @Test(.proves("FUN-016"))
    func `A program that does not add a collation cannot use what is ordered by it`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open { configuration in
            configuration.prepareDatabase { $0.add(collation: Self.byLength) }
        }
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE t(a COLLATE "by 'length'", b COLLATE NOCASE, c COLLATE RTRIM);
                    INSERT INTO t VALUES ('bb', 'B', 'c'), ('a', 'a', 'c ')
                    """)
            #expect(try String.fetchOne(db, sql: "SELECT a FROM t ORDER BY a") == "a")
        }
        try queue.close()
        try fixture.open().write { db throws in
            let error = #expect(throws: DatabaseError.self) {
                try String.fetchOne(db, sql: "SELECT a FROM t ORDER BY a")
            }
            #expect(error?.message == "no such collation sequence: by 'length'")
            #expect(try String.fetchOne(db, sql: "SELECT b FROM t ORDER BY b") == "a")
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(DISTINCT c) FROM t") == 1)
        }
    }
}
