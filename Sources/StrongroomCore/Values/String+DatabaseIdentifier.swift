extension String {
    /// The name of a table, column or the like as SQL writes it: between double quotes.
    ///
    ///     "order".quotedDatabaseIdentifier     // "order"
    ///     "the \"x\"".quotedDatabaseIdentifier // "the ""x"""
    ///
    /// No name can end its quotes, since the quotes inside are doubled. A name that contains a NUL,
    /// at which SQLite would stop reading, makes the whole statement be refused.
    ///
    /// <https://www.sqlite.org/lang_keywords.html>
    public var quotedDatabaseIdentifier: String {
        guard hasQuote else { return "\"" + self + "\"" }
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in utf8 {
            bytes.append(byte)
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether there is a quote in it; most names have none.
    var hasQuote: Bool {
        // What is looked for is one byte, never part of another character.
        utf8.contains(UInt8(ascii: "\""))
    }
}
