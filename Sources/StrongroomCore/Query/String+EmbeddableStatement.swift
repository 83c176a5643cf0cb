extension String {
    /// A statement as it may stand inside another: without what follows its last word.
    ///
    /// A semicolon would end the statement around it, and a comment would swallow some of it.
    var embeddableStatement: String {
        withSQLLexer { lexer in
            var end = 0
            while let token = lexer.nextAfterSemicolons() { end = token.range.upperBound }
            // A NUL is refused where the statement is prepared.
            let isWhole = lexer.position == lexer.bytes.count
            return isWhole ? String(decoding: lexer.bytes[..<end], as: UTF8.self) : self
        }
    }
}
