extension TidyRule {
    static let fileLength = TidyRule("file length") { file in
        // The newline at the end begins one more, which is empty.
        guard file.isSwift, !file.isGenerated, file.lines.count > 301 else { return [] }
        return [
            Complaint(
                line: 301, advice: "300 lines at most: move an aspect to `Type+Aspect.swift`.")
        ]
    }

    static let functionLength = TidyRule("function length") { file in
        // A test may hold a table of cases, which has no parts.
        let limit = file.isInside("Sources") ? 45 : 60
        return file.functions.filter { $0.length > limit }.map {
            Complaint(
                line: $0.line,
                advice: "\($0.length) lines, where \(limit) are the most: name its parts.")
        }
    }
}

extension SourceFile {
    /// Whether `Scripts/families` writes it.
    var isGenerated: Bool { isInside("Sources/StrongroomTablesRuntime/Variadic") }

    struct Function: Equatable {
        /// Where it is declared, counted from 1.
        var line: Int
        /// The lines between its braces.
        var length: Int
    }

    /// The functions, initialisers and subscripts that have a body.
    var functions: [Function] {
        code.indices.compactMap { index in
            guard Self.declarationWords.contains(where: code[index].hasBytes),
                code[index].contains(#/(?:^|[\s)])(?:func\s|init[?<(]|deinit\s|subscript[<(])/#),
                !code[index].contains(#/[.=]\s*init\(|\breturn\b|\btry\b/#)
            else { return nil }
            return bodyLength(from: index).map { Function(line: index + 1, length: $0) }
        }
    }

    private static let declarationWords = ["func ", "init", "subscript"]

    /// The lines of the first block that follows in the same declaration; nil if there is none, as
    /// in a protocol.
    private func bodyLength(from first: Int) -> Int? {
        var parentheses = 0
        var braces = 0
        var start = first
        for index in first..<code.count {
            if index > first, braces == 0, parentheses == 0, !continuesDeclaration(code[index]) {
                return nil
            }
            for byte in code[index].utf8 {
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
                case UInt8(ascii: "{") where parentheses == 0 || braces > 0:
                    if braces == 0 { start = index }
                    braces += 1
                case UInt8(ascii: "}") where braces > 0:
                    braces -= 1
                    if braces == 0 { return max(index - start - 1, 0) }
                default: break
                }
            }
        }
        return nil
    }

    private func continuesDeclaration(_ line: String) -> Bool {
        let line = line.drop { $0 == " " }
        return ["{", "where ", "->", "throws", "async", ")", "rethrows"].contains {
            line.hasPrefix($0)
        }
            || line.contains(" {")
    }
}
