import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

/// A connection on which FTS5's interface is not to be had, as with a SQLCipher without FTS5.
@Suite("Without FTS5", .proves("POR-01"))
struct MissingModuleTests {
    private let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // It is asked for by a function of this name.
            db.add(function: DatabaseFunction("fts5", argumentCount: 1) { _ in nil })
            db.add(tokenizer: LatinAsciiTokenizer.self)
        }
        queue = try DatabaseQueue(configuration: configuration)
    }

    @Test("a table says what is missing")
    func table() throws {
        let error = DatabaseError.thrown {
            try queue.write { db in
                try db.create(virtualTable: "book", using: FTS5()) { $0.column("title") }
            }
        }
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(error?.message?.contains("no FTS5") == true)
    }

    @Test("tokenizers and patterns throw")
    func tokenizers() throws {
        for descriptor in [.ascii(), .unicode61(), LatinAsciiTokenizer.tokenizerDescriptor()] {
            let error = DatabaseError.thrown {
                try queue.read { _ = try $0.makeTokenizer(descriptor) }
            }
            #expect(error?.message?.contains("no FTS5") == true)
        }
        #expect(throws: DatabaseError.self) {
            try queue.read { _ = try $0.makeFTS5Pattern(rawPattern: "a", forTable: "missing") }
        }
    }

    @Test("the functions of its interface answer an error")
    func interface() throws {
        try queue.read { db in
            let api = UnsafeMutablePointer(mutating: FTS5.api(db))
            var tokenizer = fts5_tokenizer()
            var data: UnsafeMutableRawPointer?
            #expect(api.pointee.xFindTokenizer(api, "ascii", &data, &tokenizer) == SQLITE_ERROR)
            #expect(
                api.pointee.xCreateTokenizer(api, "mine", nil, &tokenizer, nil) == SQLITE_ERROR)
            #expect(api.pointee.xCreateFunction(api, "mine", nil, nil, nil) == SQLITE_ERROR)
            #expect(api.pointee.iVersion == 2)
        }
    }
}
