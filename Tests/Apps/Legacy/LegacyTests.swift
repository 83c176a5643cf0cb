import StrongroomTestSupport
import Testing

@Suite struct LegacyTests {
    @Test(.proves("CMP-01"))
    func `An app written for GRDB runs with one changed line`() throws {
        let folder = try TemporaryDirectory()
        try runLegacy(at: folder.path(of: "app.sqlite"), passphrase: "correct horse")
    }
}
