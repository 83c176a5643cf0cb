import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Tokenizers that fail.
extension TokenizerTests {
    func create(_ tokenizer: FTS5TokenizerDescriptor, _ db: Database) throws {
        try db.create(virtualTable: "t", using: FTS5()) { t in
            t.tokenizer = tokenizer
            t.column("x")
        }
    }

    @Test(.needsFTS5, .proves("FTS-016"))
    func `A tokenizer that can't be made makes no table`() throws {
        try queue.write { db throws in
            let codes: [(String, ResultCode)] = [
                ("throws", .SQLITE_ERROR), ("throws busy", .SQLITE_BUSY),
            ]
            for (manner, code) in codes {
                let odd = OddTokenizer.tokenizerDescriptor(arguments: [manner])
                let error = DatabaseError.thrown { try create(odd, db) }
                #expect(error?.message == "error in tokenizer constructor")
                #expect(error?.resultCode == code)
                let making = DatabaseError.thrown { _ = try db.makeTokenizer(odd) }
                #expect(making?.message == "error in tokenizer constructor: odd")
                #expect(making?.resultCode == code)
                #expect(try !db.tableExists("t"))
            }
            try create(OddTokenizer.tokenizerDescriptor(arguments: ["queries"]), db)
        }
    }

    @Test(
        .needsFTS5,
        arguments: [
            "before", "after", "backwards", "negative", "none", "deaf", "row", "nonsense", "full",
        ])
    func `A tokenizer that breaks the rules fails the statement`(_ manner: String) throws {
        try queue.inDatabase { db throws in
            let odd = OddTokenizer.tokenizerDescriptor(arguments: [manner])
            try create(odd, db)
            let code: ResultCode = manner == "full" ? .SQLITE_FULL : .SQLITE_ERROR
            let insertion = DatabaseError.thrown {
                try db.execute(sql: "INSERT INTO t VALUES ('text')")
            }
            #expect(insertion?.resultCode == code)
            let search = DatabaseError.thrown {
                _ = try Table("t").matching(FTS5Pattern(matchingPhrase: "a")).fetchAll(db)
            }
            #expect(search?.resultCode == code)
            let tokenization = DatabaseError.thrown {
                _ = try db.makeTokenizer(odd).tokenize(document: "text")
            }
            #expect(tokenization?.resultCode == code)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    @Test(.needsFTS5, arguments: ["", "done", "empty", "colocated"])
    func `A tokenizer that is odd, but breaks no rule, does`(_ manner: String) throws {
        try queue.inDatabase { db throws in
            let odd = OddTokenizer.tokenizerDescriptor(arguments: [manner])
            try create(odd, db)
            try db.execute(sql: "INSERT INTO t VALUES ('text')")
            let found = try Table("t").matching(FTS5Pattern(matchingPhrase: "a"))
                .select(sql: "highlight(t, 0, '[', ']')", as: String.self).fetchAll(db)
            #expect(found == (manner == "done" ? [] : ["[text]"]))
            let tokens = try db.makeTokenizer(odd).tokenize(document: "text")
            #expect(tokens.map(\.token) == (manner == "done" ? [] : ["token"]))
            #expect(tokens.allSatisfy { $0.flags == [] })
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    @Test(.needsFTS5, .proves("FTS-017"))
    func `An error in a wrapper fails the statement`() throws {
        let codes: [(String, ResultCode)] = [
            ("", .SQLITE_ERROR), ("database", .SQLITE_CONSTRAINT), ("row", .SQLITE_ERROR),
        ]
        for (manner, code) in codes {
            try queue.inDatabase { db throws in
                try create(FailingTokenizer.tokenizerDescriptor(arguments: [manner]), db)
                try db.execute(sql: "INSERT INTO t VALUES ('good text')")
                let insertion = DatabaseError.thrown {
                    try db.execute(sql: "INSERT INTO t VALUES ('a bad text')")
                }
                #expect(insertion?.resultCode == code)
                let search = DatabaseError.thrown {
                    _ = try Table("t").matching(FTS5Pattern(matchingPhrase: "bad")).fetchAll(db)
                }
                #expect(search?.resultCode == code)
                #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 1)
                try db.drop(table: "t")
            }
        }
    }

    @Test(.proves("FTS-017"))
    func `An error of the callback reaches the statement, through wrappers that swallow it`() throws
    {
        try queue.inDatabase { db throws in
            // The inner wrapper swallows what the outer one throws.
            let outer = FailingTokenizer.tokenizerDescriptor(arguments: ["", "failing", "swallows"])
            try create(outer, db)
            let insertion = DatabaseError.thrown {
                try db.execute(sql: "INSERT INTO t VALUES ('a bad text')")
            }
            #expect(insertion?.resultCode == .SQLITE_ERROR)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
        }
    }
}
