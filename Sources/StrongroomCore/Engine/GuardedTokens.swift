internal import CSQLCipher

/// Stands between a tokenizer and who asked for the tokens: FTS5 believes what a tokenizer says,
/// and would read outside of a text whose token ends after it.
// Safety: it lives on the stack during one call, and so do the pointers in it.
@safe struct GuardedTokens {
    private let context: UnsafeMutableRawPointer?
    private let callback: CustomTokenizer.TokenCallback
    private let textCount: CInt
    /// What was answered to the last token.
    private var code = SQLITE_OK
    private var isFirst = true

    static func tokenize(
        _ text: CustomTokenizer.Text, by body: any CustomTokenizer.Body,
        _ context: UnsafeMutableRawPointer?, _ callback: CustomTokenizer.TokenCallback
    ) -> CInt {
        guard text.count >= 0 else { return SQLITE_MISUSE }
        var tokens = unsafe GuardedTokens(
            context: context, callback: callback, textCount: text.count)
        return unsafe withUnsafeMutablePointer(to: &tokens) { tokens in
            let code = unsafe body.tokenize(text, context: tokens) {
                tokens, flags, text, count, start, end in
                guard let tokens = unsafe tokens else { return SQLITE_MISUSE }
                return unsafe tokens.assumingMemoryBound(to: GuardedTokens.self).pointee
                    .take(flags, text, count, start, end)
            }
            return unsafe tokens.pointee.result(code)
        }
    }

    private init(
        context: UnsafeMutableRawPointer?, callback: CustomTokenizer.TokenCallback, textCount: CInt
    ) {
        unsafe self.context = context
        unsafe self.callback = callback
        self.textCount = textCount
    }

    private mutating func take(
        _ flags: CInt, _ token: UnsafePointer<CChar>?, _ count: CInt, _ start: CInt, _ end: CInt
    ) -> CInt {
        // A tokenizer that does not stop when it is told to gets the same answer again.
        guard code == SQLITE_OK else { return code }
        guard count >= 0, start >= 0, start <= end, end <= textCount,
            unsafe token != nil || count == 0
        else {
            code = SQLITE_ERROR
            return code
        }
        // There is nothing to be found by an empty token.
        guard count > 0 else { return SQLITE_OK }
        // The first token has none before it at whose place it could stand.
        let flags = isFirst ? flags & ~FTS5_TOKEN_COLOCATED : flags
        isFirst = false
        code = unsafe callback(context, flags, token, count, start, end)
        return code
    }

    /// What a tokenizer may answer: that all is well, or an error.
    private func result(_ answer: CInt) -> CInt {
        if code != SQLITE_OK, code != SQLITE_DONE { return code }
        if answer == SQLITE_OK || answer == SQLITE_DONE { return SQLITE_OK }
        return Self.failure(answer)
    }

    /// The code of an error: what is none would make a statement look as if it had given a row.
    static func failure(_ code: CInt) -> CInt {
        (SQLITE_ERROR...SQLITE_WARNING).contains(code & 0xff) ? code : SQLITE_ERROR
    }

    static func failure(_ error: any Error) -> CInt {
        failure((error as? DatabaseError)?.extendedResultCode.rawValue ?? SQLITE_ERROR)
    }
}

extension CustomTokenizer {
    /// The code that stands for an error that Swift throws.
    package static func code(of error: any Error) -> CInt { GuardedTokens.failure(error) }
}
