import Testing

@Suite("Rules of tidiness")
struct TidyRuleTests {
    @Test(
        "A rule notices what breaks it, at its line",
        arguments: [
            ("try!", "Sources/StrongroomCore/A.swift", "let a = try! b()", 1),
            ("as!", "Tests/A.swift", "\nlet a = b as! C", 2),
            ("unfinished", "Sources/A.swift", "// TODO: later", 1),
            ("unfinished", "Sources/A.swift", "fatalError(\"not implemented\")", 1),
            ("print", "Sources/StrongroomCore/A.swift", "    print(1)", 1),
            ("print", "Sources/StrongroomCore/A.swift", "Swift.print(1)", 1),
            ("option of the tool", "Sources/StrongroomBackup/A.swift", "hint: \"say --full\"", 1),
            ("sleep", "Tests/A.swift", "Thread.sleep(forTimeInterval: 1)", 1),
            ("sleep", "Tests/A.swift", "try await Task.sleep(for: .seconds(1))", 1),
            ("sleep", "Tests/A.swift", "usleep(5)", 1),
            ("DateFormatter", "Sources/StrongroomCore/Values/A.swift", "DateFormatter.a()", 1),
            (
                "import CSQLCipher", "Sources/StrongroomCore/Values/A.swift",
                "internal import CSQLCipher", 1
            ),
            ("safety", "Sources/A.swift", "final class A: @unchecked Sendable {}", 1),
            ("safety", "Sources/A.swift", "// Safety: none\n\nnonisolated(unsafe) var a = 1", 3),
            ("documentation", "Sources/A.swift", "public struct A {}", 1),
            ("documentation", "Sources/A.swift", "@inlinable public static func a() {}", 1),
            ("documentation", "Sources/A.swift", "public final class A {}", 1),
            ("documentation", "Sources/A.swift", "public init(a: B) {}", 1),
            ("documentation", "Sources/A.swift", "public private(set) var a = 1", 1),
            ("documentation", "Sources/A.swift", "// A.\n@frozen\npublic struct A {}", 3),
            (
                "documentation", "Sources/A.swift",
                "/// A.\npublic protocol A {\n    var a: B { get }\n}", 3
            ),
            (
                "first sentence", "Sources/A.swift",
                "/// " + String(repeating: "word ", count: 15) + "\n/// "
                    + String(repeating: "word ", count: 6) + "\npublic struct A {}", 3
            ),
            ("file name", "Sources/StringUtils.swift", "", 1),
            ("file name", "Sources/Helpers/String.swift", "", 1),
            ("machine path", "README.md", "see /ho" + "me/ada/strongroom", 1),
            ("package host", "Scripts/setup", "echo ht" + "tp://deb.debian.org/debian", 1),
            ("file length", "Sources/A.swift", String(repeating: "\n", count: 301), 301),
            ("test name", "Tests/A.swift", "@Test(\"a\")\nfunc a() {}\n@Test func `b`() {}", 3),
            ("test name", "Tests/A.swift", "@Test(\n    \"a\")\nfunc `a`() {}", 3),
            (
                "function length", "Sources/A.swift",
                "func a(\n    b: Int = 1\n) {\n" + String(repeating: "b\n", count: 46) + "}", 1
            ),
        ])
    func ruleNotices(name: String, path: String, text: String, line: Int) throws {
        let rule = try #require(TidyRule.all.first { $0.name == name })
        #expect(rule.complaints(SourceFile(path: path, text: text)).map(\.line) == [line])
    }

    @Test(
        "A rule lets pass what only looks like a breach",
        arguments: [
            (
                "try!", "Sources/StrongroomCore/A.swift",
                "let a = \"try! \\(b(\"c\")) try!\" // try! it"
            ),
            ("print", "Sources/StrongroomCore/A.swift", "self.print(1); blueprint(2)"),
            ("print", "Sources/StrongroomCLI/A.swift", "print(1)"),
            ("option of the tool", "Sources/StrongroomBackup/A.swift", "count -= 1  // --full"),
            ("sleep", "Tests/A.swift", "// does not sleep()"),
            ("test name", "Tests/A.swift", "@Test(arguments: [\"a\"])\nfunc `b`(c: String) {}"),
            ("test name", "Tests/A.swift", "@Test(\"a\")\nfunc b() {}"),
            ("import CSQLCipher", "Sources/StrongroomCore/Engine/A.swift", "import CSQLCipher"),
            (
                "safety", "Sources/A.swift",
                "// Safety: under `lock`.\nnonisolated(unsafe) var a = 1"
            ),
            (
                "documentation", "Sources/A.swift",
                "/// A.\n@frozen\n@available(*, deprecated)\npublic struct A {}"
            ),
            ("documentation", "Sources/A.swift", "public import Foundation\npackage struct A {}"),
            (
                "first sentence", "Sources/A.swift",
                "/// A. \(String(repeating: "b", count: 99))\npublic struct A {}"
            ),
            ("documentation", "Sources/A.swift", "public var description: String { a }"),
            ("documentation", "Sources/A.swift", "public static func == (a: A, b: A) -> Bool {}"),
            (
                "documentation", "Sources/A.swift",
                "public init(\n    arrayLiteral elements: A...\n) {"
            ),
            ("documentation", "Sources/A.swift", "if let open = a {"),
            ("documentation", "Sources/A.swift", "@_exported public import A"),
            ("file name", "Sources/Importance.swift", ""),
            ("machine path", "README.md", "../work/home/a"),
            ("file length", "Sources/A.swift", String(repeating: "\n", count: 300)),
            (
                "function length", "Sources/A.swift",
                "func a() {\n" + String(repeating: "\"{\"\n", count: 45) + "}\n"
                    + String(repeating: "b\n", count: 90)
            ),
            (
                "function length", "Tests/A.swift",
                "func a() {\n" + String(repeating: "b\n", count: 60) + "}"
            ),
            (
                "function length", "Sources/A.swift",
                "protocol A {\n    func a() -> Int\n}\nstruct B {"
                    + String(repeating: "\n", count: 90) + "}"
            ),
        ])
    func ruleLetsPass(name: String, path: String, text: String) throws {
        let rule = try #require(TidyRule.all.first { $0.name == name })
        #expect(rule.complaints(SourceFile(path: path, text: text)) == [])
    }

    @Test("What comments and strings say is no code")
    func blanking() {
        #expect(SourceFile.blanked("a /* { /* } */ */ b") == "a                 b")
        #expect(SourceFile.blanked(#"x = "{\"}" + y"#) == #"x = "    " + y"#)
        #expect(SourceFile.blanked("r = #\"\"}\"#; z") == "r = #\"  \"#; z")
        #expect(SourceFile.blanked("s = \"\"\"\n  {\"\n  \"\"\"") == "s = \"\"\"\n    \n  \"\"\"")
        #expect(SourceFile.blanked("u = #/{/#; z") == "u =    /#; z")
        #expect(SourceFile.blanked(#"t = "\(a("{"))" }"#) == #"t = "         " }"#)
    }
}
