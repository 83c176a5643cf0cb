import StrongroomTestSupport
import Testing

// The rest of list A, but for what belongs to observation, seeds and functions of one's own.
extension RefusedQueriesTests {
    @Test(.proves("BYD-001"))
    func `Functions take the values that they are for`() throws {
        try expect(
            """
            func functions() {
                _ = Item.select { $0.title.groupConcat(", ") }
                _ = Item.select { $0.id.groupConcat() } // error:
                _ = Item.select { $0.title.groupConcat(", ", distinct: true) } // error: | error:
                _ = Item.select { $0.id.sum().over() }
                _ = Item.select { $0.title.upper().over() } // error: | error:
                _ = Item.select { _ in rowNumber().over() }
                _ = Item.select { rowNumber() } // error: | error:
                _ = Item.select { $0.stars.lag(1) } // error: | error: | error: | error:
                _ = Item.select { $0.weight.floor() }
                _ = Item.select { $0.id.floor() } // error: | error:
                _ = Item.select { $0.due.year }
                _ = Item.select { $0.title.year } // error: | error:
                _ = Item.select { $0.due(.days(1)) }
                _ = Item.select { $0.title(.days(1)) } // error: | error:
            }
            """)
    }

    @Test
    func `Documents have the members of their types`() throws {
        try expect(
            """
            func documents() {
                _ = Book.where { $0.author.jsonExtract(\\.name).eq("a") }
                _ = Book.where { $0.title.jsonExtract(\\.name).eq("a") } // error:
                _ = Book.where { $0.author.jsonExtract(\\.nope).eq("a") } // error:
                _ = Book.update { $0.author = $0.author.jsonSet(\\.name, "b") }
                _ = Book.update { $0.author = $0.author.jsonSet(\\.name, 1) } // error:
                _ = Book.update { $0.author = $0.author.jsonAppend(\\.lines, "x") }
                _ = Book.update { $0.author = $0.author.jsonAppend(\\.name, "x") } // error:
            }
            """)
    }

    @Test(.proves("TEX-043"))
    func `What has no elements is told from what has`() throws {
        try expect(
            """
            func elements() {
                _ = Book.where { $0.author.jsonEach(\\.lines).where { $0.value.eq("a") }.exists() }
                _ = Book.where { $0.title.jsonEach().exists() } // error: 'jsonEach()' is unavailable: the column is not stored as JSON
                _ = Book.where { $0.title.jsonbEach().exists() } // error: 'jsonbEach()' is unavailable: the column is not stored as JSON
                _ = Book.where { $0.author.jsonEach().exists() } // error: 'jsonEach()' is unavailable: the document is no array or dictionary
                _ = Book.where { $0.author.jsonbEach().exists() } // error: 'jsonbEach()' is unavailable: the document is no array or dictionary
                _ = Book.where { $0.author.jsonEach(\\.name).exists() } // error: 'jsonEach' is unavailable: the part is no array or dictionary
                _ = Book.where { $0.author.jsonbEach(\\.name).exists() } // error: 'jsonbEach' is unavailable: the part is no array or dictionary
            }
            """)
    }

    @Test(.proves("BYD-012"))
    func `Queries fit together when their rows do`() throws {
        try expect(
            """
            func together(db: Database) throws {
                let joined = Folder.leftJoin(Item.all) { $0.id.eq($1.folderID) }
                let _: [(Folder, Item?)] = try joined.fetchAll(db)
                let _: [(Folder, Item)] = try joined.fetchAll(db) // error:
                let _: [String?] = try joined.select { $1.title }.fetchAll(db)
                let _: [String] = try joined.select { $1.title }.fetchAll(db) // error:
                _ = Item.select(\\.id).union(Folder.select(\\.id))
                _ = Item.select(\\.id).union(Folder.select(\\.title)) // error:
                _ = Item.select(\\.id).union(Item.select { ($0.id, $0.title) }) // error:
                let pairs = Item.select { ($0.id, $0.title) }
                _ = pairs.union(pairs).order { $0.1.desc() }
                _ = pairs.union(pairs).order { $0.1.upper() } // error:
                _ = pairs.union(pairs).order { $0.1 + "x" } // error:
                _ = Names.from(Item.select { Names.Columns(name: $0.title) })
                _ = Names.from(Item.all) // error:
                _ = Enrollment.select { $0.times.made.count() }
                _ = Enrollment.select { $0.times.count() } // error: | error:
            }
            """)
    }

