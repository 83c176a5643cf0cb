/// Rows as an aligned table: numbers to the right, everything else to the left.
///
/// The widths are taken from the first rows; later rows are written as they come, so that a table of
/// any length needs the memory of a short one.
package struct TextTable {
    package struct Cell: Sendable, Equatable {
        let text: String
        let isNumber: Bool

        package init(_ text: String, isNumber: Bool = false) {
            self.text = text
            self.isNumber = isNumber
        }
    }

    private static let measuredRowCount = 1000

    private let header: [String]
    private let output: TextOutput
    private var waiting: [[Cell]] = []
    private var widths: [Int]?
    package private(set) var rowCount = 0

    package init(header: [String], output: TextOutput) {
        self.header = header.map(VisibleText.text(of:))
        self.output = output
    }

    package mutating func append(_ row: [Cell]) throws(Failure) {
        rowCount += 1
        if let widths {
            try write(row, widths)
            return
        }
        waiting.append(row)
        if waiting.count == Self.measuredRowCount { try writeWaiting() }
    }

    /// Writes what is still held back.
    package mutating func finish() throws(Failure) {
        if widths == nil { try writeWaiting() }
    }

    private mutating func writeWaiting() throws(Failure) {
        var widths = header.map(DisplayWidth.columns(of:))
        for row in waiting {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], DisplayWidth.columns(of: cell.text))
            }
        }
        self.widths = widths
        try write(header.map { Cell($0) }, widths)
        try write(widths.map { Cell(String(repeating: "-", count: $0)) }, widths)
        for row in waiting { try write(row, widths) }
        waiting = []
    }

    private func write(_ row: [Cell], _ widths: [Int]) throws(Failure) {
        var line = ""
        for (column, cell) in row.enumerated() {
            let padding = String(
                repeating: " ",
                count: max(0, widths[column] - DisplayWidth.columns(of: cell.text)))
            if column > 0 { line += "  " }
            if cell.isNumber {
                line += padding + cell.text
            } else {
                line += column == row.count - 1 ? cell.text : cell.text + padding
            }
        }
        try output.writeLine(line)
    }
}
