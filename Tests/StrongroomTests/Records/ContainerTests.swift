import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// The columns that records give, and how two records compare.
@Suite struct ContainerTests {
    /// A record that gives what a closure says.
    struct Made: EncodableRecord {
        let make: @Sendable (inout PersistenceContainer) -> Void

        func encode(to container: inout PersistenceContainer) { make(&container) }
    }

    struct Player: Codable, EncodableRecord, Equatable {
        var id: Int?
        var name: String
        var score: Double
        var address: [String: Int]
    }

    @Test(.proves("REC-010", "REC-011", "REC-079"))
    func `A container takes columns in any case, and gives them in their order`() throws {
        let date = Date(timeIntervalSince1970: 0)
        let record = Made { container in
            container["name"] = "Arthur"
            container[Column("date")] = date
            container["NAME"] = "Barbara"
            container["none"] = nil
            container["absent"] = container["nothing"]
            #expect(container["Name"]?.databaseValue == "Barbara".databaseValue)
            #expect(container[Column("date")]?.databaseValue == date.databaseValue)
            #expect(container["none"] == nil && container["other"] == nil)
            #expect(container.map(\.0) == ["name", "date", "none", "absent"])
            #expect(container.count == 4 && container[0].1 == "Barbara".databaseValue)
            #expect(container.index(before: container.endIndex) == 3)
            let sendable: any Sendable = container
            _ = sendable
        }
        #expect(
            try record.databaseDictionary == [
                "name": "Barbara".databaseValue, "date": date.databaseValue, "none": .null,
                "absent": .null,
            ])
    }

    @Test(.proves("REC-012"))
    func `A record has a dictionary of columns`() throws {
        let player = Player(name: "Arthur", score: 1, address: ["b": 1, "a": 2])
        #expect(
            try player.databaseDictionary == [
                "id": .null, "name": "Arthur".databaseValue, "score": 1.0.databaseValue,
                "address": #"{"a":2,"b":1}"#.databaseValue,
            ])
    }

    @Test(.proves("REC-047", "REC-050", "REC-051", "UTL-005"))
    func `Records are equal when they would store the same`() {
        let player = Player(name: "Arthur", score: 1, address: [:])
        var other = player
        #expect(player.databaseEquals(other))
        other.name = "Barbara"
        #expect(!player.databaseEquals(other))
        other.name = "Arthur"
        #expect(player.databaseEquals(other))
        let one = Made { $0["a"] = 1 }
        #expect(one.databaseEquals(Made { $0["a"] = 1.0 }))
        #expect(!one.databaseEquals(Made { $0["a"] = 1.5 }))
    }

    @Test(.proves("REC-048", "REC-049", "REC-050"))
    func `The differences of records are columns with the values of before`() throws {
        var player = Player(id: 1, name: "Arthur", score: 1, address: [:])
        let former = player
        player.name = "Barbara"
        player.score = 2
        #expect(
            try player.databaseChanges(from: former) == [
                "name": "Arthur".databaseValue, "score": 1.0.databaseValue,
            ])
        // What the other one does not have counts as NULL.
        let partial = Made { $0["NAME"] = "Barbara" }
        #expect(
            try player.databaseChanges(from: partial) == [
                "id": .null, "score": .null, "address": .null,
            ])
        let changes = try player.databaseChanges {
            $0.name = "Barbara"
            $0.score = 3
        }
        #expect(changes == ["score": 2.0.databaseValue] && player.score == 3)
        #expect(try player.databaseChanges { $0.score = 3 }.isEmpty)
    }

    @Test func `Records of one type may differ in their columns`() throws {
        struct Sparse: MutablePersistableRecord, FetchableRecord {
            static let databaseTableName = "sparse"
            var values: [(String, Int?)]

            init(_ values: [(String, Int?)]) { self.values = values }
            init(row: Row) { values = row.map { ($0, Int.fromDatabaseValue($1)) } }
            func encode(to container: inout PersistenceContainer) {
                for (name, value) in values { container[name] = value }
            }
        }
        let fixture = try FixtureDatabase()
        try fixture.open().write { db throws in
            try db.execute(sql: "CREATE TABLE sparse(id INTEGER PRIMARY KEY, a, b)")
            for values: [(String, Int?)] in [
                [("id", 1), ("a", 1)], [("b", 2), ("id", 2)], [("id", 3), ("a", 3)], [("id", 4)],
                [("id", 5), ("a", 5), ("b", 5)], [("id", 6), ("a", 6)], [("A", 7), ("ID", 7)],
            ] {
                var record = Sparse(values)
                try record.insert(db)
                try record.update(db)
                #expect(try record.exists(db))
            }
            let rows = try Row.fetchAll(db, sql: "SELECT a, b FROM sparse ORDER BY id")
            #expect(
                rows == [
                    ["a": 1, "b": nil], ["a": nil, "b": 2], ["a": 3, "b": nil],
                    ["a": nil, "b": nil], ["a": 5, "b": 5], ["a": 6, "b": nil],
                    ["a": 7, "b": nil],
                ])
        }
    }
}
