import StrongroomCore

/// A JSON text in the making; objects keep the order of their members.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Equatable {
        let name: String
        let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// After the name of a file that is no UTF-8, its bytes in base64: `fileBytes` after `file`.
        fileprivate var withBytes: [Member] {
            guard case .string(let text) = value, PathText.hasEscapes(text),
                !["message", "hint"].contains(name)
            else { return [self] }
            return [
                self, Member(name + "Bytes", .string(Base64.text(of: PathText.bytes(of: text)))),
            ]
        }
    }

    /// On one line.
    package var text: String {
        var text = ""
        append(to: &text, depth: nil)
        return text
    }

    /// On several lines, indented by two spaces.
    package var indentedText: String {
        var text = ""
        append(to: &text, depth: 0)
        return text
    }

    private func append(to text: inout String, depth: Int?) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .real(let value): text += Self.text(of: value)
        case .string(let value): Self.appendQuoted(value, to: &text)
        case .array(let elements):
            Self.appendList(elements, in: ("[", "]"), to: &text, depth) { element, text, depth in
                element.append(to: &text, depth: depth)
            }
        case .object(let members):
            Self.appendList(members.flatMap(\.withBytes), in: ("{", "}"), to: &text, depth) {
                member, text, depth in
                Self.appendQuoted(member.name, to: &text)
                text += depth == nil ? ":" : ": "
                member.value.append(to: &text, depth: depth)
            }
        }
    }

    private static func appendList<Element>(
        _ elements: [Element], in brackets: (String, String), to text: inout String, _ depth: Int?,
        each: (Element, inout String, Int?) -> Void
    ) {
        let inner = depth.map { $0 + 1 }
        text += brackets.0
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            each(element, &text, inner)
        }
        if let depth, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: depth) }
        text += brackets.1
    }

    /// JSON has no infinity: `9e999`, which is SQLite's way too, is read back as infinity by most
    /// readers. A value that is not a number is null, as it is in SQLite.
    private static func text(of value: Double) -> String {
        if value.isNaN { return "null" }
        if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
        return value.description
    }

    /// In UTF-8, the control characters from U+0080 on begin with it, and some letters.
    private static let firstByteOfControls = UInt8(0xC2)

    private static func appendQuoted(_ string: String, to text: inout String) {
        let string = PathText.visible(string)
        // Nearly all texts can be taken as they are.
        let isPlain = string.utf8.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7F && byte != firstByteOfControls
                && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        if isPlain {
            text += "\""
            text += string
            text += "\""
            return
        }
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
