import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import PackageCatalog

/// A package with all that is associated to it.
struct DetailsTests {
    private let folder: TemporaryDirectory
    private let catalog: Catalog

    private let status = """
        Package: shop
        Version: 1.0
        Architecture: amd64
        Section: web
        Maintainer: Ann <ann@example.org>
        Depends: libshop:any (>= 1), mailer | sendmail (<< 2), zip
        Suggests: libshop-doc
        Provides: store, boutique

        Package: shop
        Version: 1.0
        Architecture: arm64

        Package: libshop
        Version: 1.0
        Architecture: all
        Section: web
        Maintainer: Ann <ann@example.org>
        """

    init() throws {
        folder = try TemporaryDirectory()
        catalog = try Catalog(
            path: folder.path(of: "catalog.db"), key: CipherKey.ofTests())
        var status = DpkgStatus(lines: lines(Data(status.utf8), chunkSize: 64))
        _ = try catalog.importPackages(from: &status, source: "test")
        #expect(status.problems.isEmpty)
    }

    @Test func `a package comes with its section, its maintainer, and what it asks for`() throws {
        let found = try catalog.details(of: "shop")
        let details = try #require(found.first)
        #expect(details.package.architecture == "amd64")
        #expect(details.section?.name == "web")
        #expect(details.maintainer?.address == "ann@example.org")
        #expect(
            details.requirements(.depends)
                == ["libshop:any (>= 1)", "mailer | sendmail (<< 2)", "zip"])
        #expect(details.requirements(.suggests) == ["libshop-doc"])
        #expect(details.requirements(.recommends) == [])
        #expect(details.provisions.map(\.name) == ["boutique", "store"])
    }

    @Test func `what a package lacks is missing, and who is not there has no details`() throws {
        let found = try catalog.details(of: "shop")
        #expect(found.map(\.package.architecture) == ["amd64", "arm64"])
        let bare = try #require(found.last)
        #expect(bare.section == nil && bare.maintainer == nil)
        #expect(bare.dependencies.isEmpty && bare.provisions.isEmpty)
        #expect(try catalog.details(of: "nothing") == [])
    }

    @Test func `groups of packages are counted by their associations`() throws {
        let web = GroupSize(name: "web", packageCount: 2, installedSize: 0)
        #expect(try catalog.largestSections(limit: 9) == [web])
        let ann = GroupSize(name: "Ann", packageCount: 2, installedSize: 0)
        #expect(try catalog.busiestMaintainers(limit: 9) == [ann])
    }

    @Test func `an import that commits in between keeps what it had when it fails`() throws {
        struct BrokenDisk: Error {}
        let texts = ["aa", "bb", "cc"].map { "Package: \($0)\nVersion: 1\nArchitecture: all\n\n" }
        var pieces = texts.map { Data($0.utf8) }
        var status = DpkgStatus(
            lines: LineReader(chunks: {
                if pieces.isEmpty { throw BrokenDisk() }
                return pieces.removeFirst()
            }))
        #expect(throws: BrokenDisk.self) {
            try catalog.importPackages(from: &status, source: "test", committingEvery: 2)
        }
        #expect(try catalog.totals().packageCount == 5)
        #expect(try catalog.details(of: "bb").count == 1)
        #expect(try catalog.details(of: "cc") == [])
    }
}
