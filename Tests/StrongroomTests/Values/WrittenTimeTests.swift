import Foundation
import Testing

@testable import StrongroomCore

@Suite struct WrittenTimeTests {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    @Test("Times are written, and read, as Foundation does, to the millisecond")
    func asFoundation() throws {
        var generator = SystemRandomNumberGenerator()
        let limits = (-62_135_596_800_000, 253_402_300_799_999)
        var milliseconds = [limits.0, limits.1, 0, -1, 951_782_400_000, 4_107_542_400_000]
        milliseconds += (0..<5000).map { _ in
            Int.random(in: limits.0...limits.1, using: &generator)
        }
        for value in milliseconds {
            // Foundation cuts what is behind the milliseconds off: a little more, for its rounding.
            let date = Date(timeIntervalSince1970: (Double(value) + 0.3) / 1000)
            let text = WrittenTime.text(of: date)
            // Its calendar is the Julian one before 1582.
            if value > -12_219_292_800_000 { #expect(text == date.formatted(Self.style)) }
            let read = try #require(WrittenTime.date(of: text))
            #expect(abs(read.timeIntervalSince1970 * 1000 - Double(value)) < 0.3)
            #expect(WrittenTime.text(of: read) == text)
        }
    }

    @Test(
        "What is no time is none",
        arguments: [
            "", "Z", "2026-11-21T15:04:05", "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z", "2026-11-21T24:00:00.000Z", "2026-11-21T15:60:00.000Z",
            "2026-11-21T15:04:05.Z",
            "2026-11-21T15:04:05,5Z", "2026-11-21 15:04:05Z", "+026-11-21T15:04:05Z",
            "2026-11-21T15:04:05.0000Z", "2026-11-21T15:04:05Z",
            "2026-00-10T00:00:00.000Z", "2026-11-00T00:00:00.000Z",
        ])
    func refused(_ text: String) {
        #expect(WrittenTime.date(of: text) == nil)
    }
}
