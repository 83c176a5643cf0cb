import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite("Seeds")
struct SeedTests {
    let library: Library

    init() throws { library = try Library() }

    @Test("Rows and drafts of any tables are inserted in order", .proves("SED-001"))
    func rows() throws {
        let isWanted = true
        try library.database.write { db in
            try db.seed {
                Folder(id: 5, title: "five")
                Item(id: 10, title: "a", folderID: 5)
                Item.Draft(title: "b", folderID: 5)
                [Item.Draft(title: "c", folderID: 5), Item.Draft(title: "d", folderID: 5)]
                if isWanted { Mark(name: "yes") } else { Mark(name: "no") }
                if !isWanted { Mark(name: "never") }
                for number in 1...2 { Item(id: 20 + number, title: "n", folderID: 5) }
            }
            #expect(try Mark.fetchAll(db) == [Mark(name: "yes")])
            let items = try Item.where { $0.folderID.eq(5) }.order(by: \.id).fetchAll(db)
            #expect(items.map(\.id) == [10, 11, 12, 13, 21, 22])
            #expect(items.titles == ["a", "b", "c", "d", "n", "n"])
        }
    }

    @Test("Consecutive rows of one type are one statement", .proves("SED-002", "SED-003"))
    func statements() throws {
        let seeds = Seeds {
            Mark(name: "a")
            Mark(name: "b")
            Folder(id: 5, title: "f")
            Mark(name: "c")
        }
        #expect(
            seeds.map(\.debugSQL) == [
                #"INSERT INTO "marks" ("name") VALUES ('a'), ('b')"#,
                #"INSERT INTO "folders" ("id", "title") VALUES (5, 'f')"#,
                #"INSERT INTO "marks" ("name") VALUES ('c')"#,
            ])
        try library.database.write { db in
            for seed in seeds { try seed.execute(db) }
            #expect(try Mark.fetchCount(db) == 3)
            let inserts = try db.capturedSQL {
                try db.seed { for number in 0..<3 { Mark(name: "\(number)") } }
            }
            #expect(inserts.count { $0.hasPrefix("INSERT") } == 1)
            // More values than one statement takes.
            try db.seed { for number in 0..<40_000 { Mark(name: "\(number)") } }
            #expect(try Mark.fetchCount(db) == 40_006)
        }
    }

    @Test("Foreign keys are checked at the end", .proves("SED-005"))
    func foreignKeys() throws {
        try library.database.write { db in
            try db.seed {
                Item(id: 10, title: "early", folderID: 7)
                Folder(id: 7, title: "late")
            }
            #expect(try Item.find(10).fetchOne(db)?.folderID == 7)
            #expect(try Int.fetchOne(db, sql: "PRAGMA defer_foreign_keys") == 0)
            let error = DatabaseError.thrown {
                try db.seed {
                    Mark(name: "before")
                    Item(id: 11, title: "lost", folderID: 8)
                }
            }
            #expect(error?.resultCode == .SQLITE_CONSTRAINT)
            #expect(try Mark.fetchCount(db) == 0 && Item.find(11).fetchOne(db) == nil)
        }
        let after = try library.database.read { try Item.fetchCount($0) }
        #expect(after == 4)
    }

    @Test("What throws in the closure inserts nothing", .proves("SED-001"))
    func throwing() throws {
        try library.database.write { db in
            #expect(throws: CancellationError.self) {
                try db.seed { try { () throws -> Mark in throw CancellationError() }() }
            }
            try db.seed {}
            #expect(try Mark.fetchCount(db) == 0)
        }
    }
}
