import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Stamp.TableColumns, Stamp.OuterColumns)

/// A moment, stored in each way.
@Table struct Stamp: Identifiable, Equatable {
    let id: Int
    var text: Date
    @Column(as: Date.MicrosecondRepresentation.self) var micro: Date
    @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
    @Column(as: Date.UnixTimeRepresentation.Subsecond.self) var fine: Date
    @Column(as: Date.JulianDayRepresentation.self) var julian: Date
    var perhaps: Date?
}

extension DateTimeModifier {
    fileprivate static let endOfMonth = startOfMonth.months(1).days(-1)
}

@Suite struct DateLinesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    /// 2024-01-31 10:20:30.250, a Wednesday.
    let moment = Date(timeIntervalSince1970: 1_706_696_430.25)

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        let stamp = Stamp(
            id: 1, text: moment, micro: moment, unix: moment, fine: moment, julian: moment,
            perhaps: nil)
        try queue.write { (db) throws in
            try db.execute(
                sql:
                    "CREATE TABLE stamps (id INTEGER PRIMARY KEY, text, micro, unix, fine, julian, perhaps)"
            )
            try Stamp.insert { stamp }.execute(db)
        }
    }

    private func value<Value>(
        _ expression: (Stamp.TableColumns) -> Value
    ) throws -> Value.QueryValue.QueryOutput?
    where Value: QueryExpression, Value.TermValue == Value.QueryValue {
        let term = expression(Stamp.columns)
        return try queue.read { try Stamp.find(1).select { _ in term }.fetchOne($0) }
    }

    /// Whether two moments are less than two milliseconds apart: Julian days are not finer.
    private func isNear(_ date: Date?, _ seconds: Double) -> Bool {
        guard let date else { return false }
        return abs(date.timeIntervalSince1970 - seconds) < 0.002
    }

    @Test(.proves("TEX-027"))
    func `dates are changed in their representation`() throws {
        #expect(sql(Stamp.self) { $0.text(.days(7)) } == "datetime(`text`, '7 days', 'subsec')")
        #expect(sql(Stamp.self) { $0.unix(.days(7)) } == "unixepoch(`unix`, 'unixepoch', '7 days')")
        #expect(
            sql(Stamp.self) { $0.fine(.days(7)) }
                == "unixepoch(`fine`, 'unixepoch', '7 days', 'subsec')")
        #expect(sql(Stamp.self) { $0.julian(.days(7)) } == "julianday(`julian`, '7 days')")
        #expect(
            sql(Stamp.self) { $0.micro(.days(7)) }
                == "datetime(`micro`, '7 days', 'subsec') || '000'")
        let week = 1_706_696_430.25 + 7 * 86_400
        #expect(isNear(try value { $0.text(.days(7)) }, week))
        #expect(isNear(try value { $0.unix(.days(7)) }, week - 0.25))
        #expect(isNear(try value { $0.fine(.days(7)) }, week))
        #expect(isNear(try value { $0.julian(.days(7)) }, week))
        #expect(isNear(try value { $0.micro(.days(7)) }, week))
        #expect(try value { $0.perhaps(.days(7)) } == .some(nil))
        // The result can be assigned to a column of the same representation.
        let update = Stamp.find(1).update {
            $0.unix = $0.unix(.days(1))
            $0.micro = $0.micro(.days(1))
        }.returning { ($0.unix, $0.micro) }
        let changed = try #require(try queue.write { try update.fetchOne($0) })
        #expect(isNear(changed.0, 1_706_782_830) && isNear(changed.1, 1_706_782_830.25))
    }

    @Test(
        .proves("TEX-028"),
        arguments: [
            (DateTimeModifier.years(1).floor, "2025-01-31 10:20:30.250"),
            (.years(-4), "2020-01-31 10:20:30.250"), (.months(1).floor, "2024-02-29 10:20:30.250"),
            (.months(1).ceiling, "2024-03-02 10:20:30.250"),
            (.years(1).ceiling, "2025-01-31 10:20:30.250"),
            (.days(-31), "2023-12-31 10:20:30.250"), (.hours(14), "2024-02-01 00:20:30.250"),
            (.minutes(-20), "2024-01-31 10:00:30.250"), (.seconds(0.5), "2024-01-31 10:20:30.750"),
            (.seconds(-30.25), "2024-01-31 10:20:00.000"),
            (.milliseconds(750), "2024-01-31 10:20:31.000"),
            (.startOfDay, "2024-01-31 00:00:00.000"), (.startOfMonth, "2024-01-01 00:00:00.000"),
            (.startOfYear, "2024-01-01 00:00:00.000"), (.weekday(0), "2024-02-04 10:20:30.250"),
            (.startOfMonth.months(1).days(-1), "2024-01-31 00:00:00.000"),
            (.endOfMonth, "2024-01-31 00:00:00.000"),
        ])
    func `dates have all modifiers`(modifier: DateTimeModifier, text: String) throws {
        let changed = try queue.read { (db) throws in
            try String.fetchOne(db, Stamp.find(1).select { $0.text(modifier) })
        }
        #expect(changed == text)
    }

    @Test(.proves("TEX-029"))
    func `changes of dates are one call, and need a number of seconds`() throws {
        #expect(
            sql(Stamp.self) { $0.text(.startOfMonth)(.months(1))(.days(-1).hours(2)) }
                == "datetime(`text`, 'start of month', '1 months', '-1 days', '2 hours', 'subsec')")
        #expect(
            sql(Stamp.self) { $0.micro(.days(1))(.days(2)) }
                == "datetime(`micro`, '1 days', '2 days', 'subsec') || '000'")
        for seconds in [Double.nan, .infinity, -.infinity] {
            #expect(throws: QueryBuildingError.self) { try value { $0.text(.seconds(seconds)) } }
        }
    }

    @Test(.proves("TEX-030"))
    func `the clock of SQLite has the form of the date next to it`() throws {
        #expect(
            sql(Stamp.self) { $0.text < .now(.days(-7)) }
                == "`text` < datetime('now', '-7 days', 'subsec')")
        #expect(
            sql(Stamp.self) { $0.fine < .now(.days(-7).hours(1)) }
                == "`fine` < unixepoch('now', '-7 days', '1 hours', 'subsec')")
        #expect(sql(Stamp.self) { $0.text < Date.now }.hasPrefix("`text` < '20"))
        #expect(sql(Stamp.self) { $0.text < .now } == "`text` < datetime('now', 'subsec')")
        #expect(sql(Stamp.self) { $0.unix >= .now } == "`unix` >= unixepoch('now')")
        #expect(sql(Stamp.self) { $0.fine.gt(.now) } == "`fine` > unixepoch('now', 'subsec')")
        #expect(sql(Stamp.self) { $0.julian.neq(.now) } == "`julian` <> julianday('now')")
        #expect(
            sql(Stamp.self) { $0.unix.between(.now(.days(-7)), and: .now) }
                == "`unix` BETWEEN unixepoch('now', '-7 days') AND unixepoch('now')")
        let stamped = Stamp.update {
            $0.text = .now
            $0.unix = .now(.days(-7))
            $0.fine = Date(timeIntervalSince1970: 1)
        }
        #expect(
            stamped.text
                == "UPDATE `stamps` SET `text` = datetime('now', 'subsec'), "
                + "`unix` = unixepoch('now', '-7 days'), `fine` = 1.0")
        let counts = try queue.read { (db) throws in
            try [
                Stamp.where { $0.text < .now }.fetchCount(db),
                Stamp.where { $0.unix < .now }.fetchCount(db),
                Stamp.where { $0.fine < .now }.fetchCount(db),
                Stamp.where { $0.julian < .now }.fetchCount(db),
                Stamp.where { $0.micro > .now }.fetchCount(db),
            ]
        }
        #expect(counts == [1, 1, 1, 1, 0])
    }

    @Test(.proves("TEX-031"))
    func `dates have parts`() throws {
        #expect(sql(Stamp.self) { $0.text.year } == "CAST(strftime('%Y', `text`) AS INTEGER)")
        #expect(
            sql(Stamp.self) { $0.unix.year }
                == "CAST(strftime('%Y', `unix`, 'unixepoch') AS INTEGER)")
        #expect(
            sql(Stamp.self) { $0.fine.fractionalSecond }
                == "CAST(strftime('%f', `fine`, 'unixepoch') AS REAL)")
        func parts<Column: QueryExpression>(
            _ column: Column
        ) throws -> [Int]
        where Column.QueryValue: _DateValue, Column.QueryValue.Unwrapped == Column.QueryValue {
            let parts = try #require(
                try queue.read { (db) throws in
                    try Stamp.find(1).select { _ in
                        (
                            column.year, column.month, column.day, column.hour, column.minute,
                            column.second, column.weekday, column.dayOfYear
                        )
                    }.fetchOne(db)
                })
            return [parts.0, parts.1, parts.2, parts.3, parts.4, parts.5, parts.6, parts.7]
        }
        let expected = [2024, 1, 31, 10, 20, 30, 3, 31]
        #expect(try parts(Stamp.columns.text) == expected)
        #expect(try parts(Stamp.columns.micro) == expected)
        #expect(try parts(Stamp.columns.unix) == expected)
        #expect(try parts(Stamp.columns.fine) == expected)
        #expect(try parts(Stamp.columns.julian) == expected)
        #expect(try value { $0.text.fractionalSecond } == 30.25)
        #expect(try value { $0.fine.fractionalSecond } == 30.25)
    }

    @Test(.proves("TEX-032"))
    func `dates are texts of a format, and optional dates have optional parts`() throws {
        let month: SQLQueryExpression<String?> = Stamp.columns.text.strftime("%Y-%m")
        #expect("\(month.queryFragment)" == #"strftime('%Y-%m', "stamps"."text")"#)
        #expect(try value { _ in month } == "2024-01")
        #expect(try value { $0.fine.strftime("%H:%M") } == "10:20")
        #expect(try value { $0.julian.strftime("it's %d") } == "it's 31")
        let year: SQLQueryExpression<Int?> = Stamp.columns.perhaps.year
        let fraction: SQLQueryExpression<Double?> = Stamp.columns.perhaps.fractionalSecond
        #expect(try value { _ in year } == .some(nil))
        #expect(try value { _ in fraction } == .some(nil))
        #expect(try value { $0.perhaps.strftime("%Y") } == .some(nil))
        #expect(try value { $0.perhaps(.days(1)).weekday } == .some(nil))
    }

    @Test(.proves("TEX-033"))
    func `dates have distances`() throws {
        #expect(
            sql(Stamp.self) { $0.text.timeIntervalSince($0.perhaps) }
                == "unixepoch(`text`, 'subsec') - unixepoch(`perhaps`, 'subsec')")
        #expect(sql(Stamp.self) { $0.unix.timeIntervalSince($0.unix) } == "`unix` - `unix`")
        #expect(
            sql(Stamp.self) { $0.julian.timeIntervalSince($0.julian) }
                == "(`julian` - `julian`) * 86400.0")
        let later = moment.addingTimeInterval(90.5)
        let distance = try value { $0.text.timeIntervalSince($0.text(.seconds(-90.5))) }
        #expect(distance == 90.5)
        #expect(try value { $0.fine.timeIntervalSince(later) } == -90.5)
        #expect(try value { $0.unix.timeIntervalSince($0.unix(.days(-1))) } == 86_400)
        let julian = try #require(try value { $0.julian.timeIntervalSince($0.julian(.days(-1))) })
        #expect(abs(julian - 86_400) < 0.01)
    }
}
