/// A tokenizer that takes the tokens of another, and gives them on, changed, left out or multiplied.
///
///     final class WithoutArticles: FTS5WrapperTokenizer {
///         static let name = "withoutarticles"
///         let wrappedTokenizer: any FTS5Tokenizer
///
///         init(db: Database, arguments: [String]) throws {
///             wrappedTokenizer = try db.makeTokenizer(.unicode61())
///         }
///
///         func accept(
///             token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
///             tokenCallback: FTS5WrapperTokenCallback
///         ) throws {
///             if token != "the" { try tokenCallback(token, flags) }
///         }
///     }
public protocol FTS5WrapperTokenizer: FTS5CustomTokenizer {
    /// The tokenizer whose tokens are taken.
    var wrappedTokenizer: any FTS5Tokenizer { get }

    /// Takes a token of the wrapped tokenizer, and gives on what shall stand for it.
    ///
    /// Synonyms are given on one after the other, all but the first with the flag `colocated`, when
    /// documents are tokenized or when queries are, not both. Errors of the callback must be thrown
    /// on; any error makes the statement fail.
    ///
    /// - Throws: To make the statement fail with the code of the error; what `tokenCallback`
    ///   throws.
    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws
}

/// What takes the tokens that a wrapper gives on.
public typealias FTS5WrapperTokenCallback = (_ token: String, _ flags: FTS5TokenFlags) throws ->
    Void

extension FTS5WrapperTokenizer {
    public func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        // What the closure of `accept` does is done here: it needs the context and the callback.
        let wrapping = WrappedTokens { token, flags, start, end in
            try self.accept(token: token, flags: flags, for: tokenization) { token, flags in
                try WrappedTokens.give(
                    token, flags, start, end, to: tokenCallback, context: context)
            }
        }
        return withExtendedLifetime(wrapping) {
            let code = wrappedTokenizer.tokenize(
                context: Unmanaged.passUnretained(wrapping).toOpaque(), tokenization: tokenization,
                pText: pText, nText: nText, tokenCallback: WrappedTokens.callback)
            return wrapping.code == ResultCode.SQLITE_OK.rawValue ? code : wrapping.code
        }
    }
}

/// The way of tokens through a wrapper.
private final class WrappedTokens {
    private let accept: (String, FTS5TokenFlags, CInt, CInt) throws -> Void
    /// What came of it so far. A wrapped tokenizer need not pass an error on.
    private(set) var code = ResultCode.SQLITE_OK.rawValue

    init(_ accept: @escaping (String, FTS5TokenFlags, CInt, CInt) throws -> Void) {
        self.accept = accept
    }

    static let callback: FTS5TokenCallback = { context, flags, token, count, start, end in
        guard let context else { return ResultCode.SQLITE_MISUSE.rawValue }
        return Unmanaged<WrappedTokens>.fromOpaque(context).takeUnretainedValue()
            .take(
                String(tokenStart: token, count: count), FTS5TokenFlags(rawValue: flags), start, end
            )
    }

    private func take(
        _ token: String, _ flags: FTS5TokenFlags, _ start: CInt, _ end: CInt
    ) -> CInt {
        guard code == ResultCode.SQLITE_OK.rawValue else { return code }
        do {
            try accept(token, flags, start, end)
        } catch let end as EndOfTokens {
            code = end.code
        } catch {
            code = CustomTokenizer.code(of: error)
        }
        return code
    }

    /// Whoever asked for the tokens wants no more of them.
    private struct EndOfTokens: Error {
        let code: CInt
    }

    static func give(
        _ token: String, _ flags: FTS5TokenFlags, _ start: CInt, _ end: CInt,
        to callback: FTS5TokenCallback, context: UnsafeMutableRawPointer?
    ) throws {
        var token = token
        let code = token.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                callback(
                    context, flags.rawValue, characters.baseAddress,
                    CInt(clamping: characters.count), start, end)
            }
        }
        guard code != ResultCode.SQLITE_OK.rawValue else { return }
        if code == ResultCode.SQLITE_DONE.rawValue { throw EndOfTokens(code: code) }
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
}
