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
    func `Values, rows, statements and errors`() throws {
        try inLibrary { db in try valueSnippets(db, snippet) }
        #expect(snippet.titles.count == 16)
    }

    @Test(.proves("CMP-95"), .needsFTS5)
    func `Records and schemas`() throws {
        try inLibrary { db in
            try recordSnippets(db, snippet)
            try schemaSnippets(db, snippet)
        }
        #expect(snippet.titles.count == 20)
    }

    @Test(.proves("CMP-95"))
    func `Accesses and observations`() async throws {
        let pool = try fixture.openPool()
        try makeLibrary(pool)
        try accessSnippets(pool, snippet)
        try await asyncSnippets(pool, snippet)
        #expect(snippet.titles.count == 15)
    }

    @Test(.proves("CMP-95"), .needsFTS5)
    func `Types that are met more rarely`() throws {
        try inLibrary { db in try rarerSnippets(db, snippet) }
        #expect(snippet.titles.count == 26)
    }

    @Test(.proves("CMP-96"), .needsFTS5)
    func `What libraries hang on`() throws {
        let queue = try fixture.open()
        try makeLibrary(queue)
        try librarySnippets(queue, snippet)
        #expect(snippet.titles.count == 33)
    }
}
