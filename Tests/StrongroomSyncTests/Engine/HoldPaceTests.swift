import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct HoldPaceTests {
    private let begin = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        begin + .milliseconds(milliseconds)
    }

    private func hold(_ start: Int, _ end: Int, version: Int64) -> HoldPace.Hold {
        HoldPace.Hold(start: at(start), end: at(end), version: version)
    }

    @Test(.proves("SYN-007"))
    func `the lock is left alone for longer while another program writes`() {
        var pace = HoldPace()
        #expect(pace.pause(at: at(0)) == .zero)
        pace.note(hold(0, 20, version: 1))
        #expect(pace.pause(at: at(20)) == .milliseconds(4))
        #expect(pace.pause(at: at(23)) == .milliseconds(1))
        #expect(pace.pause(at: at(30)) == .zero)
        pace.note(hold(30, 50, version: 2))
        #expect(pace.pause(at: at(50)) == .milliseconds(40))
        #expect(pace.pause(at: at(80)) == .milliseconds(10))
        pace.note(hold(9_000, 9_100, version: 2))
        #expect(pace.pause(at: at(9_100)) == .milliseconds(50))
        pace.note(hold(10_100, 10_120, version: 2))
        #expect(pace.pause(at: at(10_120)) == .milliseconds(4))
    }
}
