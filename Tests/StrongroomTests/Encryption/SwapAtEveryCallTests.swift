import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A swap of a name before any call", .proves("HST-02"))
struct SwapAtEveryCallTests {
    @Test(
        "harms no other file of root's",
        .enabled(if: SwappingNeighbour.isPossible, "needs root, and setpriv"),
        arguments: SwappedWork.Kind.allCases)
    func root(kind: SwappedWork.Kind) throws {
        try SwappedWork(kind).swapBeforeCalls(of: kind, from: 1)
    }

    @Test(
        "harms no other file of a user's",
        .enabled(if: SwappingNeighbour.isPossible, "needs root, and setpriv"),
        arguments: SwappedWork.Kind.allCases)
    func user(kind: SwappedWork.Kind) async throws {
        await #expect(processExitsWith: .success) { [name = kind.rawValue as String] in
            let kind = try #require(SwappedWork.Kind(rawValue: name))
            try SwappedWork(kind, worker: 65533).swapBeforeCalls(of: kind, from: 3)
        }
    }
}

@Suite(
    "A link in the path that root works on", .proves("HST-02"),
    .enabled(if: SwappingNeighbour.isPossible, "needs root, and setpriv"))
struct StrangersLinkTests {
    private let work: SwappedWork

    private var folder: TemporaryDirectory { work.neighbour.folder }
    private var vault: TemporaryDirectory { work.neighbour.vault }

    init() throws {
        work = try SwappedWork()
        try work.prepare(.copy)
    }

    private func expectRefusal(_ body: () throws -> Void) {
        let error = #expect(throws: DatabaseFileError.self) { try body() }
        #expect(error?.code == .permission)
        #expect(error?.message.contains("is a link that another user created") == true)
        #expect(work.neighbour.isSecretUntouched)
    }

    @Test("that the neighbour has made is not followed to a file of root's")
    func refused() throws {
        let source = work.file("app.db", work.key)
        try work.neighbour.act(
            """
            cd \(folder.path)
            ln -s \(vault.path(of: "secret")) link
            ln -s link twice
            ln -s \(vault.path) folder
            ln -s ../\(vault.path.splitAtLastSlash.name)/./secret relative
            """)
        for name in ["link", "twice", "relative", "folder/secret", "folder/../folder/secret"] {
            expectRefusal {
                try source.transfer(to: work.file(name, work.key), overwrite: true)
            }
        }
        expectRefusal { try source.transfer(to: work.file("folder/new.db", work.key)) }
        #expect(try vault.names() == ["secret"])
        // A database of root's, with the same key.
        let own = vault.path(of: "own.db")
        try FileManager.default.copyItem(atPath: source.path, toPath: own)
        let before = try FileSystem.system.status(own)
        try work.neighbour.act("ln -s \(own) \(folder.path(of: "own"))")
        let error = #expect(throws: DatabaseFileError.self) {
            try work.file("own", work.key).rotateKey(to: .generated())
        }
        #expect(error?.message.contains("is a link that another user created") == true)
        #expect(try FileSystem.system.status(own) == before)
    }

    @Test("is followed where its maker may do as much, and stays")
    func followed() throws {
        let source = work.file("app.db", work.key)
        try work.neighbour.act(
            "cd \(folder.path); ln -s out.db his; mkdir sub; ln -s \(folder.path)/sub far")
        let own = vault.path(of: "own.db")
        for (name, target) in [("roots", own), ("toHis", folder.path(of: "out.db"))] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: name), withDestinationPath: target)
        }
        try vault.write("old", to: "own.db")
        for name in ["his", "roots", "toHis", "far/new.db", "far/../his"] {
            try source.transfer(to: work.file(name, work.key), overwrite: true)
            #expect(try work.file(name, work.key).check().isSound)
        }
        for (name, target) in [("his", "out.db"), ("roots", own)] {
            #expect(try FileSystem.system.linkTarget(folder.path(of: name)) == target)
        }
        #expect(try FileSystem.system.status(folder.path(of: "out.db")).owner == 65534)
    }

    @Test("ends, or is an error, where links go round")
    func loop() throws {
        try work.neighbour.act("cd \(folder.path); ln -s b a; ln -s a b")
        let error = #expect(throws: DatabaseFileError.self) {
            try work.file("app.db", work.key).transfer(
                to: work.file("a", work.key), overwrite: true)
        }
        #expect(error?.message.contains("symbolic links") == true)
    }
}
