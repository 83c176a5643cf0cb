/// One line on the terminal that tells how far long work has come.
///
/// It appears only when the work lasts longer than a blink, is redrawn ten times a second at most,
/// and leaves no trace.
package final class ProgressLine {
    private static let delay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)

    private let output: TextOutput
    private let columns: () -> Int
    private let now: () -> Duration
    private let start: Duration
    private var lastDrawing: Duration?

    /// `now` counts from any fixed moment.
    package init(
        output: TextOutput, columns: @escaping () -> Int, now: @escaping () -> Duration
    ) {
        self.output = output
        self.columns = columns
        self.now = now
        self.start = now()
    }

    package func update(_ title: String, fraction: Double?, detail: String) {
        let moment = now()
        guard moment - start >= Self.delay else { return }
        if let lastDrawing, moment - lastDrawing < Self.interval { return }
        lastDrawing = moment
        draw(Self.line(title, fraction: fraction, detail: detail, columns: columns() - 1))
    }

    /// Clears the line, if it was drawn.
    package func finish() {
        if lastDrawing != nil { draw("") }
        lastDrawing = nil
    }

    /// `copying  [=====>      ]  42 %  1.2 MB of 2.9 MB`
    package static func line(
        _ title: String, fraction: Double?, detail: String, columns: Int
    ) -> String {
        guard let fraction else {
            return VisibleText.shortened("\(title)  \(detail)", columns: columns)
        }
        let share = max(0, min(1, fraction))
        let percent = String(Int(share * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        let tail = "\(padding)\(percent) %  \(detail)"
        let barWidth = min(30, columns - title.count - tail.count - 6)
        guard barWidth >= 5 else {
            return VisibleText.shortened("\(title) \(tail)", columns: columns)
        }
        let done = Int(Double(barWidth) * share)
        let bar =
            String(repeating: "=", count: done) + (done < barWidth ? ">" : "")
            + String(repeating: " ", count: max(0, barWidth - done - 1))
        return "\(title)  [\(bar)]  \(tail)"
    }

    /// A terminal that cannot be written to must not stop the work.
    private func draw(_ line: String) {
        // To the first column, then erase what is right of it.
        try? output.write("\r\u{1B}[K" + line)
        try? output.flush()
    }
}
