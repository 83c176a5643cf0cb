import Foundation
import StrongroomTables
import StrongroomTestSupport
import Synchronization
import Testing

@Table private struct Parcel: Equatable {
    let id: Int
    var label: String?
    var weight: Double?
    var seal: Data?
    var isFragile: Bool?
    var sentOn: Date?
}

private let showsHidden = Mutex(false)

@Table private struct Letter: Equatable {
    let id: Int
    var isHidden = false
    var text = ""

    static var all: Where<Letter> {
        showsHidden.withLock { $0 } ? Letter.where { $0.id > 0 } : Letter.where { !$0.isHidden }
    }
}

/// Single writes bind their values themselves, without a list of them.
@Suite(.serialized) struct KeptChangesTests {
    let fixture: FixtureDatabase

    init() throws { fixture = try FixtureDatabase() }

    private func open(_ change: (inout Configuration) -> Void = { _ in }) throws -> DatabaseQueue {
        let queue = try fixture.open(change)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE parcels (id INTEGER PRIMARY KEY, label TEXT, weight REAL CHECK (weight < 9e9),
                        seal BLOB, isFragile INTEGER, sentOn TEXT);
                    CREATE TABLE letters (id INTEGER PRIMARY KEY, isHidden INTEGER NOT NULL,
                        text TEXT NOT NULL)
                    """)
        }
        return queue
    }

    @Test(.proves("RUN-022"))
    func `values of every kind are written, by an insert and by an update`() throws {
        let day = Date(timeIntervalSince1970: 86_400)
        let rows = [
            Parcel(
                id: 1, label: "a", weight: 1.5, seal: Data([0, 1]), isFragile: true, sentOn: day),
            Parcel(id: 2, label: "", weight: -0.0, seal: Data(), isFragile: false, sentOn: nil),
            Parcel(
                id: 3, label: "a\0b", weight: -.infinity, seal: nil, isFragile: nil, sentOn: day),
            Parcel(id: 4, label: nil, weight: nil, seal: Data([0]), isFragile: nil, sentOn: nil),
            Parcel(
                id: .min, label: String(repeating: "é", count: 999), weight: .leastNonzeroMagnitude,
                seal: Data(count: 5_000), isFragile: true, sentOn: .distantPast),
        ]
        try open().write { db in
            for row in rows {
                try Parcel.insert { row }.execute(db)
                #expect(try Parcel.find(row.id).fetchOne(db) == row)
            }
            for (row, other) in zip(rows, rows.dropFirst() + [rows[0]]) {
                try Parcel.find(row.id).update {
                    $0.label = other.label
                    $0.weight = other.weight
                    $0.seal = other.seal
                    $0.isFragile = other.isFragile
                    $0.sentOn = other.sentOn
                }.execute(db)
                let expected = Parcel(
                    id: row.id, label: other.label, weight: other.weight, seal: other.seal,
                    isFragile: other.isFragile, sentOn: other.sentOn)
                #expect(try Parcel.find(row.id).fetchOne(db) == expected)
            }
            try Parcel.find(1).update { $0.weight = .nan }.execute(db)
            #expect(try Parcel.find(1).fetchOne(db)?.weight == nil)
            let types = try String.fetchAll(
                db, sql: "SELECT typeof(seal) || typeof(weight) FROM parcels WHERE id IN (1, 4)")
            #expect(types == ["blobnull", "blobreal"])
        }
    }

    @Test(.proves("RUN-022"), arguments: [false, true])
    func `a write that fails shows its values only where it may`(isPublic: Bool) throws {
        try open { $0.publicStatementArguments = isPublic }.write { db in
            try Parcel.insert { Parcel(id: 1, label: "fine") }.execute(db)
            for _ in 0..<2 {
                let update = #expect(throws: DatabaseError.self) {
                    try Parcel.find(1).update {
                        $0.label = "my secret"
                        $0.weight = 1e10
                    }.execute(db)
                }
                #expect(update?.resultCode == .SQLITE_CONSTRAINT)
                #expect("\(update as Any)".contains("my secret") == isPublic)
                let insert = #expect(throws: DatabaseError.self) {
                    try Parcel.insert { Parcel(id: 7, label: "my secret", weight: 1e10) }.execute(
                        db)
                }
                #expect("\(insert as Any)".contains("my secret") == isPublic)
            }
            // After a failure, the statement runs with its next values.
            try Parcel.find(1).update { $0.label = "good" }.execute(db)
            try Parcel.insert { Parcel(id: 2, label: "good") }.execute(db)
            #expect(try Parcel.order(by: \.id).select(\.label).fetchAll(db) == ["good", "good"])
        }
    }

    @Test(.proves("RUN-022"))
    func `a default scope that the app computes is asked each time`() throws {
        try open().write { db in
            try Letter.insert { Letter(id: 1, isHidden: true, text: "old") }.execute(db)
            for (shows, text) in [(false, "a"), (true, "b"), (false, "c"), (true, "d")] {
                showsHidden.withLock { $0 = shows }
                #expect((try Letter.find(1).fetchOne(db) != nil) == shows)
                try Letter.find(1).update { $0.text = text }.execute(db)
                #expect(db.changesCount == (shows ? 1 : 0))
                let found = try Letter.unscoped.find(1).fetchOne(db)
                #expect((found?.text == text) == shows)
            }
            showsHidden.withLock { $0 = false }
            try Letter.delete().find(1).execute(db)
            #expect(try Letter.unscoped.find(1).exists(db))
            showsHidden.withLock { $0 = true }
            try Letter.delete().find(1).execute(db)
            #expect(try !Letter.unscoped.find(1).exists(db))
        }
    }
}
