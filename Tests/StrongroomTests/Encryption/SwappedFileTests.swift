import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite(
    "Work of root in a folder of somebody who swaps files", .proves("HST-02"),
    .enabled(if: SwappingNeighbour.isPossible, "needs root, and setpriv"))
struct SwappedFileTests {
    private let work: SwappedWork
    private let neighbour: SwappingNeighbour
    private let key: CipherKey

    init() throws {
        work = try SwappedWork()
        neighbour = work.neighbour
        key = work.key
    }

    @Test(
        "changes no other file, whatever is swapped and when",
        arguments: SwappedWork.Kind.allCases, SwappingNeighbour.Trick.allCases)
    func swapping(kind: SwappedWork.Kind, trick: SwappingNeighbour.Trick) throws {
        try work.prepare(kind)
        var phases: Set<OperationProgress.Phase> = []
        try work.run(kind, .system) { phases.insert($0.phase) }
        var failureCount = 0
        // In the first nothing is there yet.
        for phase in phases where phase != .preparing {
            try work.prepare(kind)
            var isSwapped = false
            do {
                try work.run(kind, .system) {
                    guard $0.phase == phase, !isSwapped else { return }
                    isSwapped = true
                    try neighbour.swap(trick)
                }
            } catch is DatabaseFileError {
                failureCount += 1
            }
            #expect(neighbour.isSecretUntouched, "in \(phase)")
        }
        // Of what is swapped while the file is there, nothing passes for the new one.
        if trick != .sidecars { #expect(failureCount >= 1) }
    }

    @Test("a swap just before a step is found, or does no harm", arguments: [0, 1, 2, 3, 4, 5])
    func steps(step: Int) throws {
        let neighbour = neighbour
        for trick in SwappingNeighbour.Trick.allCases {
            try work.prepare(.encrypt)
            var out = work.file("out.db", key)
            let system = FileSystem.system
            // A file that is swapped before it has its lock is made again: not without end.
            let swapCount = Locked(0)
            @Sendable func swap(at place: Int) {
                guard place == step, swapCount.withLock({ $0 < 3 }) else { return }
                swapCount.withLock { $0 += 1 }
                try? neighbour.swap(trick)
            }
            out.fileSystem.lock = { (descriptor) throws(SystemError) in
                swap(at: 0)
                return try system.lock(descriptor)
            }
            out.fileSystem.truncate = { (descriptor, count) throws(SystemError) in
                swap(at: 1)
                try system.truncate(descriptor, count)
            }
            out.fileSystem.changeOwner = { (descriptor, owner, group) throws(SystemError) in
                swap(at: 2)
                try system.changeOwner(descriptor, owner, group)
            }
            out.fileSystem.changeMode = { (descriptor, mode) throws(SystemError) in
                swap(at: 3)
                try system.changeMode(descriptor, mode)
            }
            out.fileSystem.synchronize = { (descriptor) throws(SystemError) in
                swap(at: 4)
                try system.synchronize(descriptor)
            }
            out.fileSystem.inFolder.rename = { (folder, from, newFolder, to) throws(SystemError) in
                swap(at: 5)
                try system.inFolder.rename(folder, from, newFolder, to)
            }
            let result = Result { try work.file("app.db", nil).transfer(to: out, overwrite: true) }
            #expect(neighbour.isSecretUntouched)
            if trick == .sidecars { continue }
            // What was written stays under no other name, as long as it is not whole.
            if step < 5 { #expect(try work.movedContents().allSatisfy { $0.count < 512 }) }
            // A file that is swapped before it has a lock is another process's, and left to it.
            if step == 0 { continue }
            #expect(throws: DatabaseFileError.self) { try result.get() }
        }
    }

    @Test(
        "attributes are taken from the file that is replaced, and from no other",
        .enabled(if: Attributes.work), arguments: [false, true])
    func attributes(isLink: Bool) throws {
        try work.prepare(.encrypt)
        // A file of root's that the neighbour cannot read, and may rename, or make a link to.
        let secret = try neighbour.folder.write("root's", to: "secret")
        try Attributes.set("user.label", Array("none of his business".utf8), secret)
        var out = work.file("out.db", key)
        let path = out.path
        out.fileSystem.changeOwner = { (descriptor, owner, group) throws(SystemError) in
            unlink(path)
            _ = isLink ? symlink(secret, path) : rename(secret, path)
            try FileSystem.system.changeOwner(descriptor, owner, group)
        }
        let result = Result { try work.file("app.db", nil).transfer(to: out, overwrite: true) }
        // A link may get the number of the file that has gone; it has no attributes itself.
        if !isLink { #expect(throws: DatabaseFileError.self) { try result.get() } }
        if (try? result.get()) != nil { #expect(Attributes.get("user.label", path) == nil) }
    }

    @Test("a key file is written into what was made, and a swap is reported")
    func keyFile() throws {
        let neighbour = neighbour
        for trick in [SwappingNeighbour.Trick.link, .ownFile] {
            let path = neighbour.folder.path(of: "app.key")
            var fileSystem = FileSystem.system
            fileSystem.synchronize = { (descriptor) throws(SystemError) in
                try? neighbour.swap(trick, named: "app.key")
                try FileSystem.system.synchronize(descriptor)
            }
            let error = #expect(throws: CipherKeyError.self) {
                try CipherKey.generated().write(toNewFile: path, fileSystem: fileSystem)
            }
            #expect(
                error?.message.contains("another process has put another file in its place") == true
            )
            #expect(neighbour.isSecretUntouched)
            // Of the key, nothing stays under another name.
            #expect(try work.movedContents().allSatisfy(\.isEmpty))
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("a key file is not written through a link that is there before")
    func plantedLink() throws {
        for target in ["secret", "nothing is there yet"] {
            let path = neighbour.folder.path(of: target + ".key")
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: neighbour.vault.path(of: target))
            let error = #expect(throws: CipherKeyError.self) {
                try CipherKey.generated().write(toNewFile: path)
            }
            #expect(error?.code == .fileExists)
            #expect(neighbour.isSecretUntouched)
        }
    }

    @Test("leftovers are files of our own names, and links are none")
    func leftovers() throws {
        try work.prepare(.rotate)
        let name = ".app.db.strongroom-0123456789abcdef"
        try FileManager.default.createSymbolicLink(
            atPath: neighbour.folder.path(of: name),
            withDestinationPath: neighbour.vault.path(of: "secret"))
        try work.file("app.db", key).rotateKey(to: .generated())
        #expect(neighbour.isSecretUntouched)
        #expect(try neighbour.folder.names().contains(name))
    }
}
