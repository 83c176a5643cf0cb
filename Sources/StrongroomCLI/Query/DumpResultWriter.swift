import StrongroomCore

/// Rows in one of the library's dump formats.
struct DumpResultWriter<Format: DumpFormat>: ResultWriter {
    private var format: Format
    private let sink: Sink
    private var stream: DumpStream
    private var statement: Statement?

    init(_ format: Format, output: TextOutput) {
        self.format = format
        sink = Sink(output)
        stream = DumpStream(sink)
    }

    mutating func begin(_ statement: Statement) {
        self.statement = statement
    }

    /// The format reads the row from the statement, which stands there.
    mutating func append(_ row: Row) throws {
        guard let statement else { return }
        try format.writeRow(statement.database, statement: statement, to: &stream)
        try sink.check()
    }

    mutating func end() throws(Failure) {
        guard let statement else { return }
        format.finalize(statement.database, statement: statement, to: &stream)
        self.statement = nil
        try sink.check()
    }

    mutating func finish(changeCount: Int?) {}
}

/// The output as a stream, which cannot throw: it keeps its failure until somebody asks.
private final class Sink: TextOutputStream {
    private let output: TextOutput
    private var failure: Failure?

    init(_ output: TextOutput) {
        self.output = output
    }

    func write(_ text: String) {
        guard failure == nil else { return }
        do throws(Failure) {
            try output.write(text)
        } catch {
            failure = error
        }
    }

    func check() throws(Failure) {
        if let failure { throw failure }
    }
}
