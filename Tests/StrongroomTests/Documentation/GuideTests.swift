import Foundation
import StrongroomTestSupport
import Testing

@Suite("The guides")
struct GuideTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let blocks = Guide.all.flatMap(\.codeBlocks)

    /// Together, for most of the compiler's time is its start.
    @Test("Every block of Swift compiles against the library")
    func codeCompiles() throws {
        let blocks = Self.blocks.filter { !$0.standsAlone }
        let files = blocks.map { ($0.fileName, $0.source) }
        let sources = Dictionary(uniqueKeysWithValues: files)
        #expect(sources.count >= 25)
        let errors = try ClientSource.errors(inFiles: sources, directory: directory)
        #expect(errors == nil)
    }

    @Test(
        "Every block of declarations compiles against the library",
        arguments: blocks.filter(\.standsAlone))
    func declarationsCompile(block: Guide.CodeBlock) throws {
        let path = try directory.write(block.source, to: "Block.swift")
        let result = try Subprocess.run(
            "swiftc",
            ["-typecheck", "-parse-as-library", "-swift-version", "6", path]
                + GuideProgram.moduleArguments(),
            timeout: .seconds(300))
        #expect(result.isSuccess, "\(block.place): \(result.errorText)\n\(block.source)")
    }

    @Test(
        "Programs of tutorials and commands in consoles print what the page says",
        arguments: Guide.all.filter(\.isSession).map(\.path))
    func sessionsRun(path: String) throws {
        let guide = try #require(Guide.all.first { $0.path == path })
        let tutorial = GuideProgram(guide: guide.lines.joined(separator: "\n"))
        guard tutorial.canBeBuilt else { return }
        let program = tutorial.source.isEmpty ? "false" : try tutorial.build(in: directory)
        let folder = try TemporaryDirectory()
        #expect(!tutorial.commands.isEmpty)
        for complaint in try tutorial.complaints(program: program, in: folder) {
            Issue.record("\(path): \(complaint)")
        }
    }

    @Test("A tutorial that prints something else does not pass")
    func wrongTutorialFails() throws {
        let text = """
            ```console
            $ echo one; false
            one
            $ echo two $?
            t…1
            $ echo three
            four
            ```
            """
        let complaints = try GuideProgram(guide: text).complaints(program: "", in: directory)
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("$ echo three\nthree\n") == true)
    }

    @Test("A block that is wrong does not pass")
    func wrongCodeFails() throws {
        let guide = Guide(
            path: "A.md",
            text: """
                <!-- given: let answer = 42 -->
                ```swift
                let dbQueue = try DatabaseQueue()
                print(answer, dbQueue.noSuchThing)
                ```
                """)
        let block = try #require(guide.codeBlocks.first)
        #expect(guide.codeBlocks.count == 1)
        #expect(block.place == "A.md:2")
        #expect(
            try ClientSource.errors(in: block.source, directory: directory)?.contains("noSuchThing")
                == true)
    }

    @Test("The README has code and commands, and is no longer than 150 lines")
    func readme() throws {
        let readme = try #require(Guide.all.first { $0.path == "README.md" })
        #expect(!readme.codeBlocks.isEmpty)
        #expect(readme.isSession)
        #expect(readme.lines.count <= 151)
    }

    @Test("Links lead to files that are there", arguments: Guide.all.map(\.path))
    func linksLeadSomewhere(path: String) throws {
        let guide = try #require(Guide.all.first { $0.path == path })
        for file in guide.linkedFiles {
            #expect(
                FileManager.default.fileExists(atPath: PackageFiles.path(of: file)),
                "\(path) links to \(file)")
        }
    }

    @Test("What to type after make exists")
    func makeTargetsExist() throws {
        let makefile = try String(
            contentsOfFile: PackageFiles.path(of: "Makefile"), encoding: .utf8)
        let targets = Set(Guide.all.flatMap(\.makeTargets))
        #expect(targets.isSuperset(of: ["demo", "test"]))
        for target in targets {
            #expect(makefile.contains("\n\(target):"), "make \(target)")
        }
    }
}
