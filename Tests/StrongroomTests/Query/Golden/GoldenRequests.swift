import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Requests in Swift, each with the SQL that it becomes, which stands beside it in a golden file,
/// and with SQL by hand that must do the same to the same data.
final class GoldenRequests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue
    private var text = ""
    private var sources: [String: [Substring]] = [:]

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try Library.fill($0) }
    }

    /// Expects a request to give what one statement by hand gives, or several, for rows that are
    /// fetched afterwards.
    func expect<Request: FetchRequest>(
        _ request: () throws -> Request, equals hand: () -> String,
        location: SourceLocation = #_sourceLocation, file: String = #filePath
    ) throws {
        let request = try request()
        let hand = statements(hand())
        try queue.read { db throws in
            var rows: [Row] = []
            let made = try db.capturedSQL { rows = try Row.fetchAll(db, request) }
            add(try swift(at: location, in: file), made)
            #expect(made.count == hand.count, sourceLocation: location)
            for (made, hand) in zip(made, hand) {
                let isOrdered = hand.isOrderedQuery
                let first = try cells(made, db, isOrdered: isOrdered)
                let second = try cells(hand, db, isOrdered: isOrdered)
                #expect(first == second, "\(made)\n\(hand)", sourceLocation: location)
            }
            #expect(try rows.count == request.fetchCount(db), sourceLocation: location)
        }
    }

    /// Expects statements to leave the same data behind as those by hand.
    func expectChange(
        _ change: (Database) throws -> Void, equals hand: () -> String,
        location: SourceLocation = #_sourceLocation, file: String = #filePath
    ) throws {
        let hand = hand()
        try queue.write { db throws in
            var made: [String] = []
            let first = try contents(db) { made = try db.capturedSQL { try change(db) } }
            let second = try contents(db) { try db.execute(sql: hand) }
            let before = try contents(db) {}
            add(try swift(at: location, in: file), made)
            #expect(first == second, "\(made)\n\(hand)", sourceLocation: location)
            #expect(first != before, "nothing changed: \(made)", sourceLocation: location)
        }
    }

    /// Compares the SQL of all requests with the file that was looked at.
    func finish(_ name: String, location: SourceLocation = #_sourceLocation) throws {
        try GoldenFile("Requests/\(name).sql").expect(text, sourceLocation: location)
    }
}

// MARK: - Text

extension GoldenRequests {
    private func add(_ swift: [String], _ made: [String]) {
        if !text.isEmpty { text += "\n" }
        for line in swift { text += "-- \(line)\n" }
        for statement in made { text += "\(statement);\n" }
    }

    /// What stands between the first braces of a call.
    private func swift(at location: SourceLocation, in file: String) throws -> [String] {
        if sources[file] == nil {
            sources[file] = try String(contentsOfFile: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
        }
        let lines = sources[file, default: []][(location.line - 1)...]
        let margin = (lines.first?.prefix { $0 == " " }.count ?? 0) + 4
        let call = lines.prefix(40).joined(separator: "\n")
        guard let start = call.firstRange(of: "{"), let end = call.firstRange(of: "} equals:")
        else { return [] }
        let text = call[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespaces)
        return text.split(separator: "\n").enumerated().compactMap { index, line in
            let line = text.hasPrefix("\n") || index > 0 ? line.dropFirst(margin) : line
            return line.allSatisfy { $0 == " " } || line == "db in" ? nil : String(line)
        }
    }

    private func statements(_ sql: String) -> [String] {
        sql.split(separator: ";\n").map(String.init)
    }
}

// MARK: - Data

extension GoldenRequests {
    /// The rows of a statement, but for the columns that are the library's own.
    private func cells(
        _ sql: String, _ db: Database, isOrdered: Bool
    ) throws -> [[DatabaseValue]] {
        let cursor = try Row.fetchCursor(db, sql: sql)
        let columns = cursor.columnNames.indices.filter { index in
            !cursor.columnNames[index].hasPrefix("grdb_")
        }
        let rows = try Array(cursor.map { row in columns.map { row[$0] as DatabaseValue } })
        return isOrdered ? rows : sorted(rows)
    }

    private func sorted(_ rows: [[DatabaseValue]]) -> [[DatabaseValue]] {
        rows.map { (text: "\($0)", row: $0) }.sorted { $0.text < $1.text }.map(\.row)
    }

    /// All rows of the tables that change, after a change that does not last.
    private func contents(
        _ db: Database, after change: () throws -> Void
    ) throws -> [[[DatabaseValue]]] {
        var contents: [[[DatabaseValue]]] = []
        try db.inSavepoint {
            try change()
            contents = try ["author", "book", "review", "award"].map {
                try cells("SELECT * FROM \($0)", db, isOrdered: false)
            }
            return .rollback
        }
        return contents
    }
}

extension String {
    /// Whether the query itself has an order, not one inside.
    fileprivate var isOrderedQuery: Bool {
        var depth = 0
        let outside = filter { character in
            if character == "(" { depth += 1 }
            defer { if character == ")" { depth -= 1 } }
            return depth == 0
        }
        return outside.contains("ORDER BY")
    }
}