    @Test
    func `A truth value of Swift is no condition`() throws {
        try expect(
            """
            func truth(flag: Bool) {
                _ = Item.where { _ in #bind(flag) }
                _ = Item.where { _ in true }
                _ = Item.where { _ in flag } // error: 'buildBlock' is unavailable: use 'eq', 'is' or 'isNot'
                _ = Item.where { $0.due.isNot(nil) }
                _ = Item.where { $0.due != nil } // error: 'buildBlock' is unavailable: use 'eq', 'is' or 'isNot' | warning: comparing non-optional value
            }
            """)
    }

    @Test(.proves("TRG-002", "TRG-004", "TRG-014", "TRG-015"))
    func `Triggers and views have the rows and statements that SQLite has`() throws {
        try expect(
            """
            @Table(.view) struct Done { let id: Int; var title = "" }
            func trigger(_ operation: TriggerOperation<Item>) {}
            func triggers() {
                trigger(.insert { new in Folder.find(new.folderID).update { $0.rank += 1 } })
                trigger(.update { old, new in Folder.where { $0.title.eq(old.title) }.delete() })
                trigger(.delete { old, new in Folder.delete() }) // error:
                trigger(.insert { old, new in Folder.delete() }) // error:
                trigger(.insert { new in Item.delete().returning(\\.id) }) // warning: result of call
                trigger(.insert { new in 1 }) // warning: integer literal is unused
                trigger(.insert { new in Item.where { $0.id.eq(new.title) } }) // error:
                trigger(.update(touch: \\.due))
                trigger(.update(touch: \\.title)) // error:
                let done = Item.select { Done.Columns(id: $0.id, title: $0.title) }
                _ = Done.createTemporaryView(as: done)
                _ = Done.createTemporaryView(as: Item.all) // error:
                _ = Done.createView(as: done)
                _ = Done.createView(as: Item.select { ($0.id, $0.title) }) // error:
            }
            """)
    }

    @Test
    func `Rows of a view have no number`() throws {
        try expect(
            """
            @Table(.view) struct Open { let id: Int; var title = "" }
            @Table(withoutRowID: true) struct Pair { let id: Int }
            func views() {
                _ = Item.where { $0.rowid.eq(1) }
                _ = Open.where { $0.id.eq(1) }
                _ = Open.where { $0.rowid.eq(1) } // error:
                _ = Pair.where { $0.rowid.eq(1) } // error:
            }
            """)
    }

    @Test
    func `A default scope is a query on the type, without joins`() throws {
        try MacroClient(
            """
            @Table struct Box { let id: Int; var isOld = false }
            @Table struct Thing {
                let id: Int
                static let all = Box.where { !$0.isOld } // error: the default scope of 'Thing' is a query on 'Self'
            }
            @Table struct Other {
                let id: Int
                static let all = Self.join(Box.all) { $0.id.eq($1.id) } // error: a default scope has no joins
            }
            """
        ).expectDiagnostics()
    }

    @Test(.proves("LIT-021"))
    func `A description is not taken for SQL`() throws {
        try MacroClient(
            #"""
            @Table struct Box { let id: Int; var title = "" }
            func texts() {
                _ = Box.select { $0.title + "!" }
                _ = Box.select { #sql("\($0.title)", as: String.self) }
                let number = 1
                _ = "\(number) \("x")"
                _ = "\(Box.columns.title)" // warning: 'appendInterpolation' is deprecated: this makes a description, no SQL: use '+' for text in SQL, '#sql' for SQL
                _ = "\(Box.columns.id + 1)" // warning: 'appendInterpolation' is deprecated
            }
            """#
        ).expectDiagnostics()
    }
}
