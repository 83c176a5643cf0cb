extension String {
    /// The name of a function, collation or type: as it is where SQL needs no quotes, or else quoted.
    var plainOrQuotedName: String {
        isPlainName ? self : quotedDatabaseIdentifier
    }

    private var isPlainName: Bool {
        guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
        let isWord = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
        }
        return isWord && !SQLKeyword.contains(self)
    }
}
