import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Operations on a database in a folder of somebody who swaps files.
struct SwappedWork: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case encrypt, decrypt, copy, rotate, rotateLayout, salvage
    }

    static let keyText = EncryptedSample.rawKey

    let neighbour: SwappingNeighbour
    let key: CipherKey

    /// - Parameters:
    ///   - kind: What is going to be done. The secret is a database for which it could be done.
    ///   - worker: Who does it; the process becomes that user.
    init(_ kind: Kind = .copy, worker: UInt32 = 0) throws {
        let secret = try (kind == .encrypt ? Self.plain : Self.encrypted).get()
        neighbour = try SwappingNeighbour(secret: secret, worker: worker)
        key = try EncryptedSample.key(Self.keyText)
    }

    func file(_ name: String, _ key: CipherKey?) -> DatabaseFile {
        DatabaseFile(path: neighbour.folder.path(of: name), key: key)
    }

    /// A database in WAL mode, made once.
    private static let plain = Result { try content(.none) }
    private static let encrypted = Result { try content(.content(keyText)) }

    private static func content(_ key: SQLCipherShell.Key) throws -> Data {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "app.db")
        try SQLCipherShell(path: path, key: key).create(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE t (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
              INSERT INTO t SELECT zeroblob(1000) FROM c;
            """)
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// The database, and a file of the neighbour's that is to be replaced.
    func prepare(_ kind: Kind) throws {
        for name in try neighbour.folder.names() {
            try FileManager.default.removeItem(atPath: neighbour.folder.path(of: name))
        }
        var content = try (kind == .encrypt ? Self.plain : Self.encrypted).get()
        if kind == .salvage {
            content.replaceSubrange((content.count - 2000)..<(content.count - 1996), with: 1...4)
        }
        try neighbour.folder.write(content, to: "app.db")
        try neighbour.give("app.db")
        try neighbour.folder.write("old", to: "out.db")
        try neighbour.give("out.db")
    }

    func run(
        _ kind: Kind, _ fileSystem: FileSystem = .system,
        _ progress: OperationProgress.Handler? = nil
    ) throws {
        var source = file("app.db", kind == .encrypt ? nil : key)
        source.fileSystem = fileSystem
        var out = file("out.db", kind == .decrypt ? nil : key)
        out.fileSystem = fileSystem
        switch kind {
        case .encrypt, .decrypt, .copy:
            try source.transfer(to: out, overwrite: true, progress: progress)
        case .rotate: try source.rotateKey(to: .generated(), progress: progress)
        case .rotateLayout:
            try source.rotateKey(
                to: key, changing: CipherChange(pageSize: 8192), progress: progress)
        case .salvage: _ = try source.salvage(to: out, overwrite: true, progress: progress)
        }
    }

    /// Does it with a swap before one of its calls, and then before another one: every fourth, or all
    /// where `STRONGROOM_EVERY_CALL` is set.
    func swapBeforeCalls(of kind: Kind, from first: Int) throws {
        let count = Locked(0)
        try prepare(kind)
        try run(kind, .before { count.withLock { $0 += 1 } })
        let callCount = count.withLock { $0 }
        #expect(callCount > 30)
        let names = [".*.strongroom-????????????????", "app.db", "out.db"]
        let isComplete = ProcessInfo.processInfo.environment["STRONGROOM_EVERY_CALL"] != nil
        let calls = stride(from: isComplete ? 0 : first, to: callCount, by: isComplete ? 1 : 4)
        for call in calls {
            try prepare(kind)
            let trick = SwappingNeighbour.Trick.allCases[call % 5]
            let name = names[call % names.count]
            count.withLock { $0 = 0 }
            let steps = FileSystem.before {
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if number == call { try? neighbour.swap(trick, named: name) }
            }
            let result = Result { try run(kind, steps) }
            try #require(
                neighbour.isSecretUntouched, "\(kind), \(trick) of \(name) before \(call)")
            guard case .failure(let error) = result else { continue }
            #expect(error is DatabaseFileError, "\(error)")
        }
    }

    /// What has been moved out of the way of something else, but for the secret.
    func movedContents() throws -> [Data] {
        try neighbour.folder.names().filter { $0.hasPrefix("moved") }.compactMap {
            FileManager.default.contents(atPath: neighbour.folder.path(of: $0))
        }.filter { $0 != neighbour.secret }
    }
}
