import StrongroomCore

/// What `encrypt`, `decrypt` and `copy` report.
struct TransferResult {
    let report: TransferReport
    let source: String
    let destination: String
    /// Those of the new file, if it is encrypted and they are not the usual ones.
    var settings: UnusualSettings?

    func write(in context: CommandContext, asJSON: Bool) throws(Failure) {
        try Self.finishing("\(destination) is complete") { () throws(Failure) in
            try context.writeDone(text, orJSON: asJSON ? json : nil)
            try context.output.flush()
        }
    }

    /// Work that is done stays done when its report cannot be written; the person must know.
    static func finishing(
        _ state: String, _ write: () throws(Failure) -> Void
    ) throws(Failure) {
        do throws(Failure) {
            try write()
        } catch {
            var failure = error
            failure.hint = "\(state); only its report is missing"
            throw failure
        }
    }

    private var text: String {
        // What a virtual table keeps its content in is no table of the person's.
        let own = report.tables.filter { !$0.isInternal }
        let tables = TableCounts.text(
            own.count + report.virtualTables.count, rowCount: own.reduce(0) { $0 + $1.rowCount })
        let size = ByteCount.text(report.byteCount)
        return "\(report.kind.rawValue) \(source) to \(destination): \(tables), \(size), verified"
            + (settings?.advice ?? "")
    }

    private var json: JSONValue {
        let members: [JSONValue.Member] = [
            .init("kind", .string(report.kind.rawValue)),
            .init("source", .string(source)),
            .init("destination", .string(destination)),
            .init("byteCount", .integer(report.byteCount)),
            .init("pageCount", .integer(Int64(report.pageCount))),
            .init("pageSize", .integer(Int64(report.pageSize))),
            .init("rowCount", .integer(Int64(report.rowCount))),
            .init("tables", TableCounts.json(report.tables)),
        ]
        return .object(members + (settings?.json ?? []))
    }
}

/// Tables and their rows, as reports write them.
enum TableCounts {
    static func text(_ tableCount: Int, rowCount: Int) -> String {
        "\(tableCount) \(tableCount == 1 ? "table" : "tables"), "
            + "\(rowCount) \(rowCount == 1 ? "row" : "rows")"
    }

    static func json(_ tables: [TableRowCount]) -> JSONValue {
        .array(
            tables.map { table in
                .object([
                    .init("name", .string(table.name)),
                    .init("rowCount", .integer(Int64(table.rowCount))),
                ])
            })
    }
}
