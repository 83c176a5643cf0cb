import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct CancellationTests {
    @Test func `nothing is cancelled before someone wishes it`() throws {
        let cancellation = Cancellation()
        try cancellation.check()
        #expect(!cancellation.isCancelled)
    }

    @Test func `the first wish stays, with its exit code`() {
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        cancellation.cancel(.interrupted)
        let error = #expect(throws: Failure.self) { try cancellation.check() }
        #expect(error?.exitCode == .terminated)
    }

    @Test func `an action runs for every wish, but only while its work runs`() throws {
        let cancellation = Cancellation()
        let calls = Collected()
        try cancellation.onCancel({ calls.add("early") }, while: {})
        try cancellation.onCancel({ calls.add("now") }) {
            cancellation.cancel()
            cancellation.cancel()
        }
        cancellation.cancel()
        #expect(calls.texts == ["now", "now"])
    }

    @Test func `work does not begin after the wish`() {
        let cancellation = Cancellation()
        let calls = Collected()
        cancellation.cancel()
        #expect(throws: Failure.self) {
            try cancellation.onCancel({ calls.add("action") }) { calls.add("work") }
        }
        #expect(calls.texts.isEmpty)
    }
}
