import StrongroomTestSupport
import Testing

@Suite struct AtlasTests {
    @Test(.proves("CMP-01", "CMP-10"))
    func `What the manual of GRDB 4 shows is an app with one changed line`() throws {
        let folder = try TemporaryDirectory()
        try runAtlas(in: folder.path, passphrase: "secret")
    }

    @Test(.proves("CMP-09"))
    func `A request type of an app forwards to one of the library`() throws {
        let folder = try TemporaryDirectory()
        try runForwardedRequests(in: folder.path, passphrase: "secret")
    }
}
