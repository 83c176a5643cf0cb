import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("Who has signed a repository")
struct AuthorityTests {
    private let fixture: BackupFixture
    private let key: CipherKey
    private let otherKey: CipherKey

    init() throws {
        fixture = try BackupFixture(rowCount: 300)
        key = try BackupFixture.databaseKey
        otherKey = try BackupFixture.key(BackupFixture.otherKeyText)
        try fixture.repository.backUp(fixture.file)
    }

    private var repository: BackupRepository { fixture.repository }

    private func signer() throws -> String { try #require(try repository.verify().signer) }

    private static func isNotIntroduced(_ error: any Error) -> Bool {
        (error as? BackupError)?.code == .notIntroduced
    }

    /// The database, once its key was changed.
    private func rotated(to key: CipherKey) throws -> DatabaseFile {
        try fixture.file.rotateKey(to: key)
        var file = fixture.file
        file.key = key
        return file
    }

    @Test("A host without a key trusts one public key through rotations", .proves("HST-17"))
    func rotations() throws {
        let first = try signer()
        var file = fixture.file
        for round in 1...3 {
            let previous = try #require(file.key)
            let text = "x'" + String(repeating: "\(round)e", count: 32) + "'"
            let next = try BackupFixture.key(text)
            try file.rotateKey(to: next)
            file.key = next
            #expect(throws: BackupError.self) { try repository.backUp(file) }
            try repository.backUp(file, authority: .introduced(by: previous))
            // Introduced once, it signs on.
            try repository.backUp(file)
            let report = try repository.verify(authority: first)
            #expect(report.isSound && report.isSignerTrusted == true, "\(report.problems)")
            #expect(report.signer != first)
            // And whoever trusts the newest trusts the older backups, too.
            let signer = try #require(report.signer)
            #expect(try repository.verify(authority: signer).isSound)
            #expect(try repository.verify(key: .database(next)).isSound)
        }
    }

    @Test("Who is not introduced signs nothing, and changes nothing", .proves("HST-17", "HST-19"))
    func strangers() throws {
        let rotated = try rotated(to: otherKey)
        let third = try BackupFixture.key("x'" + String(repeating: "77", count: 32) + "'")
        let files = try fixture.repositoryFiles()
        #expect(performing: { try repository.backUp(rotated) }, throws: Self.isNotIntroduced)
        #expect(
            performing: { try repository.backUp(rotated, authority: .introduced(by: third)) },
            throws: Self.isNotIntroduced)
        #expect {
            try repository.prune(keeping: RetentionPolicy(last: 1), key: otherKey)
        } throws: {
            ($0 as? BackupError)?.code == .wrongKey
        }
        #expect {
            try repository.prune(keeping: RetentionPolicy(last: 1))
        } throws: {
            ($0 as? BackupError)?.code == .keyNeeded
        }
        #expect(try fixture.repositoryFiles() == files)
    }

    @Test("A new beginning is a decision: who trusted somebody before refuses", .proves("HST-17"))
    func newBeginning() throws {
        let first = try signer()
        let rotated = try rotated(to: otherKey)
        try repository.backUp(rotated, authority: .newBeginning)
        #expect(try repository.verify().isSound)
        #expect(try repository.verify(key: .database(otherKey)).isSound)
        let report = try repository.verify(authority: first)
        #expect(report.isSignerTrusted == false && !report.isSound)
        #expect(try repository.verify(key: .database(key)).isSignerTrusted == false)
        #expect(
            performing: { try repository.prune(keeping: RetentionPolicy(last: 1), key: key) },
            throws: Self.isNotIntroduced)
        let restored = try repository.restore("1", to: fixture.path("out.db"), key: key)
        #expect(
            restored.notices.count == 1
                && restored.notices[0].contains("no trusted signature rules it out"))
    }

    @Test(
        "After rekey the new key signs, the old one no more, and trust goes on", .proves("HST-17"))
    func rekey() throws {
        let first = try signer()
        try repository.rekey(from: key, to: otherKey)
        #expect(try repository.verify(authority: first).isSound)
        #expect(try repository.verify(key: .database(otherKey)).isSound)
        #expect(performing: { try repository.backUp(fixture.file) }, throws: Self.isNotIntroduced)
        // The leaked key can't undo that: the head that it signs is damaged.
        let opened = try OpenRepository(repository)
        var head = try opened.readHead()
        let leaked = try BackupKey(
            PageKey(key, fileSalt: CipherSalt.random(), settings: .version(.v4)))
        #expect(throws: BackupError.self) { try opened.writeHead(&head, leaked) }
        try repository.backUp(rotated(to: otherKey))
        #expect(try repository.verify(authority: first).isSound)
    }

    @Test("A key that was rotated before signs no more after rekey, either", .proves("HST-17"))
    func rekeyAfterRotation() throws {
        let first = try signer()
        let rotated = try rotated(to: otherKey)
        try repository.backUp(rotated, authority: .introduced(by: key))
        #expect(try repository.prune(keeping: RetentionPolicy(last: 2), key: key).kept.count == 2)
        try repository.rekey(from: key, to: otherKey)
        #expect(
            performing: { try repository.prune(keeping: RetentionPolicy(last: 2), key: key) },
            throws: Self.isNotIntroduced)
        let head = try OpenRepository(repository).readHead()
        #expect(Authorities(head.authorities ?? []).isReplaced(first))
        try repository.backUp(rotated)
        #expect(try repository.verify(authority: first).isSound)
    }

    @Test(
        "With a public key that is trusted, a page that was forged with all hashes right is found",
        .proves("HST-17"))
    func forgedPage() throws {
        let signer = try signer()
        let forged = ForgedRepository(fixture)
        try forged.forgeLastManifest { $0["tag"] = "forged" }
        // Without a key and without a memory, nothing tells it from a genuine one.
        #expect(try repository.verify().isSound)
        let report = try repository.verify(authority: signer)
        #expect(!report.isSound && report.isSignerTrusted == false)
        #expect(try !repository.verify(key: .database(key)).isSound)
    }

    @Test("No byte of a signed head can be changed, with its hash made anew", .proves("HST-17"))
    func changedHeads() throws {
        let forged = ForgedRepository(fixture)
        let genuine = try forged.content("head")
        let line = genuine.prefix { $0 != UInt8(ascii: "\n") }
        for place in stride(from: 0, to: line.count, by: 3) {
            var bytes = Data(line)
            bytes[place] ^= 1
            try (bytes + Data("\nsha256 \(ForgedRepository.digest(bytes))\n".utf8))
                .write(to: forged.url("head"))
            let report = Result { try repository.verify(key: .database(key)) }
            let isFound = (try? report.get())?.isSound != true
            #expect(isFound, "byte \(place)")
        }
        try genuine.write(to: forged.url("head"))
        #expect(try repository.verify(key: .database(key)).isSound)
    }

    @Test("Entries that lead from one key to another, and those that do not", .proves("HST-17"))
    func chains() throws {
        let keys = try (0..<5).map { number in
            var seed = SecretBytes(capacity: 32)
            for _ in 0..<32 { seed.append(UInt8(number)) }
            return try SigningKey(seed: seed)
        }
        let names = keys.map(\.publicKey.hexadecimal)
        func joins(_ one: Int, _ other: Int, replaces: Bool = false) throws -> Introduction {
            try Introduction(of: keys[other], by: keys[one], replaces: replaces)
        }
        let beginning = Introduction(beginning: keys[0].publicKey)
        let authorities = Authorities([
            beginning, try joins(0, 1), try joins(1, 2, replaces: true),
            // Replaced ones introduce nobody.
            try joins(1, 3),
        ])
        #expect(authorities.authorise(names[2], for: names[0]))
        #expect(authorities.authorise(names[0], for: names[2]), "the other way round, too")
        #expect(!authorities.authorise(names[1], for: names[0]), "it was replaced")
        #expect(authorities.authorise(names[2], for: names[1]), "who trusted it goes on")
        #expect(!authorities.authorise(names[3], for: names[0]))
        #expect(!authorities.authorise(names[4], for: names[4]), "it is not among them")
        // What others say of a key does not count without it, and without them.
        var forged = try joins(0, 1)
        #expect(try forged.isGenuine())
        forged.key = names[4]
        #expect(try !forged.isGenuine())
        forged = try joins(0, 1)
        forged.replaces = true
        #expect(try !forged.isGenuine())
        forged = try joins(0, 1)
        swap(&forged.signature, &forged.acceptance)
        #expect(try !forged.isGenuine())
        // Neither can be claimed by the other alone.
        let genuine = try joins(0, 1)
        forged = genuine
        forged.acceptance = genuine.signature
        #expect(try !forged.isGenuine())
        forged = genuine
        forged.signature = genuine.acceptance
        #expect(try !forged.isGenuine())
        var alone = beginning
        alone.replaces = false
        #expect(try !alone.isGenuine())
    }

    @Test(
        "A repository of the first format is signed by the next backup, or stays",
        .proves("BKP-022"))
    func firstFormat() throws {
        var old = try BackupRepository.create(at: fixture.path("old"))
        old.keepsFormat = true
        var head = try OpenRepository(old).readHead()
        head.format = .unsigned
        head.generation = nil
        head.authorities = nil
        try OpenRepository(old).writeHead(&head, nil)
        try old.backUp(fixture.file)
        #expect(try old.verify(key: .database(key)).isSound)
        #expect(try old.verify(key: .database(key)).signer == nil)
        #expect(try !old.verify(authority: signer()).isSound, "a signature was asked for")
        try old.prune(keeping: RetentionPolicy(last: 1))
        try old.rekey(from: key, to: otherKey)
        let line = try String(contentsOfFile: old.path + "/head", encoding: .utf8)
        #expect(line.contains("strongroom-backup-1"))
        old.keepsFormat = false
        try old.backUp(fixture.file, authority: .known)
        let report = try old.verify(key: .database(key))
        #expect(report.isSound && report.isSignerTrusted == true)
        #expect(try old.backups().count == 2)
        // What knows the first format alone says what it is.
        let decoded = try Subprocess.run(
            "python3", ["-c", Self.oldReader, old.path + "/head"])
        #expect(decoded.outputText == "strongroom-backup-2\n", "\(decoded.errorText)")
    }

    /// What earlier versions of the library do with a head, before they refuse its format.
    private static let oldReader = """
        import hashlib, json, sys
        content, seal, rest = open(sys.argv[1], "rb").read().split(b"\\n")
        assert rest == b"" and seal.decode() == "sha256 " + hashlib.sha256(content).hexdigest()
        print(json.loads(content)["format"])
        """
}
