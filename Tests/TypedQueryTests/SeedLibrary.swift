import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// An encrypted database of a library of seeds.
struct SeedLibrary {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(sql: seedSchema)
            try db.execute(sql: seedData)
        }
    }

    /// Compares the canonical SQL of a statement, and the rows that it gives.
    ///
    /// The SQL is written with backticks in place of double quotes. What the statement changes is
    /// taken back.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - sql: Its SQL.
    ///   - rows: The rows before they are decoded; nil where SQLite promises none.
    ///   - ordered: Whether their order counts; by default, where the SQL ends in one.
    ///   - setup: SQL that is run before.
    ///   - then: SQL that is run after.
    ///   - after: A query that is run after that.
    ///   - changed: Its rows.
    func check<S: StrongroomTables.Statement>(
        _ statement: S, _ sql: String, _ rows: [[Cell]]? = nil, ordered: Bool? = nil,
        setup: [String] = [], then: [String] = [], after: String? = nil, _ changed: [[Cell]] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = sql.quoted
        #expect(statement.debugSQL == text, sourceLocation: sourceLocation)
        guard statement.debugSQL == text else { return }
        try undone { db in
            for sql in setup { try db.execute(sql: sql.quoted) }
            if text.isEmpty {
                #expect(try statement.fetchAll(db).isEmpty, sourceLocation: sourceLocation)
                return
            }
            let found = try cells(of: statement, db)
            if let rows {
                let isOrdered = ordered ?? text.endsInOrder
                #expect(
                    isOrdered ? found == rows : found.sorted == rows.sorted,
                    "\(found)", sourceLocation: sourceLocation)
            }
            for sql in then { try db.execute(sql: sql.quoted) }
            if let after {
                let rest = try Row.fetchAll(db, sql: after.quoted).map { $0.map { Cell($0.1) } }
                #expect(rest == changed, sourceLocation: sourceLocation)
            }
        }
        guard S.Row.self != Void.self, rows != nil else { return }
        try undone { db in
            for sql in setup { try db.execute(sql: sql.quoted) }
            let decoded = try statement.fetchAll(db)
            #expect(decoded.count == rows?.count, sourceLocation: sourceLocation)
        }
    }

    /// Compares the canonical SQL of a statement, and the error that running it throws.
    func check<S: StrongroomTables.Statement>(
        _ statement: S, _ sql: String, error: String, setup: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(statement.debugSQL == sql.quoted, sourceLocation: sourceLocation)
        try undone { db in
            for sql in setup { try db.execute(sql: sql.quoted) }
            let thrown = #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
                try statement.fetchAll(db)
            }
            let message = thrown.map { "\($0)" } ?? ""
            #expect(message.contains(error), "\(message)", sourceLocation: sourceLocation)
        }
    }

    /// The rows of a statement before they are decoded; SQL of several statements gives none.
    private func cells<S: StrongroomTables.Statement>(
        of statement: S, _ db: Database
    ) throws -> [[Cell]] {
        if let script = statement as? SQLStatement {
            try script.execute(db)
            return []
        }
        return try Row.fetchAll(db, statement.request).map { $0.map { Cell($0.1) } }
    }

    private func undone(_ body: (Database) throws -> Void) throws {
        try queue.inDatabase { db in
            try db.inTransaction {
                try body(db)
                return .rollback
            }
        }
    }
}

/// A value of a row before it is decoded.
enum Cell: Hashable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
    case null
    case int(Int64)
    case real(Double)
    case text(String)
    case hex(String)

    init(integerLiteral value: Int64) { self = .int(value) }
    init(floatLiteral value: Double) { self = .real(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self = .int(value)
        case .double(let value): self = .real(value)
        case .string(let value): self = .text(value)
        case .blob(let data): self = .hex(data.map { String(format: "%02x", $0) }.joined())
        }
    }
}

extension [[Cell]] {
    fileprivate var sorted: [[Cell]] { self.sorted { "\($0)" < "\($1)" } }
}

extension String {
    /// The SQL with double quotes in place of backticks.
    fileprivate var quoted: String { replacing("`", with: "\"") }

    /// Whether the last ORDER BY stands outside of parentheses.
    fileprivate var endsInOrder: Bool {
        guard let order = range(of: " ORDER BY ", options: .backwards) else { return false }
        let end = self[order.upperBound...]
        return end.filter { $0 == "(" }.count >= end.filter { $0 == ")" }.count
    }
}
