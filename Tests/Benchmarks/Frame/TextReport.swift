/// The measurements as a table that grows line by line.
struct TextReport {
    private let nameWidth: Int

    init(_ workloads: [Workload]) {
        nameWidth = workloads.map(\.name.count).max() ?? 0
        printLine("workload", "library µs", "C µs", "ratio", "aim")
    }

    func add(_ measurement: Measurement) {
        let mark =
            switch measurement.reachesAim {
            case nil: ""
            case true?: "  reached"
            case false?: "  missed"
            }
        printLine(
            measurement.workload.name,
            text(measurement.libraryMicroseconds, decimals: 3),
            text(measurement.cMicroseconds, decimals: 3),
            text(measurement.ratio, decimals: 2),
            aim(measurement.workload.aim) + mark)
    }

    private func printLine(_ name: String, _ cells: String...) {
        let padding = String(repeating: " ", count: nameWidth - min(name.count, nameWidth))
        let columns = zip(cells, [13, 13, 8]).map { cell, width in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }
        print(name + padding + columns.joined() + "   " + (cells.last ?? ""))
    }

    private func aim(_ aim: Workload.Aim?) -> String {
        switch aim {
        case nil: ""
        case .ratio(let ratio): text(ratio, decimals: 2)
        case .microseconds(let microseconds): text(microseconds, decimals: 1) + " µs"
        }
    }

    private func text(_ number: Double?, decimals: Int) -> String {
        guard let number else { return "-" }
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((number * Double(scale)).rounded())
        let digits = String(scaled % scale)
        let zeros = String(repeating: "0", count: decimals - digits.count)
        return "\(scaled / scale).\(zeros)\(digits)"
    }
}
