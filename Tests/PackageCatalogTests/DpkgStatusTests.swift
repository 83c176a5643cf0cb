import Foundation
import Testing

@testable import PackageCatalog

struct DpkgStatusTests {
    @Test func `a package has what its paragraph says`() throws {
        let (packages, status) = try read(
            """
            Package: cron
            Status: install ok installed
            Section: admin
            Installed-Size: 251
            Maintainer: Javier Fernández-Sanguino Peña <jfs@debian.org>
            Architecture: amd64
            Version: 3.0pl1-162
            Provides: cron-daemon, anacron-like (= 2.3)
            Depends: libc6 (>= 2.34), debianutils (>=1.7) | sh:any,
             adduser
            Pre-Depends: init-system-helpers (>= 1.54~)
            Description: process scheduling daemon
             The cron daemon is a background process.
             .
             It runs programs.
            Homepage: https://example.org/cron

            """)
        let package = try #require(packages.first)
        #expect(packages.count == 1)
        #expect(status.problems.isEmpty)
        #expect(package.name == "cron")
        #expect(package.version == "3.0pl1-162")
        #expect(package.architecture == "amd64")
        #expect(package.section == "admin")
        #expect(package.installedSize == 257_024)
        #expect(package.summary == "process scheduling daemon")
        #expect(package.homepage == "https://example.org/cron")
        #expect(
            package.maintainer
                == Maintainer(name: "Javier Fernández-Sanguino Peña", address: "jfs@debian.org"))
        #expect(package.provides == ["cron-daemon", "anacron-like"])
        #expect(
            package.requirements == [
                Requirement(
                    kind: .preDepends,
                    alternatives: [relation("init-system-helpers", .notEarlier, "1.54~")]),
                Requirement(
                    kind: .depends, alternatives: [relation("libc6", .notEarlier, "2.34")]),
                Requirement(
                    kind: .depends,
                    alternatives: [
                        relation("debianutils", .notEarlier, "1.7"),
                        PackageRelation(name: "sh", architecture: "any"),
                    ]),
                Requirement(kind: .depends, alternatives: [PackageRelation(name: "adduser")]),
            ])
    }

    @Test func `packages that are not installed are skipped and counted`() throws {
        let (packages, status) = try read(
            """
            Package: gone
            Status: deinstall ok config-files
            Version: 1
            Architecture: all


            Package: here
            Status: hold ok installed
            Version: 1
            Architecture: all
            """)
        #expect(packages.map(\.name) == ["here"])
        #expect(status.skippedCount == 1)
        #expect(status.problems.isEmpty)
    }

    @Test func `a bad line is reported with its number and the package survives`() throws {
        let (packages, status) = try read(
            """
             continues nothing
            Package: one
            this is no field
             and this continues it
            Version: 1
            Version: 2
            Architecture: all
            Installed-Size: large
            Depends: libc6 (~ 2), good, (>= 1), open (>= 1, libx (>= )
            """)
        #expect(packages.map(\.name) == ["one"])
        #expect(packages.first?.version == "1")
        #expect(packages.first?.installedSize == nil)
        #expect(packages.first?.requirements.map { $0.alternatives.map(\.name) } == [["good"]])
        #expect(
            status.problems.map(\.description) == [
                "line 1: a continuation line that continues nothing",
                "line 3: expected 'Name: value', found 'this is no field'",
                "line 6: 'Version' is given twice; the first one counts",
                "line 8: Installed-Size 'large' is not a number of KiB",
                "line 9: Depends: 'libc6 (~ 2)' has no comparison that dpkg knows",
                "line 9: Depends: '(>= 1)' does not begin with a package name",
                "line 9: Depends: 'open (>= 1' does not end with ')'",
                "line 9: Depends: 'libx (>= )' has no valid version",
            ])
    }

    @Test(arguments: ["Package", "Version", "Architecture"])
    func `a package without a field that it needs is skipped`(field: String) throws {
        let complete = ["Package: ab", "Version: 1", "Architecture: all"]
        let lines = ["", ""] + complete.filter { !$0.hasPrefix(field) }
        let (packages, status) = try read(lines.joined(separator: "\n"))
        #expect(packages.isEmpty)
        #expect(status.problems.map(\.line) == [3])
        #expect(status.problems.first?.message == "a package without '\(field)' is skipped")
    }

    @Test(arguments: ["-x", "X", "a", "a b", "../etc", ""])
    func `what is not the name of a package is not taken for one`(name: String) throws {
        let (packages, status) = try read("Package: \(name)\nVersion: 1\nArchitecture: all\n")
        #expect(packages.isEmpty)
        #expect(status.problems.count == 1)
    }

    @Test(arguments: ["9223372036854775807", "-1", "1e3", "12 34"])
    func `a size that is no number of KiB is reported`(size: String) throws {
        let (packages, status) = try read(
            "Package: ab\nVersion: 1\nArchitecture: all\nInstalled-Size: \(size)\n")
        #expect(packages.count == 1)
        #expect(packages.first?.installedSize == nil)
        #expect(status.problems.map(\.line) == [4])
    }

    @Test func `bytes that are not UTF-8 are replaced and reported`() throws {
        let bytes =
            Data("Package: ab\nVersion: 1\nArchitecture: all\nMaintainer: Ren".utf8)
            + Data([0xE9, 0x0A])
        var status = DpkgStatus(lines: lines(bytes, chunkSize: 1000))
        #expect(try status.next()?.maintainer?.name == "Ren\u{FFFD}")
        #expect(status.problems.map(\.line) == [4])
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func `the size of the pieces that a file is read in does not matter`(size: Int) throws {
        let text = "Package: ab\nVersion: 1\nArchitecture: all\nMaintainer: Peña ☂\n\n"
        var status = DpkgStatus(lines: lines(Data((text + text).utf8), chunkSize: size))
        #expect(try status.next()?.maintainer?.name == "Peña ☂")
        #expect(try status.next()?.maintainer?.name == "Peña ☂")
        #expect(try status.next() == nil)
        #expect(status.problems.isEmpty)
    }

    @Test func `an empty file has no packages and no problems`() throws {
        let (packages, status) = try read("")
        #expect(packages.isEmpty)
        #expect(status.problems.isEmpty)
    }

    @Test func `a missing file throws`() {
        #expect(throws: (any Error).self) {
            _ = try DpkgStatus(path: "/nonexistent/status")
        }
    }

    private func relation(
        _ name: String, _ comparison: PackageRelation.Comparison, _ version: String
    ) -> PackageRelation {
        PackageRelation(
            name: name, bound: .init(comparison: comparison, version: version))
    }

    private func read(_ text: String) throws -> ([Package], DpkgStatus) {
        var status = DpkgStatus(lines: lines(Data(text.utf8), chunkSize: 4096))
        var packages: [Package] = []
        while let package = try status.next() {
            packages.append(package)
        }
        return (packages, status)
    }
}

func lines(_ data: Data, chunkSize: Int) -> LineReader {
    var rest = data
    return LineReader(chunks: {
        defer { rest = rest.dropFirst(chunkSize) }
        return rest.prefix(chunkSize)
    })
}
