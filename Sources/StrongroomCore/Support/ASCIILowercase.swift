extension String {
    /// The name as SQLite compares names: letters of ASCII in any case.
    package var asciiLowercased: String {
        String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
