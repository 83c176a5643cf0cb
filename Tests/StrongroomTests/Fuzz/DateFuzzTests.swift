import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DateFuzzTests {
    static let samples = [
        "2026-11-21", "2026-11-21 01:02", "2026-11-21T01:02:03", "2026-11-21 01:02:03.456",
        "2026-11-21 01:02:03.5+02:30", "0000-01-01T00:00Z", "9999-12-31 23:59:59.999", "01:02",
        "01:02:03.456-99:99", "2024-99-99 99:99:99.999",
    ].map { Array($0.utf8) }

    @Test func `The date parser stands any bytes`() throws {
        try DatabaseQueue().read { db throws in
            let inputCount = try Fuzzing().run("date parser") { generator in
                let bytes =
                    Bool.random(using: &generator)
                    ? generator.mutated(generator.pick(Self.samples)) : generator.bytes(upTo: 40)
                try check(Data(bytes), db)
            }
            #expect(inputCount > 0)
        }
    }

    private func check(_ bytes: Data, _ db: Database) throws {
        let date = Date.fromDatabaseValue(bytes.databaseValue)
        let straight = try Date?.fetchAllOrNone(
            db, sql: "SELECT CAST(? AS TEXT)", arguments: [bytes])
        try Fuzzing.expect(
            straight == date, "\(Array(bytes)) is \(straight as Any) or \(date as Any)")
        if let text = String(validating: bytes, as: UTF8.self) {
            try Fuzzing.expect(Date.fromDatabaseValue(text.databaseValue) == date, text)
        }
        try checkComponents(bytes, date)
        guard let date, let written = String.fromDatabaseValue(date.databaseValue),
            written.utf8.count == 23, !written.hasPrefix("-")
        else { return }
        let again = try #require(Date.fromDatabaseValue(written.databaseValue))
        try Fuzzing.expect(abs(again.timeIntervalSince(date)) < 0.000_501, written)
        try Fuzzing.expect(String.fromDatabaseValue(again.databaseValue) == written, written)
        let counted = try String.fetchOne(
            db, sql: "SELECT strftime('%Y-%m-%d %H:%M:%f', ?)", arguments: [written])
        try Fuzzing.expect(counted == written, "\(written) is \(counted ?? "none") in SQLite")
    }

    /// Components are what the text says; a text that says a day is a date.
    private func checkComponents(_ bytes: Data, _ date: Date?) throws {
        guard let read = DatabaseDateComponents.fromDatabaseValue(bytes.databaseValue) else {
            return
        }
        let hasDay = read.dateComponents.year != nil
        try Fuzzing.expect(hasDay == (date != nil), "\(Array(bytes))")
        let again = DatabaseDateComponents.fromDatabaseValue(read.databaseValue)
        try Fuzzing.expect(again?.format == read.format, "\(Array(bytes))")
        try Fuzzing.expect(
            again?.databaseValue == read.databaseValue, "\(read.databaseValue) is not read back")
    }
}

extension DatabaseValueConvertible {
    /// The only value of a query; nil also when it is unsuitable.
    fileprivate static func fetchAllOrNone<Wrapped>(
        _ db: Database, sql: String, arguments: StatementArguments
    ) throws -> Self where Self == Wrapped? {
        do {
            return try fetchOne(db, sql: sql, arguments: arguments) ?? nil
        } catch is RowDecodingError {
            return nil
        }
    }
}
