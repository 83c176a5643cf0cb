import Foundation
import StrongroomTestSupport
import Testing

@Suite("Scripts/unproved")
struct UnprovedTests {
    let package: TemporaryDirectory
    /// Written apart, so that the script does not take these tests' examples for their own.
    private let proves = "proves"

    init() throws {
        package = try TemporaryDirectory()
        for folder in ["Documentation", "Tests"] {
            try FileManager.default.createDirectory(
                atPath: package.path(of: folder), withIntermediateDirectories: true)
        }
        try package.write(
            """
            - ABC-001 one
            - ABC-002 two, and a part of it {Apple}.
            - ABC-003 three. {Apple}
            - ABC-004 three and a half. {promise}
            - XYZ-001 four

            # List 1. What follows the layers
            - LST-01 five
            """, to: "Documentation/Features.md")
    }

    @Test("Prints the lines that no test names, and fails")
    func printsUnproved() throws {
        // A name in a comment proves nothing, and a call may span lines.
        let result = try run(
            tests: """
                // .\(proves)("ABC-002")
                @Test("One", .tags(.slow), .\(proves)(
                    "XYZ-001"
                ))
                """)
        #expect(result.outputText == "ABC-001 one\nABC-002 two, and a part of it {Apple}.\n")
        #expect(result.status == .exited(1))
    }

    @Test("Reads ids of two digits, and tells them from those of three")
    func readsShortIDs() throws {
        try package.write(
            """
            - ABC-01 short
            - ABC-011 long
            - ABC-02 short again
            """, to: "Documentation/Features.md")
        let result = try run(tests: #"@Test(.\#(proves)("ABC-01", "ABC-02"))"#)
        #expect(result.outputText == "ABC-011 long\n")
        #expect(try run(tests: #"@Test(.\#(proves)("ABC-01", "ABC-12"))"#).status == .exited(2))
    }

    @Test("Looks at the sections that are asked for, and counts")
    func countsSections() throws {
        let tests = #"@Suite(.\#(proves)("ABC-001"), .\#(proves)("ABC-002"))"#
        #expect(try run("ABC", tests: tests).isSuccess)
        #expect(try run("XYZ", tests: tests).outputText == "XYZ-001 four\n")
        let counts = try run("--counts", tests: tests).outputText
        #expect(counts.hasPrefix("ABC    2 of   2 proved\nXYZ    0 of   1 proved\n"))
    }

    @Test("A name that is not in the list is an error, whatever is asked for")
    func refusesUnknownNames() throws {
        let result = try run("ABC", tests: #"@Test(.\#(proves)("ABC-001", "ABC-002", "ABC-099"))"#)
        #expect(result.status == .exited(2))
        #expect(result.errorText.contains("Tests/ATests.swift:1: ABC-099 is not in the list"))
        #expect(try run("NIX", tests: "").status == .exited(2))
    }

    @Test("A line with a check box is an error, and counts nevertheless")
    func refusesBoxes() throws {
        for box in ["[ ]", "[x]", "[]"] {
            try package.write(
                "- \(box) ABC-001 one\n- ABC-002 two", to: "Documentation/Features.md")
            let result = try run(tests: #"@Test(.\#(proves)("ABC-002"))"#)
            #expect(result.status == .exited(2))
            #expect(result.errorText.contains("Documentation/Features.md:1: no check box"))
            #expect(result.outputText == "ABC-001 one\n")
        }
    }

    private func run(_ arguments: String..., tests: String) throws -> Subprocess.Result {
        try package.write(tests, to: "Tests/ATests.swift")
        return try Subprocess.run(
            PackageFiles.path(of: "Scripts/unproved"), ["--root", package.path] + arguments)
    }
}
