import Strongroom
import StrongroomTestSupport
import Testing

/// Code as it is written for GRDB 7, for each public type and family of methods, compiled in both
/// language modes and run on an encrypted database.
@Suite struct SnippetTests {
    let fixture: FixtureDatabase
    let snippet = SnippetLog()

    init() throws {
        fixture = try FixtureDatabase()
    }

    private func inLibrary(_ body: (Database) throws -> Void) throws {
        let queue = try fixture.open()
        try makeLibrary(queue)
        try queue.write(body)
    }

    @Test(.proves("CMP-95"))
    func `Requests, associations and their expressions`() throws {
        try inLibrary { db in
            try requestSnippets(db, snippet)
            try associationSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 40)
    }

    @Test(.proves("CMP-95"))
    func `Expressions and cursors`() throws {
        try inLibrary { db in
            try expressionSnippets(db, snippet)
            try cursorSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 39)
    }

    @Test(.proves("CMP-95"))
    func `Selections, batch changes and each kind of association`() throws {
        try inLibrary { db in
            try selectionSnippets(db, snippet)
            try associationKindSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 42)
    }

    @Test(.proves("CMP-95"))
    func `Values, rows, statements and errors`() throws {
        try inLibrary { db in
            try valueSnippets(db, snippet)
            try conversionSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 36)
    }

    @Test(.proves("CMP-95"))
    func `Records and schemas`() throws {
        try inLibrary { db in
            try recordSnippets(db, snippet)
            try schemaSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 20)
    }

    @Test(.proves("CMP-95"))
    func `Records as the guides write them, and their strategies`() throws {
        try inLibrary { db in
            try recordRecipeSnippets(db, snippet)
            try recordWriteSnippets(db, snippet)
            try strategySnippets(db, snippet)
        }
        #expect(snippet.titles.count == 24)
    }

    @Test(.proves("CMP-95"))
    func `Definitions of tables, and migrations`() throws {
        try inLibrary { db in try definitionSnippets(db, snippet) }
        try migrationSnippets(snippet)
        #expect(snippet.titles.count == 24)
    }

    @Test(.proves("CMP-95"))
    func `Accesses and observations`() async throws {
        let pool = try fixture.openPool()
        try makeLibrary(pool)
        try accessSnippets(pool, snippet)
        try connectionSnippets(pool, snippet)
        try observingSnippets(pool, snippet)
        try await asyncObservingSnippets(pool, snippet)
        try await asyncSnippets(pool, snippet)
        #expect(snippet.titles.count == 49)
    }

    @Test(.proves("CMP-95"))
    func `Types that are met more rarely`() throws {
        try inLibrary { db in
            try rarerSnippets(db, snippet)
            try namedTypeSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 40)
    }

    @Test(.proves("CMP-95"))
    func `Full-text search without FTS5`() throws {
        try inLibrary { db in try searchSnippets(db, snippet) }
        #expect(snippet.titles.count == 6)
    }

    @Test(.proves("CMP-95"), .needsFTS5)
    func `Full-text search with FTS5`() throws {
        try inLibrary { db in try fullTextSnippets(db, snippet) }
        #expect(snippet.titles.count == 8)
    }

    @Test(.proves("CMP-96"))
    func `What libraries hang on`() throws {
        let queue = try fixture.open()
        try makeLibrary(queue)
        try librarySnippets(queue, snippet)
        #expect(snippet.titles.count == 32)
    }
}
