extension String {
    /// A statement as it may stand inside another: without what follows its last word.
    ///
    /// A semicolon would end the statement around it, and a comment would swallow some of it.
    var embeddableStatement: String {
        var lexemes = SQLLexemes(utf8)
        var end = utf8.startIndex
        while let lexeme = lexemes.next() {
            if lexeme.isMeaningful { end = lexeme.range.upperBound }
        }
        return String(self[..<end])
    }
}
