import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("Stamps")
struct StampTests {
    private static let day: Int64 = 86_400_000

    @Test(
        "only grow, whatever the clock does; a note is never later than now",
        .proves("SYN-070", "SYN-073"))
    func growing() {
        var random = SeededGenerator(seed: 4)
        var clock = StampClock()
        var last = Stamp(bits: 0)
        for _ in 0..<10_000 {
            let now = Int64.random(in: 0...1000, using: &random) * Self.day
            let noted = now + Int64.random(in: -9...9, using: &random) * Self.day
            let offset = Int64.random(in: -9...9, using: &random) * Self.day
            let stamp = clock.stamp(noted: noted, now: now, offset: offset)
            #expect(stamp > last)
            #expect(stamp == last.next || stamp.milliseconds <= now + offset)
            last = stamp
        }
        #expect(StampClock(last: clock.last) == clock)
    }

    @Test(
        "of a clock that is 50 years wrong take their right place once the offset is known",
        .proves("SYN-071", "SYN-072"))
    func corrected() {
        let truth: Int64 = 1_764_000_000_000
        for wrong in [-50 * 365 * Self.day, -Self.day, 0, Self.day, 50 * 365 * Self.day] {
            var clock = StampClock()
            let stamp = clock.stamp(noted: truth + wrong, now: truth + wrong + 5000, offset: -wrong)
            #expect(stamp.milliseconds == truth)
        }
    }

    @Test("are as the device's clock says while the offset is unknown", .proves("SYN-075"))
    func unknownOffset() {
        var clock = StampClock()
        #expect(clock.stamp(noted: 5000, now: 9000, offset: nil).milliseconds == 5000)
    }

    @Test("stay below the limit for clocks that are beyond, or at the ends of their range")
    func limits() {
        for time in [Int64.min, -1, Int64.max] {
            for offset in [Int64.min, 0, Int64.max] {
                var clock = StampClock()
                for _ in 0..<100 {
                    #expect(clock.stamp(noted: time, now: time, offset: offset) < Stamp.limit)
                }
            }
        }
        var state = RowState(life: 1, birth: Author(.limit, Run(high: 0, low: 0)))
        #expect(!state.isValid)
        state.birth?.stamp = Stamp(bits: Stamp.limit.bits - 1)
        #expect(state.isValid)
    }

    @Test("exceed that of the cell replaced, without moving the clock", .proves("SYN-070"))
    func domination() throws {
        let table = SimulatedSchema.new[SimulatedSchema.box]
        let ahead = Author(Stamp(milliseconds: 4_000_000_000_000), Run(high: 9, low: 9))
        var merged = RowState(life: 1, birth: ahead)
        merged.cells = [Cell(0, ahead, .value(.integer(1))), Cell(1, ahead, .value(.null))]
        let stamp = Stamp(milliseconds: 1_764_000_000_000)
        let local = LocalRow(
            in: table, notes: [LocalNote(.updated([1]), stamp)], merged: merged, wasVisible: true,
            values: [.text([]), .integer(2), .null])
        let change = try #require(try local.change(in: .init(Run(high: 0, low: 1), 1)))
        #expect(change.cells.map(\.author.stamp) == [ahead.stamp.next])
        _ = merged.merge(change)
        #expect(merged.cells[0].content == .value(.integer(2)))
    }

    @Test("at the end of all stamps an edit still wins: as a new life", .proves("SYN-074"))
    func end() throws {
        let table = SimulatedSchema.new[SimulatedSchema.box]
        let end = Author(Stamp(bits: Stamp.limit.bits - 1), Run(high: 9, low: 9))
        var merged = RowState(life: 1, birth: end)
        merged.cells = [Cell(0, end, .value(.integer(1))), Cell(1, end, .value(.null))]
        let local = LocalRow(
            in: table, notes: [LocalNote(.updated([1]), Stamp(milliseconds: 5))], merged: merged,
            wasVisible: true, values: [.text([]), .integer(2), .null])
        let change = try #require(try local.change(in: .init(Run(high: 0, low: 1), 1)))
        #expect(change.isValid)
        _ = merged.merge(change)
        #expect(merged.life == 5 && merged.cells[0].content == .value(.integer(2)))
    }

    @Test(
        "put the later edit last: always where clocks do not jump, else in 99 of 100",
        .proves("SYN-076"))
    func laterEdit() {
        for jumps in [false, true] {
            var random = SeededGenerator(seed: 76)
            var (pairs, wrong) = (0, 0)
            for _ in 0..<5000 {
                let start: Int64 = 1_764_000_000_000
                let gap = Int64.random(in: 1001...60_000, using: &random)
                var stamps: [Stamp] = []
                for time in [start, start + gap] {
                    var clock = StampClock()
                    let skew = Int64.random(in: -Self.day...Self.day, using: &random)
                    let jump =
                        jumps && Int.random(in: 0..<200, using: &random) == 0 ? Self.day / 24 : 0
                    let now = start + 100_000
                    let error = Int64.random(in: -500...500, using: &random)
                    stamps.append(
                        clock.stamp(
                            noted: time + skew, now: now + skew + jump, offset: error - skew - jump)
                    )
                }
                pairs += 1
                if stamps[1] <= stamps[0] { wrong += 1 }
            }
            #expect(jumps ? wrong * 100 <= pairs : wrong == 0)
        }
    }
}
