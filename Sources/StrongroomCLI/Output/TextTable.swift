/// Rows as an aligned table: numbers to the right, everything else to the left.
///
/// The widths are taken from the first rows; later rows are written as they come, so that a table of
/// any length needs the memory of a short one.
///
/// On a terminal the widest texts are cut until a line fits, and end in `…`. Numbers are never cut.
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
    private static let smallestWidth = 4
    private static let gap = 2

    private let header: [String]
    private let output: TextOutput
    private let columns: Int?
    private let whole: Set<Int>
    private var waiting: [[Cell]] = []
    private var widths: [Int]?
    package private(set) var rowCount = 0

    /// - Parameters:
    ///   - columns: The width of the terminal; nil for as wide as it takes.
    ///   - whole: The columns of what people copy, which are never cut.
    package init(
        header: [String], output: TextOutput, columns: Int? = nil, whole: Set<Int> = []
    ) {
        self.header = header.map(VisibleText.text(of:))
        self.output = output
        self.columns = columns
        self.whole = whole
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
        if let columns { fit(&widths, to: columns) }
        self.widths = widths
        try write(header.map { Cell($0) }, widths)
        try write(widths.map { Cell(String(repeating: "-", count: $0)) }, widths)
        for row in waiting { try write(row, widths) }
        waiting = []
    }

    /// Makes the widest columns of text as wide as the next ones, until all fit or none is left.
    private func fit(_ widths: inout [Int], to columns: Int) {
        let isText = widths.indices.map { column in
            !whole.contains(column)
                && (waiting.isEmpty || waiting.contains { !$0[column].isNumber })
        }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
        while excess > 0 {
            let wide = widths.indices.filter { isText[$0] && widths[$0] > Self.smallestWidth }
            guard let most = wide.map({ widths[$0] }).max() else { return }
            let widest = wide.filter { widths[$0] == most }
            let next = wide.map { widths[$0] }.filter { $0 < most }.max() ?? Self.smallestWidth
            let step = max(1, min(most - next, excess / widest.count))
            for column in widest where excess > 0 {
                widths[column] -= step
                excess -= step
            }
        }
    }

    private func write(_ row: [Cell], _ widths: [Int]) throws(Failure) {
        var line = ""
        for (column, cell) in row.enumerated() {
            let isCut = columns != nil && !cell.isNumber && !whole.contains(column)
            let text =
                isCut ? VisibleText.shortened(cell.text, columns: widths[column]) : cell.text
            let padding = String(
                repeating: " ", count: max(0, widths[column] - DisplayWidth.columns(of: text)))
            if column > 0 { line += String(repeating: " ", count: Self.gap) }
            if cell.isNumber {
                line += padding + text
            } else {
                line += column == row.count - 1 ? text : text + padding
            }
        }
        try output.writeLine(line)
    }
}
