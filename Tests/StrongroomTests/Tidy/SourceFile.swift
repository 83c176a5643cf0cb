import Foundation

/// A text file of the package, as tidiness sees it.
struct SourceFile: Sendable {
    /// Relative to the package.
    let path: String
    let lines: [String]
    /// The lines of a Swift file without what comments and strings say, so that a brace is a brace.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = Self.split(text)
        code = path.hasSuffix(".swift") ? Self.split(Self.blanked(text)) : []
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    func isInside(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

    private static func split(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Every character of comments and of strings becomes a space; delimiters of strings stay.
    static func blanked(_ text: String) -> String {
        var blanker = Blanker(bytes: Array(text.utf8))
        return blanker.run()
    }
}

extension StringProtocol {
    /// Whether it contains a text, byte for byte; `contains` takes many times as long.
    func hasBytes(of text: String) -> Bool {
        withCString { line in text.withCString { strstr(line, $0) != nil } }
    }
}

/// Walks over Swift source and blanks what is not code. It knows nested comments, raw strings, strings
/// of many lines, interpolation (which it blanks: no rule looks inside) and `#/…/#`.
private struct Blanker {
    let bytes: [UInt8]
    var position = 0
    var result: [UInt8] = []

    init(bytes: [UInt8]) {
        self.bytes = bytes
        result.reserveCapacity(bytes.count)
    }

    mutating func run() -> String {
        while position < bytes.count {
            // Nearly every byte is none of these: looking further takes the most time.
            if bytes[position] != UInt8(ascii: "/"), bytes[position] != UInt8(ascii: "\""),
                bytes[position] != UInt8(ascii: "#")
            {
                keep()
            } else if starts("//") {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { blank() }
            } else if starts("/*") {
                blankComment()
            } else if starts("\"") || starts("#\"") || starts("##\"") {
                blankString()
            } else if starts("#/") {
                while position < bytes.count, !starts("/#") { blank() }
            } else {
                keep()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func starts(_ text: String) -> Bool {
        var index = position
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    private mutating func keep() {
        result.append(bytes[position])
        position += 1
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            let isNewline = bytes[position] == UInt8(ascii: "\n")
            result.append(isNewline ? bytes[position] : UInt8(ascii: " "))
            position += 1
        }
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func blankString() {
        var pounds = ""
        while starts("#") {
            pounds += "#"
            keep()
        }
        let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
        for _ in quotes.utf8 { keep() }
        let end = quotes + pounds
        let escape = "\\" + pounds
        while position < bytes.count, !starts(end) {
            if starts(escape + "(") {
                blank(escape.utf8.count)
                blankInterpolation()
            } else {
                blank(starts(escape) ? escape.utf8.count + 1 : 1)
            }
        }
        for _ in end.utf8 where position < bytes.count { keep() }
    }

    private mutating func blankInterpolation() {
        var depth = 0
        repeat {
            if starts("(") { depth += 1 }
            if starts(")") { depth -= 1 }
            if starts("\"") || starts("#\"") {
                let kept = result.count
                blankString()
                for index in kept..<result.count where result[index] != UInt8(ascii: "\n") {
                    result[index] = UInt8(ascii: " ")
                }
            } else {
                blank()
            }
        } while depth > 0 && position < bytes.count
    }
}
