/// Rows as lines of cells with a separator, below a line of column names if wanted.
struct DelimitedLines: Sendable {
    var hasHeader: Bool
    var separator: String
    private var isAtFirstRow = true

    init(hasHeader: Bool, separator: String) {
        self.hasHeader = hasHeader
        self.separator = separator
    }

    mutating func write(
        _ cells: [String], header: @autoclosure () -> [String], to stream: inout DumpStream
    ) {
        if isAtFirstRow, hasHeader { stream.write(line(header())) }
        isAtFirstRow = false
        stream.write(line(cells))
    }

    mutating func finish() {
        isAtFirstRow = true
    }

    private func line(_ cells: [String]) -> String {
        cells.joined(separator: separator) + "\n"
    }
}
