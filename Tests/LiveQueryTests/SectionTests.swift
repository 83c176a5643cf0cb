import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct SectionTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO items VALUES (4, 'bolt', 0, 3, 'x', 2), (5, 'milk', 0, 1, NULL, 1)
                    """)
        }
    }

    @Test(.proves("OBV-024", "OBV-028"))
    func `rows come in sections, whose names may have any type`() async throws {
        let database = library.database
        @FetchAll(Item.order(by: \.title), sectionBy: \.note, database: database) var items
        let sections: ResultsSectionCollection<Item, String?> = $items.sections
        #expect(sections.sectionNames == [nil, "", "x"] && sections[0].name == nil)
        #expect(sections[2].id == "x" && sections[2].map(\.title) == ["bolt", "mail"])
        #expect(sections[sectionName: ""]?.elements.titles == ["rice"])
        #expect(sections.contains(sectionName: nil) && !sections.contains(sectionName: "y"))
        #expect(sections.index(ofSectionNamed: "x") == 2)
        #expect(items.titles == ["milk", "tea", "rice", "bolt", "mail"])
        @FetchAll(Folder.order(by: \.id), sectionBy: \.title, database: database) var folders
        #expect($folders.sections.sectionNames == ["home", "work"] && folders.count == 2)
        @SectionedFetchAll(Item.order(by: \.id), sectionBy: \.stars, database: database)
        var byStars
        #expect($byStars.sections.sectionNames == [nil, 1, 3, 5])
        #expect(
            $byStars.sections[sectionName: 3]?.count == 2 && byStars.map(\.id) == [2, 5, 1, 4, 3])
        try await library.execute("UPDATE items SET note = 'y' WHERE id = 5")
        _ = try await value(of: $items.values) {
            $0.titles == ["tea", "rice", "bolt", "mail", "milk"]
        }
        #expect($items.sections.sectionNames == [nil, "", "x", "y"])
    }

    @Test(.proves("OBV-025"))
    func `SQLite orders sections, the query their rows`() async throws {
        let database = library.database
        @FetchAll(
            Item.order { $0.title.desc() }, sectionBy: { $0.note.desc(nulls: .last) },
            database: database)
        var items
        #expect($items.sections.sectionNames == ["x", "", nil])
        #expect($items.sections[0].map(\.title) == ["mail", "bolt"])
        // NOCASE has equal names apart that are one.
        try await library.execute("UPDATE items SET note = CASE id WHEN 1 THEN 'X' ELSE 'x' END")
        try await library.execute("UPDATE items SET note = 'x' WHERE id = 5")
        let apart = FetchAll(
            Item.order(by: \.id), sectionBy: { $0.note.collate(.nocase) }, database: database)
        #expect(Set(apart.sections.sectionNames) == ["x", "X"] && apart.wrappedValue.count == 5)
    }

    @Test(.proves("OBV-026"), arguments: [true, false, nil])
    func `the names may depend on conditions, and on all tables`(choice: Bool?) throws {
        let joined = Folder.join(Item.all) { $0.id.eq($1.folderID) }.order { $0.1.id }
            .select { ($0.title, $1.title) }
        let items = FetchAll(
            joined,
            sectionBy: { folder, item in
                switch choice {
                case true?: folder.title.upper()
                case false?: item.note.desc()
                case nil: nil
                }
            }, database: library.database)
        let expected: [String?] =
            switch choice {
            case true?: ["HOME", "WORK"]
            case false?: ["x", "", nil]
            case nil: [nil]
            }
        #expect(items.sections.sectionNames == expected && items.wrappedValue.count == 5)
        let isWanted = choice ?? false
        let optional = FetchAll(
            Item.all, sectionBy: { if isWanted { $0.title } }, database: library.database)
        #expect(optional.sections.count == (isWanted ? 5 : 1))
        let none = FetchAll(Item.none, sectionBy: { _ in nil }, database: library.database)
        #expect(none.sections.isEmpty)
        let plain = FetchAll(Item.all, database: library.database)
        #expect(plain.sections.sectionNames == [nil] && plain.sections[0].count == 5)
        #expect(FetchAll(Item.none, database: library.database).sections.isEmpty)
    }

    @Test(.proves("OBV-027"))
    func `load replaces the sections`() async throws {
        let database = library.database
        @FetchAll(Item.order(by: \.id), sectionBy: \.note, database: database) var items
        try await $items.load(Item.order { $0.id.desc() }, sectionBy: \.title)
        #expect($items.sections.sectionNames == ["bolt", "mail", "milk", "rice", "tea"])
        try await $items.load(Item.order(by: \.id), sectionBy: { $0.note.upper() })
        #expect($items.sections.sectionNames == [nil, "", "X"])
        try await $items.load(Item.order(by: \.id))
        #expect($items.sections.sectionNames == [nil] && items.map(\.id) == [1, 2, 3, 4, 5])
        @SectionedFetchAll(Item.all, sectionBy: \.stars, database: database) var byStars
        try await $byStars.load(Item.order(by: \.id), sectionBy: { $0.stars.desc() })
        #expect($byStars.sections.sectionNames == [5, 3, 1, nil])
    }
}
