import StrongroomCore

/// A database, or backups of one repository that have the same key, and the file of that key.
struct KeyMatch {
    struct Candidate {
        let path: String
        let key: CipherKey
    }

    let file: String
    /// Nil if no key that was named opens it.
    let keyFile: String?
    /// That of backups; nil for a database.
    let identifier: String?
    let backups: [Int]

    var cells: [TextTable.Cell] {
        [
            .init(VisibleText.text(of: file)), .init(VisibleText.text(of: keyFile ?? "none")),
            .init(identifier.map { String($0.prefix(8)) } ?? ""), .init(ranges),
        ]
    }

    /// `1 to 14, 16`
    private var ranges: String {
        var ranges: [ClosedRange<Int>] = []
        for number in backups.sorted() {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { range in
            range.count == 1
                ? String(range.lowerBound) : "\(range.lowerBound) to \(range.upperBound)"
        }.joined(separator: ", ")
    }

    var json: JSONValue {
        .object([
            .init("file", .string(file)),
            .init("keyFile", keyFile.map { .string($0) } ?? .null),
            .init("keyIdentifier", identifier.map { .string($0) } ?? .null),
            .init("backups", .array(backups.map { .integer(Int64($0)) })),
        ])
    }
}
