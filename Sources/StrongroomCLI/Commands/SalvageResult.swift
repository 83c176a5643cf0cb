import StrongroomCore

/// What `strongroom salvage` reports.
struct SalvageResult {
    /// A badly damaged table can have as many losses as pages.
    private static let shownLossCount = 10

    let report: SalvageReport
    let source: String
    let destination: String

    var failure: Failure? {
        guard !report.isComplete else { return nil }
        return Failure(
            .damaged, "a part of \(source) is lost; \(destination) has the rest",
            hint: "compare the listed losses with a backup")
    }

    var text: String {
        let size = "\(report.pageCount) pages of \(report.pageSize) bytes"
        guard report.method == .rows else {
            let line = "recovered \(source) as \(destination): every page, \(size), verified"
            return Self.text([line] + undone + report.notes)
        }
        let count = TableCounts.text(report.tables.count, rowCount: report.rowCount)
        var lines = ["recovered \(source) as \(destination): \(count), \(size), verified"]
        for table in report.tables {
            lines.append("\(table.name): \(table.rowCount) rows recovered")
            lines += table.losses.prefix(Self.shownLossCount).map {
                "    lost: page \($0.page)\(Self.rows($0.rowIDs))"
            }
            if table.losses.count > Self.shownLossCount {
                lines.append(
                    "    and \(table.losses.count - Self.shownLossCount) more (see --json)")
            }
            if table.refusedRowCount > 0 {
                lines.append(
                    "    \(table.refusedRowCount) rows break a constraint, and were left out")
            }
        }
        if let strayTable = report.strayTable {
            lines.append("\(strayTable): \(report.strayRowCount) rows whose table is not known")
        }
        lines += report.rebuiltIndexes.map { "\($0): full-text index built again" }
        return Self.text(lines + undone + report.notes)
    }

    private var undone: [String] {
        report.undidTransaction
            ? ["a transaction that was interrupted is undone, from \(source)-journal"] : []
    }

    private static func text(_ lines: [String]) -> String {
        lines.map { VisibleText.text(of: $0) + "\n" }.joined()
    }

    private static func rows(_ ids: ClosedRange<Int64>?) -> String {
        guard let ids else { return "" }
        if ids.lowerBound == ids.upperBound { return ", row \(ids.lowerBound)" }
        switch (ids.lowerBound == .min, ids.upperBound == .max) {
        case (true, true): return ""
        case (true, false): return ", rows up to \(ids.upperBound)"
        case (false, true): return ", rows from \(ids.lowerBound)"
        case (false, false): return ", rows \(ids.lowerBound) to \(ids.upperBound)"
        }
    }

    var json: JSONValue {
        .object([
            .init("source", .string(source)),
            .init("destination", .string(destination)),
            .init("method", .string(report.method.rawValue)),
            .init("isComplete", .boolean(report.isComplete)),
            .init("pageCount", .integer(Int64(report.pageCount))),
            .init("pageSize", .integer(Int64(report.pageSize))),
            .init("lostPages", DiagnosisResult.ranges(report.lostPages)),
            .init("rowCount", .integer(Int64(report.rowCount))),
            .init("tables", .array(report.tables.map(Self.table))),
            .init("strayTable", report.strayTable.map { .string($0) } ?? .null),
            .init("strayRowCount", .integer(Int64(report.strayRowCount))),
            .init("rebuiltIndexes", .array(report.rebuiltIndexes.map { .string($0) })),
            .init("undidTransaction", .boolean(report.undidTransaction)),
            .init("notes", .array(report.notes.map { .string($0) })),
        ])
    }

    private static func table(_ table: SalvageReport.Table) -> JSONValue {
        .object([
            .init("name", .string(table.name)),
            .init("rowCount", .integer(Int64(table.rowCount))),
            .init("refusedRowCount", .integer(Int64(table.refusedRowCount))),
            .init("losses", .array(table.losses.map(loss))),
        ])
    }

    private static func loss(_ loss: SalvageReport.Loss) -> JSONValue {
        let rows: JSONValue? = loss.rowIDs.map {
            .array([.integer($0.lowerBound), .integer($0.upperBound)])
        }
        return .object([
            .init("page", .integer(Int64(loss.page))), .init("rowIDs", rows ?? .null),
        ])
    }
}
