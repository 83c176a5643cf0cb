import Dispatch
import Foundation
import Strongroom

// Snapshots, functions and collations of Swift, interruption.

func connectionSnippets5(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("DatabaseSnapshot and DatabaseSnapshotPool") {
        let snapshot: DatabaseSnapshot = try pool.makeSnapshot()
        let taken = try pool.writeWithoutTransaction { db in try DatabaseSnapshotPool(db) }
        try pool.write { try $0.execute(sql: "INSERT INTO note(text) VALUES ('new')") }
        try expect(try snapshot.read { try OldNote.fetchCount($0) } == 0)
        try expect(try taken.read { try OldNote.fetchCount($0) } == 0)
        try expect(snapshot.path == pool.path && taken.path == pool.path)
        try expectError(DatabaseError.self) {
            try snapshot.read { try $0.execute(sql: "DELETE FROM note") }
        }
        let done = DispatchSemaphore(value: 0)
        snapshot.asyncRead { result in
            if case .success(let db) = result, (try? OldNote.fetchCount(db)) == 0 { done.signal() }
        }
        done.wait()
        try snapshot.close()
        try taken.close()
        try pool.write { try $0.execute(sql: "DELETE FROM note") }
    }
    try snippet("interruption of a long request") {
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let queue = try DatabaseQueue()
        let count = Counter()
        DispatchQueue.global().async {
            do {
                try queue.read { db in
                    db.add(
                        function: DatabaseFunction("started", argumentCount: 0) { _ in
                            started.signal()
                            return 1
                        })
                    try db.execute(
                        sql: """
                            WITH RECURSIVE n(i) AS (SELECT started() UNION ALL SELECT i + 1 FROM n)
                            SELECT COUNT(*) FROM n
                            """)
                }
            } catch let error as DatabaseError {
                count.value = error.isInterruptionError ? 1 : 2
            } catch { count.value = 3 }
            ended.signal()
        }
        started.wait()
        queue.interrupt()
        ended.wait()
        try expect(count.value == 1)
    }
}

func connectionSnippets6(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("functions that the library has") {
        try pool.write { db in
            let functions: [DatabaseFunction] = [
                .capitalize, .lowercase, .uppercase, .localizedCapitalize, .localizedLowercase,
                .localizedUppercase,
            ]
            let found = try functions.map { function in
                try String.fetchOne(db, Book.filter(key: 1).select(function(title)))
            }
            try expect(found == ["Iliad", "iliad", "ILIAD", "Iliad", "iliad", "ILIAD"])
        }
    }
    try snippet("functions that throw, and pure ones in indexes") {
        try pool.write { db in
            struct Odd: Error, CustomStringConvertible { var description: String { "odd" } }
            let half = DatabaseFunction("half", argumentCount: 1, pure: true) { values in
                guard let number = Int.fromDatabaseValue(values[0]) else { return nil }
                if number % 2 == 1 { throw DatabaseError(message: "odd number") }
                return number / 2
            }
            db.add(function: half)
            try expect(try Int.fetchOne(db, sql: "SELECT half(4)") == 2)
            try expect(try Int.fetchOne(db, sql: "SELECT half(NULL)") == nil)
            do {
                _ = try Int.fetchOne(db, sql: "SELECT half(3)")
                try expect(false)
            } catch let error as DatabaseError {
                try expect(error.message?.contains("odd number") == true)
            }
            try db.create(table: "halves") { t in
                t.column("a", .integer)
                t.column("b", .integer).generatedAs(half(Column("a")))
            }
            try db.create(index: "halves_b", on: "halves", expressions: [half(Column("a"))])
            try db.execute(sql: "INSERT INTO halves(a) VALUES (8)")
            try expect(try Int.fetchOne(db, sql: "SELECT b FROM halves") == 4)
            try db.drop(table: "halves")
            db.remove(function: half)
        }
    }
}

func connectionSnippets9(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("aggregates that fail and that are filtered") {
        final class Longest: DatabaseAggregate {
            var text: String?
            func step(_ dbValues: [DatabaseValue]) throws {
                guard let value = String.fromDatabaseValue(dbValues[0]) else { return }
                if value.count > (text?.count ?? -1) { text = value }
            }
            func finalize() throws -> (any DatabaseValueConvertible)? { text }
        }
        try pool.write { db in
            let longest = DatabaseFunction("longest", argumentCount: 1, aggregate: Longest.self)
            db.add(function: longest)
            try expect(try String.fetchOne(db, Book.select(longest(title))) == "Persuasion")
            let groups = Book.select(longest(title)).group(Column("authorId"))
            try expect(try String.fetchSet(db, groups) == ["Odyssey", "Persuasion", "Moby-Dick"])
            try expect(try String.fetchOne(db, Book.none().select(longest(title))) == nil)
            db.remove(function: longest)
        }
    }
    try snippet("collations that the library has") {
        try pool.write { db in
            try db.create(table: "words") { t in
                t.column("word", .text).collate(.localizedCaseInsensitiveCompare)
            }
            try db.execute(sql: "INSERT INTO words VALUES ('b'), ('A'), ('c2'), ('c10')")
            func words(_ collation: DatabaseCollation) throws -> [String] {
                let word = Column("word").collating(collation)
                return try Table("words").select(Column("word")).order(word)
                    .asRequest(of: String.self).fetchAll(db)
            }
            try expect(try words(.unicodeCompare) == ["A", "b", "c10", "c2"])
            try expect(try words(.caseInsensitiveCompare) == ["A", "b", "c10", "c2"])
            try expect(try words(.localizedStandardCompare) == ["A", "b", "c2", "c10"])
            try expect(try words(.localizedCompare).first == "A")
            try expect(
                try Table("words").filter(Column("word") == "B").fetchCount(db) == 1)
            try db.drop(table: "words")
        }
    }
}
