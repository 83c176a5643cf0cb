import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import PackageCatalog

struct CatalogTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private let shop = """
        Package: shop
        Version: 1.0
        Architecture: all
        Section: web
        Installed-Size: 100
        Maintainer: Ann <ann@example.org>
        Depends: libshop (>= 1), mailer | sendmail
        Suggests: libshop-doc

        Package: libshop
        Version: 1.0
        Architecture: all
        Section: libs
        Installed-Size: 50
        Maintainer: Ann <ann@example.org>

        Package: postman
        Version: 2:1.1-1
        Architecture: all
        Section: mail
        Installed-Size: 7
        Maintainer: Bob <bob@example.org>
        Provides: mailer
        Pre-Depends: libshop
        """

    @Test func `the first import adds, the second one finds nothing new`() throws {
        let catalog = try open()
        #expect(try run(shop, catalog) == ImportReport(added: 3))
        #expect(try run(shop, catalog) == ImportReport(unchanged: 3))
        #expect(
            try catalog.totals()
                == Totals(
                    packageCount: 3, dependencyCount: 5, sectionCount: 3, maintainerCount: 2,
                    installedSize: 157 * 1024))
    }

    @Test func `an import updates what changed and removes what is gone`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        let changed = """
            Package: shop
            Version: 1.1
            Architecture: all
            Section: oldlibs

            Package: new
            Version: 1
            Architecture: all
            """
        #expect(try run(changed, catalog) == ImportReport(added: 1, upgraded: 1, removed: 2))
        #expect(
            try catalog.totals()
                == Totals(
                    packageCount: 2, dependencyCount: 0, sectionCount: 1, maintainerCount: 0,
                    installedSize: 0))
    }

    @Test func `a failure while the file is read leaves the catalog as it was`() throws {
        struct BrokenDisk: Error {}
        let catalog = try open()
        _ = try run(shop, catalog)
        let before = try catalog.totals()

        var pieces = [Data("Package: other\nVersion: 1\nArchitecture: all\n\n".utf8)]
        var status = DpkgStatus(
            lines: LineReader(chunks: {
                guard let piece = pieces.popLast() else { throw BrokenDisk() }
                return piece
            }))
        #expect(throws: BrokenDisk.self) {
            try catalog.importPackages(from: &status, source: "test")
        }
        #expect(try catalog.totals() == before)
    }

    @Test func `the largest packages come first`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        #expect(
            try catalog.largestPackages(limit: 2) == [
                PackageSize(name: "shop", version: "1.0", installedSize: 100 * 1024),
                PackageSize(name: "libshop", version: "1.0", installedSize: 50 * 1024),
            ])
    }

    @Test func `sections and maintainers are counted`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        #expect(try catalog.largestSections(limit: 9).map(\.name) == ["libs", "mail", "web"])
        #expect(
            try catalog.busiestMaintainers(limit: 1) == [
                GroupSize(name: "Ann", packageCount: 2, installedSize: 150 * 1024)
            ])
    }

    @Test func `who names a virtual package depends on the one that provides it`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        #expect(
            try catalog.dependants(of: "postman") == [
                Dependant(name: "shop", kind: .depends, requirement: "mailer")
            ])
        #expect(
            try catalog.dependants(of: "libshop") == [
                Dependant(name: "shop", kind: .depends, requirement: "libshop (>= 1)"),
                Dependant(name: "postman", kind: .preDepends, requirement: "libshop"),
            ])
    }

    @Test func `a package that is not installed may be asked for all the same`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        #expect(
            try catalog.dependants(of: "sendmail") == [
                Dependant(name: "shop", kind: .depends, requirement: "sendmail")
            ])
        #expect(try catalog.footprint(of: "sendmail") == nil)
    }

    @Test func `a footprint follows dependencies through virtual packages`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        #expect(
            try catalog.footprint(of: "shop")
                == GroupSize(name: "shop", packageCount: 3, installedSize: 157 * 1024))
        #expect(try catalog.footprint(of: "nothing") == nil)
    }

    @Test func `a catalog is there again when it is opened with its key`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        try catalog.close()
        let again = try open()
        #expect(try again.totals().packageCount == 3)
    }

    @Test func `another key does not open it, and leaves it as it was`() throws {
        let catalog = try open()
        _ = try run(shop, catalog)
        try catalog.close()
        #expect(throws: DatabaseError.self) { try open(key: .ofTests(0x17)) }
        #expect(try open().totals().packageCount == 3)
    }

    @Test func `a database that holds something else is refused`() throws {
        let catalog = try open()
        try catalog.database.write { db in
            try db.execute(sql: "PRAGMA application_id = 7")
        }
        try catalog.close()
        #expect(throws: Schema.UnknownSchemaError.self) { try open() }
    }

    @Test func `a catalog of a later version of the program is refused`() throws {
        let catalog = try open()
        try catalog.database.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('to come')")
        }
        try catalog.close()
        #expect(throws: Schema.UnknownSchemaError.self) { try open() }
    }

    private func open(key: CipherKey? = nil) throws -> Catalog {
        try Catalog(path: folder.path(of: "catalog.db"), key: key ?? .ofTests())
    }

    private func run(_ text: String, _ catalog: Catalog) throws -> ImportReport {
        var status = DpkgStatus(lines: lines(Data(text.utf8), chunkSize: 4096))
        let report = try catalog.importPackages(from: &status, source: "test")
        #expect(status.problems.isEmpty)
        return report
    }
}

extension CipherKey {
    /// A raw key: from a passphrase, every connection of every test would derive its own.
    static func ofTests(_ byte: UInt8 = 0x42) throws -> CipherKey {
        try CipherKey(rawKey: Data(repeating: byte, count: 32))
    }
}
