// SQLite's messages quote the token at fault, and its log quotes whole statements, within brackets or
// quotation marks of its own. They are therefore not read as SQL: what may carry a key is cut off.

extension String {
    /// A message of SQLite with every key in it replaced by an ellipsis.
    package func redactingKeysInMessage() -> String {
        guard let statement = startOfStatementWithKey else { return redactingHexadecimalKeys() }
        return self[..<statement].redactingQuotedText() + "…"
    }

    /// The text with everything between quotes replaced by an ellipsis.
    package func redactingQuotedText() -> String {
        self[...].redactingQuotedText()
    }

    /// Where a statement begins that may carry a key, or where the key of a URI does.
    private var startOfStatementWithKey: String.Index? {
        // Lower case in ASCII alone keeps every byte where it is.
        let lower = String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        guard lower.contains("key") || lower.contains("file:") else { return nil }
        let starts = ["pragma", "attach"].compactMap { word -> String.Index? in
            guard let start = lower.firstRange(of: word) else { return nil }
            return lower[start.upperBound...].contains("key") ? start.lowerBound : nil
        }
        let ofParameter = lower.firstRange(of: "key=")?.upperBound
        let ends = starts + [ofParameter, lower.startOfParametersWithKey].compactMap(\.self)
        guard let start = ends.min() else { return nil }
        return utf8.index(
            startIndex, offsetBy: lower.utf8.distance(from: lower.startIndex, to: start))
    }

    /// Replaces runs of hexadecimal digits that are as long as a key.
    private func redactingHexadecimalKeys() -> String {
        var result = ""
        var run = ""
        func endRun() {
            result += run.utf8.count >= 64 ? "…" : run
            run = ""
        }
        for character in self {
            if character.isHexDigit {
                run.append(character)
            } else {
                endRun()
                result.append(character)
            }
        }
        endRun()
        return result
    }
}

extension String {
    /// Where the parameters of a URI begin that gives a key by a name with escapes.
    fileprivate var startOfParametersWithKey: String.Index? {
        var rest = self[...]
        while let start = rest.firstRange(of: "file:") {
            rest = rest[start.upperBound...]
            let uri = self[start.lowerBound...].prefix { !"'\"`".contains($0) }
            if !uri.contains("key="), KeyURI.givesKey(String(uri)),
                let query = uri.firstIndex(of: "?")
            {
                return index(after: query)
            }
        }
        return nil
    }
}

extension Substring {
    fileprivate func redactingQuotedText() -> String {
        var result = ""
        var quote: Character?
        for character in self {
            if let open = quote {
                guard character == open else { continue }
                quote = nil
                result += "…"
            } else if character == "'" || character == "\"" || character == "`" {
                quote = character
            }
            result.append(character)
        }
        return result
    }
}
