import Foundation
import Strongroom

// What records write, and what they fetch with the same statement; keys; strategies of columns.

func recordWriteSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try recordWriteSnippets1(db, snippet)
    try recordWriteSnippets4(db, snippet)
    try recordWriteSnippets2(db, snippet)
    try recordWriteSnippets3(db, snippet)
    try recordWriteSnippets5(db, snippet)
}

func recordWriteSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("updateChangesAndFetch") {
        var author = try Author.find(db, key: 1)
        try db.inSavepoint {
            let unchanged = try author.updateChangesAndFetch(db) { $0.name = "Homer" }
            try expect(unchanged == nil)
            let changed = try author.updateChangesAndFetch(db) { $0.country = "TR" }
            try expect(changed?.country == "TR" && author.country == "TR")
            let name = try author.updateChangesAndFetch(
                db, selection: [Column("name")], fetch: { try String.fetchOne($0) },
                modify: { $0.name = "Homeros" })
            try expect(name == "Homeros")
            let kept = try author.updateChangesAndFetch(db, as: Author.self) { $0.country = nil }
            try expect(kept == author)
            return .rollback
        }
    }
    try snippet("upserts of each kind") {
        try db.inSavepoint {
            let stored = try Author(id: nil, name: "homer", country: "IT").upserted(db)
            try expect(stored.id == 1 && stored.country == "IT")
            var author = Author(id: nil, name: "HOMER", country: "FR")
            let fetched = try author.upsertAndFetch(
                db, onConflict: ["name"], updating: .noColumnUnlessSpecified
            ) { _ in [Column("country").set(to: "DE")] }
            try expect(fetched.country == "DE" && fetched.name == "homer")
            let whole = try author.upsertAndFetch(db, as: Author.self)
            try expect(whole == Author(id: 1, name: "HOMER", country: "FR"))
            var new = Author(id: nil, name: "Woolf", country: "GB")
            try new.upsert(db)
            try expect(try Author.fetchCount(db) == 4 && new.id != nil)
            return .rollback
        }
    }
}

func recordWriteSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("inserts and updates that fetch a selection by closures") {
        try db.inSavepoint {
            var author = Author(id: nil, name: "Woolf", country: nil)
            let loud = try author.insertAndFetch(db, fetch: { try String.fetchOne($0) }) {
                [$0.name.uppercased]
            }
            try expect(loud == "WOOLF" && author.id != nil)
            author.country = "GB"
            let row = try author.updateAndFetch(db, columns: { [$0.country] }) { statement in
                try Row.fetchOne(statement)
            } select: {
                [$0.id, $0.country]
            }
            try expect(row == ["id": author.id, "country": "GB"])
            let again = try author.saveAndFetch(db, fetch: { try String?.fetchOne($0) }) {
                [$0.country]
            }
            try expect(again == "GB")
            try author.update(db) { [$0.name, $0.country] }
            return .rollback
        }
    }
    try snippet("databaseChanges(modify:), databaseEquals") {
        var author = try Author.find(db, key: 1)
        let old = author
        let changes = try author.databaseChanges {
            $0.name = "x"; $0.country = "GR"
        }
        try expect(changes == ["name": "Homer".databaseValue])
        try expect(!author.databaseEquals(old) && old.databaseEquals(old))
        try expect(try author.databaseDictionary["name"] == "x".databaseValue)
    }
}

func recordWriteSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("save inserts what is new, and what is gone") {
        try db.inSavepoint {
            var author = Author(id: nil, name: "Woolf", country: nil)
            try author.save(db)
            let id = author.id
            try author.delete(db)
            try author.save(db)
            try expect(try author.id == id && Author.exists(db, id: id))
            try expect(
                try author.saved(db) == author
                    && author.inserted(db, onConflict: .replace) == author)
            return .rollback
        }
    }
    try snippet("keys of several columns") {
        struct Citizenship: Codable, FetchableRecord, PersistableRecord, Equatable {
            var citizenId: Int
            var country: String
            var since: Int
        }
        try db.create(table: "citizenship") { t in
            t.primaryKey {
                t.column("citizenId", .integer); t.column("country", .text)
            }
            t.column("since", .integer)
        }
        let french = Citizenship(citizenId: 1, country: "FR", since: 2000)
        try french.insert(db)
        let key: [String: any DatabaseValueConvertible] = ["citizenId": 1, "country": "FR"]
        try expect(try Citizenship.fetchOne(db, key: key) == french)
        try expect(try Citizenship.find(db, key: ["citizenId": 1, "country": "FR"]) == french)
        try expect(
            try Citizenship.fetchAll(db, keys: [["citizenId": 1, "country": "FR"]]).count == 1)
        try expect(try Citizenship.deleteOne(db, key: ["citizenId": 1, "country": "FR"]))
        try expect(try !french.exists(db))
        do {
            try french.update(db)
            try expect(false)
        } catch RecordError.recordNotFound(databaseTableName: let table, key: let key) {
            try expect(
                table == "citizenship"
                    && key == ["citizenId": 1.databaseValue, "country": "FR".databaseValue])
        }
        try db.drop(table: "citizenship")
    }
}

func recordWriteSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("PersistenceContainer") {
        struct Filled: EncodableRecord {
            func encode(to container: inout PersistenceContainer) throws {
                container["a"] = 1
                container[Column("b")] = "x"
                container["c"] = nil as Int?
                container["a"] = 2
                let first: (any DatabaseValueConvertible)? = container["a"]
                try expect(first?.databaseValue == 2.databaseValue)
                container["A"] = 3
            }
        }
        let dictionary = try Filled().databaseDictionary
        try expect(dictionary["c"] == .null && dictionary["b"] == "x".databaseValue)
        try expect(dictionary.count == 3 && dictionary.values.contains(3.databaseValue))
    }
    try snippet("PersistenceConflictPolicy") {
        struct Note: Codable, PersistableRecord {
            static let persistenceConflictPolicy = PersistenceConflictPolicy(
                insert: .ignore, update: .replace)
            static let databaseTableName = "author"
            var id: Int64
            var name: String
        }
        let policy = Note.persistenceConflictPolicy
        try expect(policy.conflictResolutionForInsert == .ignore)
        try expect(policy.conflictResolutionForUpdate == .replace)
        try db.inSavepoint {
            try Note(id: 9, name: "Homer").insert(db)
            try expect(try Author.fetchCount(db) == 3)
            try Note(id: 2, name: "Homer").update(db)
            try expect(
                try Author.order(Column("id")).fetchAll(db).map(\.name) == ["Homer", "Melville"])
            return .rollback
        }
    }
}

func recordWriteSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("callbacks around the statement") {
        final class Calls { var names: [String] = [] }
        struct Note: Codable, PersistableRecord {
            static let databaseTableName = "note"
            var id: Int64
            var text: String
            var calls: Calls { Note.log }
            // Safety: one record after the other is written, in one access.
            nonisolated(unsafe) static let log = Calls()

            func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
                calls.names.append("save(")
                _ = try save()
                calls.names.append(")save")
            }
            func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
                calls.names.append("insert(")
                let success = try insert()
                calls.names.append(")insert \(success.rowID)")
            }
            func willSave(_ db: Database) throws { calls.names.append("willSave") }
            func didSave(_ saved: PersistenceSuccess) { calls.names.append("didSave") }
            func didInsert(_ inserted: InsertionSuccess) { calls.names.append("didInsert") }
        }
        try Note(id: 5, text: "a").insert(db)
        try expect(
            Note.log.names == [
                "willSave", "save(", "insert(", ")insert 5", "didInsert", ")save", "didSave",
            ])
        try Note(id: 5, text: "a").delete(db)
    }
}
