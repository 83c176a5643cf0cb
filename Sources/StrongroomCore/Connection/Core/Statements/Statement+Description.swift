// A statement as text.

extension Statement: CustomStringConvertible {
    public var description: String {
        "SQL: \(sql.redactingKeys())"
    }
}

extension String {
    /// The text without white space around it and without final semicolons.
    func trimmingStatement() -> String {
        var text = Substring(self)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
        return String(text)
    }
}
