import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

/// Statements by key, and inserts of one row, whose texts are made once for each type.
@Suite struct KeptStatementTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("RUN-022"))
    func `the same statement takes other values each time`() throws {
        try library.queue.write { db in
            for round in 0..<3 {
                #expect(try Item.find(1 + round).fetchOne(db)?.id == 1 + round)
                let id = 100 + round
                try Folder.insert { Folder(id: id, title: "a\(round)", rank: round) }.execute(db)
                try Folder.find(id).update { $0.title = "b\(round)" }.execute(db)
                #expect(try Folder.find(db, key: id) == folder(id, "b\(round)", round))
                try Folder.update(folder(id, "c\(round)", 7)).execute(db)
                #expect(try Folder.find(db, key: id) == folder(id, "c\(round)", 7))
                try Folder.upsert { folder(id, "d\(round)", 8) }.execute(db)
                #expect(try Folder.find(db, key: id) == folder(id, "d\(round)", 8))
                try Folder.delete().find(id).execute(db)
                #expect(try Folder.find(id).fetchOne(db) == nil)
            }
            #expect(try Folder.fetchCount(db) == 3)
        }
    }

    private func folder(_ id: Int, _ title: String, _ rank: Int) -> Folder {
        Folder(id: id, title: title, rank: rank)
    }

    @Test(.proves("RUN-022"))
    func `a query that has more than the key is another one`() throws {
        try library.queue.write { db in
            #expect(try Item.find(1).fetchOne(db)?.title == "tea")
            #expect(try Item.find(1).where(\.isDone).fetchOne(db) == nil)
            #expect(try Item.where(\.isDone).find(1).fetchOne(db) == nil)
            #expect(try Item.find(1).find(2).fetchOne(db) == nil)
            #expect(try Item.find(1).not().order(by: \.id).fetchOne(db)?.id == 2)
            #expect(try Item.find(1).select(\.title).fetchOne(db) == "tea")
            #expect(try Item.limit(0).find(1).fetchOne(db) == nil)
            #expect(try Item.none.find(1).fetchOne(db) == nil)
            #expect(try Item.find([1, 3]).fetchAll(db).map(\.id) == [1, 3])
            try Item.find(1).where(\.isDone).update { $0.title = "no" }.execute(db)
            try Item.find(1).where(\.isDone).delete().execute(db)
            try Item.find(1).update { $0.title = "no" }.where(\.isDone).execute(db)
            #expect(try Item.find(1).fetchOne(db)?.title == "tea")
            try Item.find(1).update { $0.title = "yes" }.execute(db)
            try Item.find(2).update { $0.title += "!" }.execute(db)
            try Item.find(3).update {
                $0.stars = 1; $0.title = "both"
            }.execute(db)
            let titles = try Item.order(by: \.id).select(\.title).fetchAll(db)
            #expect(titles == ["yes", "Rice!", "both", "50% off"])
        }
    }

    @Test(.proves("RUN-022"))
    func `what an insert does at a conflict is a part of its statement`() throws {
        try library.queue.write { db in
            let row = Folder(id: 1, title: "other", rank: 9)
            #expect(throws: DatabaseError.self) { try Folder.insert { row }.execute(db) }
            try Folder.insert(or: .ignore) { row }.execute(db)
            #expect(try Folder.find(db, key: 1).title == "home")
            #expect(throws: DatabaseError.self) { try Folder.insert { row }.execute(db) }
            try Folder.insert {
                row
            } onConflict: {
                $0.id
            }.execute(db)
            #expect(try Folder.find(db, key: 1).title == "home")
            try Folder.insert(or: .replace) { row }.execute(db)
            #expect(try Folder.find(db, key: 1).title == "other")
            try Folder.insert { Folder.Draft(title: "draft") }.execute(db)
            let id = try Folder.insert { Folder.Draft(title: "given") }.returning(\.id).fetchOne(db)
            #expect(id == 5)
            #expect(try Folder.find(db, key: 4).title == "draft")
            #expect(throws: DatabaseError.self) {
                try Folder.find(4).update { $0.id = 1 }.execute(db)
            }
            try Folder.find(4).update(or: .replace) { $0.id = 1 }.execute(db)
            #expect(try Folder.find(db, key: 1).title == "draft")
        }
    }

    @Test(.proves("RUN-022"))
    func `databases with other schemas take the same statements`() throws {
        let other = try FixtureDatabase()
        let queue = try other.open()
        try library.queue.write { db in
            #expect(try Folder.find(1).fetchOne(db)?.title == "home")
            #expect(throws: DatabaseError.self) {
                try queue.write { try Folder.find(1).fetchOne($0) }
            }
            try queue.write { other in
                try other.execute(
                    sql: """
                        CREATE TABLE folders (rank INTEGER, title TEXT, more, id INTEGER PRIMARY KEY);
                        INSERT INTO folders VALUES (5, 'there', 0, 1)
                        """)
                #expect(try Folder.find(db, key: 1) == folder(1, "home", 1))
                #expect(try Folder.find(other, key: 1) == folder(1, "there", 5))
                try Folder.find(1).update { $0.title = "new" }.execute(other)
                #expect(try Folder.find(other, key: 1).title == "new")
            }
            #expect(try Folder.find(db, key: 1).title == "home")
        }
    }

    @Test(.proves("RUN-022"))
    func `a schema that changes between two runs is followed`() throws {
        try library.queue.write { db in
            #expect(try Folder.find(1).fetchOne(db)?.title == "home")
            try db.execute(sql: "ALTER TABLE folders RENAME TO before")
            #expect(throws: DatabaseError.self) { try Folder.find(1).fetchOne(db) }
            try db.execute(
                sql: """
                    CREATE TABLE folders (title TEXT, rank INTEGER, id INTEGER PRIMARY KEY);
                    INSERT INTO folders VALUES ('after', 2, 1)
                    """)
            #expect(try Folder.find(db, key: 1) == folder(1, "after", 2))
            try db.execute(sql: "ALTER TABLE folders DROP COLUMN rank")
            let error = #expect(throws: DatabaseError.self) { try Folder.find(1).fetchOne(db) }
            #expect(error?.message?.contains("rank") == true)
        }
    }

    @Test(.proves("RUN-022"))
    func `a statement may run while the same one runs`() throws {
        try library.queue.write { db in
            let cursor = try Item.find(1).fetchCursor(db)
            #expect(try cursor.next()?.title == "tea")
            #expect(try Item.find(2).fetchOne(db)?.title == "Rice")
            #expect(try Item.find(1).fetchOne(db)?.title == "tea")
            #expect(try cursor.next() == nil)
        }
    }

    @Test(.proves("RUN-022"))
    func `more statements than are kept are right, too`() throws {
        try library.queue.write { db in
            for mask in 1..<64 {
                let row = Item(
                    id: 50 + mask, title: "t", isDone: false, stars: nil, level: nil, folderID: 1)
                try Item.insert { row }.execute(db)
                try Item.find(row.id).update {
                    if mask & 1 != 0 { $0.title = "new" }
                    if mask & 2 != 0 { $0.isDone = true }
                    if mask & 4 != 0 { $0.stars = mask }
                    if mask & 8 != 0 { $0.folderID = 2 }
                    if mask & 16 != 0 { $0.level = .high }
                    if mask & 32 != 0 { $0.id = 1000 + mask }
                }.execute(db)
                let found = try Item.find(db, key: mask & 32 != 0 ? 1000 + mask : row.id)
                #expect(found.title == (mask & 1 != 0 ? "new" : "t"))
                #expect(found.isDone == (mask & 2 != 0))
                #expect(found.stars == (mask & 4 != 0 ? mask : nil))
                #expect(found.folderID == (mask & 8 != 0 ? 2 : 1))
                #expect(found.level == (mask & 16 != 0 ? .high : nil))
            }
        }
    }
}
