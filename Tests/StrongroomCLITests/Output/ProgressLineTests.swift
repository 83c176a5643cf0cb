import StrongroomCLI
import Testing

@Suite struct ProgressLineTests {
    /// What a terminal gets when progress is told at these milliseconds.
    private func screen(milliseconds: [Int], finishes: Bool = true) -> [String] {
        var written: [String] = []
        var moment = 0
        let output = TextOutput(name: "test", capacity: 0) { bytes in
            written.append(String(decoding: bytes, as: UTF8.self))
        }
        let line = ProgressLine(
            output: output, columns: { 60 }, now: { .milliseconds(moment) })
        for millisecond in milliseconds {
            moment = millisecond
            line.update("copying", fraction: 0.5, detail: "1 of 2")
        }
        if finishes { line.finish() }
        return written
    }

    @Test func `short work shows nothing`() {
        #expect(screen(milliseconds: [0, 100, 299]) == [])
    }

    @Test func `long work shows a line ten times a second at most, and erases it`() {
        let written = screen(milliseconds: [0, 300, 310, 399, 400, 450, 500])
        #expect(written.count == 4)
        #expect(written[0].hasPrefix("\r\u{1B}[Kcopying  ["))
        #expect(written[3] == "\r\u{1B}[K")
    }

    @Test func `the line fits the terminal`() {
        for columns in 8...120 {
            let line = ProgressLine.line(
                "encrypting", fraction: 0.333, detail: "33.3 MB of 100.0 MB", columns: columns)
            #expect(DisplayWidth.columns(of: line) <= columns, "\(columns)")
        }
    }

    @Test(arguments: [
        (0.0, "copying  [>          ]    0 %  x"), (0.5, "copying  [=====>     ]   50 %  x"),
        (1.0, "copying  [===========]  100 %  x"),
    ])
    func `the bar is as long as the work is done`(fraction: Double, line: String) {
        #expect(
            ProgressLine.line("copying", fraction: fraction, detail: "x", columns: 32) == line)
    }
}
