import Foundation
import Strongroom

// Tokenizers as GRDB's guide to them shows: they compile unchanged, but for `any`.

/// Letters of ASCII are found for Latin letters with and without accents.
final class LatinAsciiTokenizer: FTS5WrapperTokenizer {
    static let name = "latinascii"
    let wrappedTokenizer: any FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        let transform = StringTransform("Latin-ASCII; Lower")
        if let token = token.applyingTransform(transform, reverse: false) {
            try tokenCallback(token, flags)
        } else {
            try tokenCallback(token, flags)
        }
    }
}

/// Words are found by others that mean the same.
final class SynonymsTokenizer: FTS5WrapperTokenizer {
    static let name = "synonyms"
    let wrappedTokenizer: any FTS5Tokenizer
    let synonyms: [Set<String>] = [["first", "1st"]]

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func synonyms(for token: String) -> Set<String>? {
        synonyms.first { $0.contains(token) }
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        if tokenization.contains(.query) {
            // Don't look for synonyms when querying
            try tokenCallback(token, flags)
            return
        }
        guard let synonyms = synonyms(for: token) else {
            try tokenCallback(token, flags)
            return
        }
        for (index, synonym) in synonyms.enumerated() {
            // Notify all synonyms, but mark all but the first as colocated
            let synonymFlags = (index == 0) ? flags : flags.union(.colocated)
            try tokenCallback(synonym, synonymFlags)
        }
    }
}

/// What a tokenizer may do wrong, and right: its argument says what.
final class OddTokenizer: FTS5CustomTokenizer {
    static let name = "odd"
    private let manner: String

    struct Failure: Error {}

    init(db: Database, arguments: [String]) throws {
        manner = arguments.first ?? ""
        if manner == "throws" { throw Failure() }
        if manner == "throws busy" { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        if manner == "queries" { _ = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master") }
    }

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        func token(_ count: CInt, _ start: CInt, _ end: CInt, _ flags: CInt = 0) -> CInt {
            tokenCallback(context, flags, "token", count, start, end)
        }
        switch manner {
        case "before": return token(5, -1, 1)
        case "after": return token(5, 0, nText + 1)
        case "backwards": return token(5, 1, 0)
        case "negative": return token(-1, 0, 1)
        case "none": return tokenCallback(context, 0, nil, 3, 0, 1)
        case "deaf":
            // The error of the first token is not heeded.
            _ = token(5, 0, nText + 1)
            for _ in 0..<3 { _ = token(5, 0, nText) }
            return 0
        case "row": return 100
        case "done": return 101
        case "nonsense": return 123_456
        case "full": return 13
        case "empty":
            _ = tokenCallback(context, 0, nil, 0, 0, 0)
            _ = token(0, 0, 0)
            return token(5, 0, nText)
        case "colocated": return token(5, 0, nText, 1)
        default: return nText == 0 ? 0 : token(5, 0, nText)
        }
    }
}

/// A wrapper that fails.
final class FailingTokenizer: FTS5WrapperTokenizer {
    static let name = "failing"
    let wrappedTokenizer: any FTS5Tokenizer
    private let manner: String

    struct Failure: Error {}

    init(db: Database, arguments: [String]) throws {
        manner = arguments.first ?? ""
        wrappedTokenizer = try db.makeTokenizer(
            arguments.count > 1
                ? FTS5TokenizerDescriptor(components: Array(arguments.dropFirst())) : .ascii())
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        guard token == "bad" else { return try tokenCallback(token, flags) }
        switch manner {
        case "database": throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
        case "row": throw DatabaseError(resultCode: .SQLITE_ROW)
        case "swallows":
            // The callback's own errors are not thrown on.
            try? tokenCallback(token, flags)
        default: throw Failure()
        }
    }
}
