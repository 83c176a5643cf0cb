import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite struct PackWriterTests {
    private static let pageSize = 4096
    private static let chunkPageCount = 256

    /// The bytes of some pages one after the other: each has its number all over.
    private static func chunk(_ index: Int) -> [UInt32] {
        (0..<chunkPageCount).flatMap { page in
            Array(repeating: UInt32(index * chunkPageCount + page + 1), count: pageSize / 4)
        }
    }

    /// Appends chunks on several threads.
    private static func append(
        _ count: Int, to packs: PackWriter
    ) -> (references: [Int: [PageReference]], errors: [any Error]) {
        let outcome = Locked<(references: [Int: [PageReference]], errors: [any Error])>(([:], []))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            do {
                let references = try chunk(index).withUnsafeBytes { bytes in
                    let digests = try stride(from: 0, to: bytes.count, by: pageSize).map {
                        try ContentDigest(
                            of: UnsafeRawBufferPointer(rebasing: bytes[$0..<($0 + pageSize)]))
                    }
                    return try packs.append(
                        bytes, digests, page: UInt32(index * chunkPageCount + 1))
                }
                outcome.withLock { $0.references[index] = references }
            } catch {
                outcome.withLock { $0.errors.append(error) }
            }
        }
        return outcome.withLock { $0 }
    }

    @Test("Threads fill packs at once, each is on the disk before it has its name")
    func threadsFillPacks() throws {
        let fixture = try BackupFixture(rowCount: 1)
        let events = Locked<[String]>([])
        var fileSystem = FileSystem.system
        fileSystem.synchronize = { descriptor throws(SystemError) in
            try FileSystem.system.synchronize(descriptor)
            events.withLock { $0.append("fsync") }
        }
        fileSystem.inFolder.rename = { folder, name, newFolder, newName throws(SystemError) in
            events.withLock { $0.append("rename") }
            try FolderCalls.system.rename(folder, name, newFolder, newName)
        }
        let folders = try RepositoryFolders(path: fixture.repository.path, fileSystem)
        let packs = try PackWriter(folders, firstNumber: 3)
        let (references, errors) = Self.append(40, to: packs)
        try packs.finish()
        #expect(errors.isEmpty && references.count == 40)
        // 16 chunks to a pack: three of them, and the names in the order of the numbers.
        let names = try FileManager.default.contentsOfDirectory(atPath: folders.packs.path).sorted()
        #expect(names.compactMap { PackFormat.parse($0)?.number } == [3, 4, 5])
        #expect(packs.totals.nextPack == 6 && packs.totals.pageCount == 40 * 256)
        let sizes = try names.map {
            try #require(try folders.packs.byteCount(of: $0))
        }
        #expect(packs.totals.byteCount == sizes.reduce(0, +))
        #expect(
            events.withLock { $0 }
                == Array(repeating: ["fsync", "rename"], count: 3).flatMap(\.self))
        let store = try PackStore(folders.packs)
        for (index, references) in references {
            let expected = Self.chunk(index)
            var content = [UInt32](repeating: 0, count: expected.count)
            try content.withUnsafeMutableBytes {
                try store.read(
                    references, firstPage: UInt32(index * 256 + 1), pageSize: Self.pageSize, to: $0)
            }
            #expect(content == expected)
        }
        for number in 3...5 {
            let name = try #require(PackFormat.parse(names[number - 3]))
            #expect(try !store.reader(UInt32(number)).verifiedRows(name.digest).isEmpty)
        }
    }

    @Test("What the disk refuses ends the work, and leaves nothing", arguments: [1, 2, 3])
    func refusedByTheDisk(number: Int) throws {
        let fixture = try BackupFixture(rowCount: 1)
        let count = Locked(0)
        var fileSystem = FileSystem.system
        fileSystem.synchronize = { descriptor throws(SystemError) in
            let call = count.withLock {
                $0 += 1
                return $0
            }
            if call == number { throw SystemError("fsync", "", number: EIO) }
        }
        let folders = try RepositoryFolders(path: fixture.repository.path, fileSystem)
        let packs = try PackWriter(folders, firstNumber: 1)
        let (_, errors) = Self.append(40, to: packs)
        #expect(throws: SystemError.self) { try packs.finish() }
        #expect(errors.allSatisfy { $0 is SystemError })
        packs.discard()
        for folder in [folders.packs.path, fixture.repository.path + "/tmp"] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }
}
