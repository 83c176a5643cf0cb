import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `make install` after the build: where things are, and that all of it goes again.
@Suite struct InstallTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func install(_ words: String...) throws -> Subprocess.Result {
        try Subprocess.run(
            PackageFiles.path(of: "Scripts/install"), words,
            environment: ["PATH": "/usr/bin:/bin", "DESTDIR": directory.path, "PREFIX": "/usr"])
    }

    private var files: [String] {
        let names = FileManager.default.enumerator(atPath: directory.path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { name in
            var isFolder: ObjCBool = false
            let path = directory.path(of: name)
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    #if os(Linux)
    @Test(
        "a Debian package depends on the one of the library that the tool loads",
        .proves("POR-07"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-shlibdeps")))
    func dependencies() throws {
        let tool = PackageFiles.program("strongroom")
        let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let result = try Subprocess.run(
            PackageFiles.path(of: "Scripts/deb"), ["--depends", tool], environment: environment)
        #expect(result.isSuccess, "\(result.errorText)")
        // The package that owns the file which is loaded.
        let owner = try Subprocess.run(
            "/bin/sh",
            [
                "-ec",
                #"""
                dpkg -S "$(readlink -f "$(ldd "$0" | sed -n 's/.*sqlcipher.* => \([^ ]*\) .*/\1/p')")" |
                    cut -d : -f 1
                """#, tool,
            ], environment: environment)
        let name = owner.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(name.hasPrefix("libsqlcipher"), "\(owner.errorText)")
        #expect(result.outputText.contains("\(name) (>= 4.5.6)"), "\(result.outputText)")
    }
    #endif

    @Test(
        "each command has a page, each shell its completions, and all is removed", .proves("OPR-17")
    )
    func installation() throws {
        let result = try install(PackageFiles.program("strongroom"))
        #expect(result.status == .exited(0), "\(result.errorText)")
        var expected = [
            "usr/bin/strongroom", "usr/share/man/man1/strongroom.1",
            "usr/share/bash-completion/completions/strongroom",
            "usr/share/zsh/site-functions/_strongroom",
            "usr/share/fish/vendor_completions.d/strongroom.fish",
        ]
        expected += CommandList.syntaxes.map { syntax in
            let name = syntax.name.replacingOccurrences(of: " ", with: "-")
            return "usr/share/man/man1/strongroom-\(name).1"
        }
        #expect(files.sorted() == expected.sorted())
        let own = directory.path(of: "usr/share/man/man1/other.1")
        try Data().write(to: URL(fileURLWithPath: own))
        #expect(try install("--uninstall").status == .exited(0))
        #expect(files == ["usr/share/man/man1/other.1"])
    }

    @Test(
        "each page has all options and examples, and man takes it without a warning",
        .proves("OPR-17"), arguments: CommandList.syntaxes.map(\.name))
    func page(name: String) throws {
        let page = try CommandRun(
            ["help"] + name.split(separator: " ").map(String.init) + ["--man"])
        #expect(page.exitCode == .done)
        let syntax = try #require(CommandList.syntaxes.first { $0.name == name })
        let plain = page.output.replacingOccurrences(of: "\\-", with: "-")
        for option in syntax.options { #expect(plain.contains("--\(option.name)")) }
        #expect(page.output.contains(".SH EXIT STATUS"))
        guard FileManager.default.fileExists(atPath: "/usr/bin/man") else { return }
        let file = try directory.write(page.output, to: "page.1")
        let shown = try Subprocess.run(
            "man", ["--warnings", "-P", "cat", "-l", file],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"])
        #expect(shown.status == .exited(0))
        #expect(shown.errorText.isEmpty, "\(shown.errorText)")
        #expect(shown.outputText.contains("SYNOPSIS"))
    }

    @Test("the page about all of it names every command", .proves("OPR-17"))
    func overview() throws {
        let page = try CommandRun(["help", "--man"]).output.replacingOccurrences(
            of: "\\-", with: "-")
        for syntax in CommandList.syntaxes {
            let name = syntax.name.replacingOccurrences(of: " ", with: "-")
            #expect(page.contains("strongroom-\(name)"))
        }
        #expect(page.contains("NO_COLOR"))
        #expect(try CommandRun(["help", "json", "--man"]).exitCode == .usage)
    }

    @Test("completions offer values, and help knows all commands", .proves("OPR-17"))
    func values() throws {
        let script = Shell.bash.completions(for: CommandList.syntaxes)
        let help = try #require(script.split(separator: "\"help\")").last)
        for word in ["doctor", "salvage", "shell"] { #expect(help.contains(word)) }
        for shell in Shell.allCases {
            let script = shell.completions(for: CommandList.syntaxes)
            #expect(script.contains("auto always never"))
            #expect(script.contains("color"))
        }
    }

    @Test("zsh and fish read their completions", .proves("OPR-17"), arguments: ["zsh", "fish"])
    func syntaxOfScripts(shell: String) throws {
        guard FileManager.default.fileExists(atPath: "/usr/bin/\(shell)"),
            let kind = Shell(rawValue: shell)
        else { return }
        let script = kind.completions(for: CommandList.syntaxes)
        let file = try directory.write(script, to: "script")
        let result = try Subprocess.run("/usr/bin/\(shell)", ["-n", file])
        #expect(result.status == .exited(0), "\(result.errorText)")
    }
}
