import StrongroomCore

@testable import StrongroomSync

/// A change as `Tests/Decoder/sync.py` prints it.
enum ShownChange {
    static func text(_ change: RowChange, _ schema: MergeSchema) -> String {
        let table = schema[change.row.table]
        let state = change.state
        func name(_ field: Int) -> String { string(table.fields[field].name) }
        var members = [
            ("key", string(Hexadecimal.text(change.row.key.bytes))), ("life", "\(state.life)"),
            ("table", string(table.name)),
        ]
        if state.isAlive {
            if let birth = state.birth { members.append(("birth", author(birth))) }
            members.append(
                (
                    "cells",
                    object(
                        state.cells.map {
                            (
                                table.fields[$0.field].name,
                                array([author($0.author), content($0.content)])
                            )
                        })
                ))
            members.append(
                (
                    "counters",
                    array(
                        state.counters.map {
                            array([name($0.field), run($0.run), "\($0.count)", "\($0.sum)"])
                        })
                ))
            members.append(
                (
                    "extremes",
                    array(
                        state.extremes.map {
                            array([name($0.field), $0.isMaximum ? "1" : "0", value($0.value)])
                        })
                ))
        } else {
            let tombstone = state.tombstone
            members.append(
                ("batches", array(tombstone.batches.map { array([run($0.run), "\($0.number)"]) })))
            members.append(
                (
                    "seen",
                    array(
                        tombstone.seen.map { array([name($0.field), author($0.author)]) }.sorted())
                ))
            members.append(
                (
                    "seenCounts",
                    array(
                        tombstone.seenCounts.map {
                            array([name($0.field), run($0.run), "\($0.count)"])
                        })
                ))
        }
        return object(members)
    }

    private static func author(_ author: Author) -> String {
        array(["\(author.stamp.bits)", run(author.run)])
    }

    private static func run(_ run: Run) -> String { string(run.hexadecimal) }

    private static func content(_ content: CellContent) -> String {
        switch content {
        case .value(let content): value(content)
        case .group(let values):
            object([("group", object(values.map { ($0.column, value($0.value)) }))])
        }
    }

    private static func value(_ value: CellValue) -> String {
        switch value {
        case .null: return "null"
        case .integer(let integer): return "\(integer)"
        case .real(let bits):
            var bytes: [UInt8] = []
            bytes.append(fixed: bits)
            return object([("real", string(Hexadecimal.text(bytes)))])
        case .blob(let bytes): return object([("blob", string(Hexadecimal.text(bytes)))])
        case .text(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return object([("text", string(Hexadecimal.text(bytes)))])
            }
            return string(text)
        }
    }

    private static func array(_ items: [String]) -> String {
        "[" + items.joined(separator: ",") + "]"
    }

    private static func object(_ members: [(String, String)]) -> String {
        let sorted = members.sorted { $0.0 < $1.0 }
        return "{" + sorted.map { string($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
    }

    private static func string(_ text: String) -> String {
        let short: [UInt16: String] = [
            0x22: "\\\"", 0x5c: "\\\\", 0x0a: "\\n", 0x0d: "\\r", 0x09: "\\t", 0x08: "\\b",
            0x0c: "\\f",
        ]
        var result = "\""
        for unit in text.utf16 {
            if let escape = short[unit] {
                result += escape
            } else if (0x20...0x7e).contains(unit) {
                result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
