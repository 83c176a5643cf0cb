import Foundation
import StrongroomTestSupport
import Testing

/// The built program on files whose names are no UTF-8, and where there is no `/proc`.
@Suite struct ByteNameTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    /// Runs a shell script: `$S` is the program, `$N` a name that is no UTF-8.
    private func run(_ script: String, in namespace: [String] = []) throws -> Subprocess.Result {
        let command = namespace + ["/bin/sh", "-euc", #"N=$(printf 'caf\351'); "# + script]
        return try Subprocess.run(
            command[0], Array(command.dropFirst()),
            environment: [
                "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "S": PackageFiles.program("strongroom"),
                "STRONGROOM_STATE": "none", "K": "--key-file=shop.key",
            ], workingDirectory: fixture.directory.path)
    }

    @Test("every command takes a name of bytes", .proves("OPR-19"))
    func commands() throws {
        let script = #"""
            cp shop.key "$N.key"
            mkdir "$N"
            "$S" encrypt plain.sqlite "$N/$N.db" --key-file "$N.key"
            "$S" info "$N/$N.db" $K
            "$S" check "$N/$N.db" $K
            "$S" doctor "$N/$N.db" $K
            "$S" query "$N/$N.db" 'SELECT count(*) FROM album' --csv $K
            "$S" copy "$N/$N.db" "$N/$N.copy" $K
            "$S" salvage "$N/$N.db" "$N/saved" $K
            "$S" decrypt "$N/$N.db" "$N/$N.sqlite" $K
            "$S" rotate-key "$N/$N.copy" $K --new-key-generate "$N.new"
            "$S" check "$N/$N.copy" --key-file "$N.new"
            "$S" key-id "$N.key" "$N/$N.db"
            "$S" backup init "$N/repo"
            "$S" backup create "$N/$N.db" --to "$N/repo" $K
            "$S" backup restore "$N/repo" "$N/back.db" $K
            "$S" check "$N/back.db" $K
            cmp plain.sqlite "$N/$N.sqlite" || sqlcipher "$N/$N.sqlite" 'SELECT count(*) FROM album'
            """#
        let result = try run(script)
        #expect(result.isSuccess, "\(result.errorText)")
        #expect(result.outputText.contains(#"caf\xE9.db is sound"#), "\(result.outputText)")
        // Nothing has got a repaired name, and nothing is left.
        let listing = try run(#"cd "$N"; ls -A | LC_ALL=C sort | od -c"#).outputText
        #expect(!listing.contains("357 277 275"), "\(listing)")
        let names = try run(#"ls -A "$N" | wc -l; ls -A . | grep -c strongroom || true"#)
        #expect(names.outputText.split(whereSeparator: \.isWhitespace) == ["6", "0"])
    }

    @Test("a folder of them is backed up and restored", .proves("OPR-19"))
    func root() throws {
        let script = #"""
            mkdir -p "src/$N" backups
            cp shop.db "src/$N/$N.db"
            "$S" backup create src --to backups $K
            "$S" backup list backups --json
            "$S" backup restore backups out $K
            cmp "src/$N/$N.db" "out/$N/$N.db"
            """#
        let result = try run(script)
        #expect(result.isSuccess, "\(result.errorText)")
    }

    @Test("JSON has the bytes next to the text", .proves("OPR-19"))
    func json() throws {
        let result = try run(#"cp shop.db "$N.db"; "$S" check "$N.db" $K --json"#)
        let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        #expect(object?["file"] as? String == #"caf\xE9.db"#)
        let bytes = Data("caf".utf8) + [0xE9] + Data(".db".utf8)
        #expect(object?["fileBytes"] as? String == bytes.base64EncodedString())
    }

    @Test("a hint can be typed in a shell", .proves("OPR-19"))
    func hint() throws {
        let result = try run(#""$S" "$N.db" || true; touch "$N.db"; "$S" "$N.db" || true"#)
        #expect(result.errorText.contains(#"strongroom info $'caf\xE9.db'"#), "\(result.errorText)")
    }

    @Test(
        "arguments are read where there is no /proc", .proves("OPR-20"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")))
    func withoutProc() throws {
        let script = #"""
            mount -t tmpfs none /proc
            test ! -e /proc/self
            "$S" --version
            "$S" query shop.db 'SELECT 6 * 7' --csv $K
            "$S" copy shop.db copy.db $K
            "$S" check copy.db $K
            ! "$S" nonsense 2>errors
            grep 'unknown command nonsense' errors
            """#
        let result = try run(script, in: ["/usr/bin/unshare", getuid() == 0 ? "-m" : "-rm"])
        #expect(result.isSuccess, "\(result.errorText)")
        #expect(result.outputText.contains("SQLCipher") && result.outputText.contains("42"))
    }

    @Test(
        "a file is replaced where there is no /proc, with its attributes", .proves("OPR-20"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")))
    func replacedWithoutProc() throws {
        _ = try fixture.directory.write(
            CommandLineFixture.otherKey + "\n", to: "new.key", mode: 0o600)
        if Attributes.work { try Attributes.set("user.strongroom", [4, 2], fixture.database) }
        let script = #"""
            mount -t tmpfs none /proc
            "$S" rotate-key shop.db $K --new-key-file new.key
            "$S" check shop.db --key-file new.key
            "$S" copy shop.db copy.db --key-file new.key
            "$S" copy shop.db copy.db --key-file new.key --force
            ! "$S" shell shop.db --key-file new.key 2>errors
            grep 'there is no /dev/fd' errors
            """#
        let result = try run(script, in: ["/usr/bin/unshare", getuid() == 0 ? "-m" : "-rm"])
        #expect(result.isSuccess, "\(result.errorText)")
        #expect(
            !Attributes.work || Attributes.get("user.strongroom", fixture.database) == [4, 2])
    }
}
