/// What cuts texts into tokens for FTS5: the words that are searched.
///
/// `Database.makeTokenizer(_:)` gives FTS5's own tokenizers. Adopt `FTS5WrapperTokenizer` to change
/// the tokens of another tokenizer, and `FTS5CustomTokenizer` to find tokens by yourself.
///
/// <https://www.sqlite.org/fts5.html#custom_tokenizers>
public protocol FTS5Tokenizer: AnyObject {
    /// Cuts a text into tokens, and calls the callback for each of them.
    ///
    /// The callback must not be kept. A token that does not lie in the text is an error.
    ///
    /// - Parameters:
    ///   - context: What the callback wants as its first argument.
    ///   - tokenization: What the tokens are for.
    ///   - pText: The text in UTF-8, without a NUL at its end.
    ///   - nText: Its number of bytes.
    ///   - tokenCallback: What takes a token.
    /// - Returns: `SQLITE_OK`, or an error, such as the callback's.
    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt
}

/// What takes a token: a context, flags, the token and its length, where it starts and ends.
///
/// The start and the end are those of the token in the text, in bytes. What it returns, unless it is
/// `SQLITE_OK`, must be returned at once.
public typealias FTS5TokenCallback =
    @convention(c) (
        _ context: UnsafeMutableRawPointer?, _ flags: CInt, _ pToken: UnsafePointer<CChar>?,
        _ nToken: CInt, _ iStart: CInt, _ iEnd: CInt
    ) -> CInt

/// What tokens are for. <https://www.sqlite.org/fts5.html#custom_tokenizers>
public struct FTS5Tokenization: OptionSet, Sendable {
    public let rawValue: CInt

    public init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// They are searched for.
    public static let query = FTS5Tokenization(rawValue: 1)
    /// Words are searched for that begin with the last one; it comes with `query`.
    public static let prefix = FTS5Tokenization(rawValue: 2)
    /// They are put into the index, or taken out.
    public static let document = FTS5Tokenization(rawValue: 4)
    /// An auxiliary function asks for them, such as `highlight`.
    public static let aux = FTS5Tokenization(rawValue: 8)
}

/// What a token is, beyond its text.
public struct FTS5TokenFlags: OptionSet, Sendable {
    public let rawValue: CInt

    public init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// The token stands at the place of the one before: it is a synonym.
    public static let colocated = FTS5TokenFlags(rawValue: 1)
}

extension FTS5Tokenizer {
    /// The tokens of a text that is searched for.
    ///
    /// - Throws: `DatabaseError` with the code that the tokenizer returns; `SQLITE_TOOBIG` for a
    ///   text of 2 GiB.
    public func tokenize(
        query: String
    ) throws -> [(token: String, flags: FTS5TokenFlags)] {
        try tokens(of: query, for: .query)
    }

    /// The tokens by which a text is found.
    ///
    /// - Throws: `DatabaseError` with the code that the tokenizer returns; `SQLITE_TOOBIG` for a
    ///   text of 2 GiB.
    public func tokenize(
        document: String
    ) throws -> [(token: String, flags: FTS5TokenFlags)] {
        try tokens(of: document, for: .document)
    }

    private func tokens(
        of text: String, for tokenization: FTS5Tokenization
    ) throws -> [(token: String, flags: FTS5TokenFlags)] {
        guard let count = CInt(exactly: text.utf8.count) else {
            throw DatabaseError(resultCode: .SQLITE_TOOBIG)
        }
        let tokens = CollectedTokens()
        var text = text
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                CustomTokenizer.tokenize(
                    CustomTokenizer.Text(
                        start: characters.baseAddress, count: count, flags: tokenization.rawValue),
                    by: TokenizerBody(self), context: Unmanaged.passUnretained(tokens).toOpaque(),
                    callback: CollectedTokens.callback)
            }
        }
        guard code == ResultCode.SQLITE_OK.rawValue else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        return tokens.tokens
    }
}

/// The tokens of a text, while they come.
private final class CollectedTokens {
    var tokens: [(token: String, flags: FTS5TokenFlags)] = []

    static let callback: CustomTokenizer.TokenCallback = { context, flags, start, count, _, _ in
        guard let context else { return ResultCode.SQLITE_MISUSE.rawValue }
        let tokens = Unmanaged<CollectedTokens>.fromOpaque(context).takeUnretainedValue()
        tokens.tokens.append(
            (String(tokenStart: start, count: count), FTS5TokenFlags(rawValue: flags)))
        return ResultCode.SQLITE_OK.rawValue
    }
}

extension String {
    /// The text of a token, as a tokenizer lends it.
    init(tokenStart start: UnsafePointer<CChar>?, count: CInt) {
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
        self.init(decoding: bytes, as: UTF8.self)
    }
}

/// A tokenizer of Swift, as C calls it.
final class TokenizerBody: CustomTokenizer.Body {
    private let tokenizer: any FTS5Tokenizer

    init(_ tokenizer: any FTS5Tokenizer) {
        self.tokenizer = tokenizer
    }

    func tokenize(
        _ text: CustomTokenizer.Text, context: UnsafeMutableRawPointer?,
        callback: CustomTokenizer.TokenCallback
    ) -> CInt {
        tokenizer.tokenize(
            context: context, tokenization: FTS5Tokenization(rawValue: text.flags),
            pText: text.start, nText: text.count, tokenCallback: callback)
    }
}

/// A tokenizer that FTS5 has, as Swift calls it.
final class RegisteredTokenizer: FTS5Tokenizer {
    private let body: any CustomTokenizer.Body

    init(_ body: any CustomTokenizer.Body) {
        self.body = body
    }

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        body.tokenize(
            CustomTokenizer.Text(start: pText, count: nText, flags: tokenization.rawValue),
            context: context, callback: tokenCallback)
    }
}
