internal import StrongroomEssentials

/// A document of JSON in memory.
enum JSONDocument: Codable, Hashable {
    case null, bool(Bool), integer(Int64), real(Double), decimal(Decimal), text(String)
    case array([JSONDocument]), object([String: JSONDocument])

    /// The member of an object; nil if there is none.
    subscript(name: String) -> JSONDocument? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let real = try? value.decode(Double.self) {
            self = .real(real)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSONDocument].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONDocument].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .real(let real): try value.encode(real)
        case .decimal(let decimal): try value.encode(decimal)
        case .text(let text): try value.encode(text)
        case .array(let array): try value.encode(array)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSONDocument {
    /// The text of the document: keys sorted, no spaces, slashes as they are.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
