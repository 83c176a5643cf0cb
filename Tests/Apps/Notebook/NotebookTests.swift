import StrongroomTestSupport
import Testing

@Suite struct NotebookTests {
    @Test(.proves("CMP-01"), .needsFTS5)
    func `An app written for GRDB runs with one changed line`() throws {
        let folder = try TemporaryDirectory()
        try runNotebook(at: folder.path(of: "app.sqlite"), passphrase: "correct horse")
    }
}
