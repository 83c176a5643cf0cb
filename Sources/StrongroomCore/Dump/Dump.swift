/// One dump: what it reads from, how it prints, and where to.
struct Dump<Format: DumpFormat> {
    private let database: Database
    private var format: Format
    private var stream: DumpStream

    init(_ database: Database, _ format: Format, _ output: (any TextOutputStream)?) {
        self.database = database
        self.format = format
        stream = DumpStream(output)
    }

    /// Runs a statement, and prints its rows.
    mutating func write(_ statement: Statement) throws {
        let rows = try Row.fetchCursor(statement)
        while try rows.next() != nil {
            try format.writeRow(database, statement: statement, to: &stream)
        }
        format.finalize(database, statement: statement, to: &stream)
    }

    /// Prints the rows of statements, below their names, if they have some.
    mutating func write(_ statements: [(path: [String], statement: Statement)]) throws {
        for (path, statement) in statements {
            stream.margin()
            if !path.isEmpty { stream.write(path.joined(separator: ".") + "\n") }
            try write(statement)
        }
    }

    mutating func write(
        tables: [String], header: DumpTableHeaderOptions, stableOrder: Bool = false
    ) throws {
        let hasHeader = tables.count > 1 || header == .always
        for name in tables {
            let table = DumpedTable(name: name)
            let statement = try table.statement(database, stableOrder: stableOrder)
            stream.margin()
            if hasHeader { stream.write(name + "\n") }
            try write(statement)
        }
    }

    mutating func writeSchema() throws {
        stream.margin()
        stream.write("sqlite_master\n")
        for definition in try DumpedTable.definitions(database) {
            stream.write(definition + ";\n")
        }
    }
}
