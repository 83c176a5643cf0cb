/// Rows of text whose columns stand one below the other.
struct TextTable {
    enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    init(_ alignments: Alignment...) {
        self.alignments = alignments
    }

    mutating func add(_ cells: String...) {
        precondition(cells.count == alignments.count, "as many cells as columns")
        rows.append(cells)
    }

    /// Every line is indented by two spaces, and none ends with one.
    var lines: [String] {
        let widths = alignments.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            var line = " "
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += " " + (alignments[column] == .left ? cell + padding : padding + cell)
            }
            return String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)])
        }
    }
}
