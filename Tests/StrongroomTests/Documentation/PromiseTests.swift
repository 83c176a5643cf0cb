import StrongroomTestSupport
import Testing

/// What users may rely on is told where they look for it.
@Suite("What is promised, and what is not")
struct PromiseTests {
    private func text(_ path: String) throws -> String {
        let file = try #require(SourceTree.files.first { $0.path == path })
        return file.lines.joined(separator: " ")
    }

    @Test(.proves("STM-052"))
    func `Generated SQL is not part of the interface`() throws {
        let changelog = try text("CHANGELOG.md")
        #expect(changelog.contains("The text of generated SQL and of messages may change in any"))
        let request = try text("Sources/Strongroom/Query/PreparedRequest.swift")
        #expect(request.contains("may change from release to release"))
    }

    @Test(.proves("UTL-008"))
    func `Versions are semantic, for sources and not for binaries`() throws {
        let changelog = try text("CHANGELOG.md")
        #expect(changelog.contains("[semantic versioning](https://semver.org)"))
        #expect(changelog.contains("but for what its documentation calls experimental"))
        #expect(changelog.contains("no promise about binaries"))
        #expect(try !text("Package.swift").contains("library-evolution"))
    }

    @Test(.proves("IRQ-006"))
    func `Suspension may change`() throws {
        let suspension = try text("Sources/Strongroom/Connection/Database+Suspension.swift")
        #expect(suspension.contains("Suspension is experimental: it may change without notice."))
    }

    @Test(.proves("OBS-053"))
    func `Hooks of a connection are the library's`() throws {
        let connection = try text("Sources/Strongroom/Connection/Database.swift")
        #expect(connection.contains("The authorizer and the commit, rollback and update hooks are"))
        let guide = try text("Documentation/Observation.md")
        #expect(guide.contains("`sqlite3_set_authorizer`"))
    }
}
