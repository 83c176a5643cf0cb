import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup
@testable import StrongroomSFTP

/// What a repository needs of whatever keeps it: put, get, list, delete and status.
@Suite struct StoreConformanceTests {
    private static let names = [
        "plain", "with a space", "quote'\"", "ü-\u{65E5}", "%41+~", "shops%2Fnorth.db", "-dash",
        ".dot",
    ]

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ kind: StoreKind) throws -> (RepositoryFolder, place: String) {
        let place = try kind.place("store", in: directory.path)
        return (try kind.open(kind.url(of: place)), place)
    }

    private func put(_ bytes: [UInt8], _ name: String, _ folder: RepositoryFolder) throws {
        try folder.write(bytes, to: name, by: folder)
    }

    @Test(.proves("OBJ-001", "OBJ-003"), arguments: StoreKind.installed)
    func `What was put is got, listed, measured and deleted, whatever its name`(
        kind: StoreKind
    ) throws {
        let (folder, place) = try open(kind)
        for (index, name) in Self.names.enumerated() {
            let bytes = (0..<(index * 1000)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try put(bytes, name, folder)
            #expect(try folder.content(of: name, limit: 1 << 20) == bytes)
            #expect(try folder.byteCount(of: name) == Int64(bytes.count))
        }
        let direct = try kind.open(kind.direct(place))
        for (index, name) in Self.names.enumerated() {
            let bytes = (0..<(index * 1000)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try direct.content(of: name, limit: 1 << 20) == bytes)
        }
        #expect(try Set(folder.names()) == Set(Self.names))
        for name in Self.names { try folder.remove(name) }
        #expect(try folder.names() == [])
        #expect(try folder.byteCount(of: "plain") == nil)
        #expect {
            try folder.remove("plain")
        } throws: {
            ($0 as? SystemError)?.isMissing == true
        }
    }

    @Test(.proves("OBJ-001", "OBJ-011"), arguments: StoreKind.installed)
    func `Ranges of a large file are its bytes, in whichever order they are read`(
        kind: StoreKind
    ) throws {
        let (folder, _) = try open(kind)
        var random = SeededGenerator(seed: 46)
        let bytes = (0..<3_000_017).map { _ in UInt8.random(in: 0...255, using: &random) }
        try put(bytes, "large", folder)
        let file = try folder.openForReading("large")
        defer { folder.fileSystem.close(file) }
        func read(_ offset: Int, _ count: Int) throws {
            var buffer = [UInt8](repeating: 0, count: count)
            let got = try buffer.withUnsafeMutableBytes {
                try folder.fileSystem.readAll(file, $0, at: Int64(offset))
            }
            let end = min(bytes.count, offset + count)
            #expect(got == max(0, end - offset))
            #expect(buffer[..<got] == bytes[min(offset, end)..<end], "\(offset)")
        }
        for _ in 0..<100 {
            try read(
                .random(in: 0...(bytes.count + 10), using: &random),
                .random(in: 1...200_000, using: &random))
        }
        for offset in stride(from: 0, to: bytes.count, by: 4096) { try read(offset, 4096) }
        try read(0, bytes.count + 1)
        #expect(try folder.fileSystem.descriptorStatus(file).byteCount == Int64(bytes.count))
    }

    @Test(.proves("OPR-172"), arguments: StoreKind.remote.filter { $0 != .sftp })
    func `Each of several that read in order has a handle that goes forward only`(
        kind: StoreKind
    ) throws {
        let (direct, place) = try open(kind)
        let megabyte = 1 << 20
        let bytes = (0..<(8 * megabyte)).map { UInt8(truncatingIfNeeded: $0 / 1000) }
        try put(bytes, "pack", direct)
        let notes = directory.path(of: "notes")
        let folder = try kind.open(kind.proxied("none-reads-noted", 1, place, mark: notes))
        let file = try folder.openForReading("pack")
        defer { folder.fileSystem.close(file) }
        func read(_ offset: Int, _ count: Int) throws {
            var buffer = [UInt8](repeating: 0, count: count)
            let got = try buffer.withUnsafeMutableBytes {
                try folder.fileSystem.readAll(file, $0, at: Int64(offset))
            }
            #expect(got == count && buffer[...] == bytes[offset..<(offset + count)])
        }
        for index in 0..<3 {
            try read(index * megabyte, megabyte)
            try read((index + 4) * megabyte, megabyte)
            try read(8 * megabyte - 100_000 + index * 1000, 1000)
        }
        var places: [Substring: Int] = [:]
        let text = try String(contentsOfFile: notes, encoding: .ascii)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let offset = try #require(Int(words[1]))
            #expect(offset > places[words[0]] ?? -1)
            places[words[0]] = offset
        }
        #expect(places.count == 3)
    }

    @Test(.proves("OBJ-004", "OBJ-006"), arguments: StoreKind.installed)
    func `A file is there under its name when all of it is, and takes the place of another`(
        kind: StoreKind
    ) throws {
        let (folder, _) = try open(kind)
        try put(Array("first, and longer".utf8), "head", folder)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try folder.write(Array("second".utf8), to: "head", by: folder) {
                #expect(
                    try folder.content(of: "head", limit: 100) == Array("first, and longer".utf8))
                throw Stop()
            }
        }
        #expect(try folder.names() == ["head"])
        try put(Array("second".utf8), "head", folder)
        #expect(try folder.content(of: "head", limit: 100) == Array("second".utf8))
        #expect(try folder.names() == ["head"])
        let large = [UInt8](repeating: 7, count: 100_000)
        for _ in 1...2 { try put(large, "large", folder) }
        #expect(try folder.content(of: "large", limit: 1 << 20) == large)
    }

    @Test(.proves("OBJ-004"), arguments: StoreKind.installed)
    func `A name that is taken is not created again, and a link is not followed`(
        kind: StoreKind
    ) throws {
        let (folder, place) = try open(kind)
        try put([1], "file", folder)
        // rclone's server creates it again: names of temporary files are random.
        if !kind.isRclone {
            #expect {
                try folder.create("file")
            } throws: {
                ($0 as? SystemError)?.number == SystemError.fileExists
            }
        }
        try folder.makeFolder("folder")
        #expect(try folder.folder("folder").names() == [])
        if !kind.isRclone { #expect(throws: SystemError.self) { try folder.makeFolder("folder") } }
        #expect(throws: BackupError.self) { try folder.openForReading("folder") }
        #expect(throws: (any Error).self) { try folder.folder("file") }
        #expect(throws: (any Error).self) { try folder.folder("missing") }
        // rclone shows no links.
        if !kind.isRclone {
            try FileManager.default.createSymbolicLink(
                atPath: place + "/link", withDestinationPath: "file")
            #expect(throws: BackupError.self) { try folder.openForReading("link") }
        }
    }

    @Test(.proves("OBJ-001"), arguments: StoreKind.installed)
    func `Many threads write parts of one file and read another`(kind: StoreKind) throws {
        let (folder, _) = try open(kind)
        let part = 50_000
        let file = try folder.create("parts")
        let next = Locked(0)
        let failures = Locked<[String]>([])
        SystemThread.share(among: 4) {
            while true {
                let index = next.withLock { value in
                    value += 1
                    return value - 1
                }
                guard index < 40 else { return }
                do {
                    try [UInt8](repeating: UInt8(index), count: part).withUnsafeBytes {
                        try folder.fileSystem.writeAll($0, to: file, at: Int64(index * part))
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        try folder.fileSystem.synchronize(file)
        folder.fileSystem.close(file)
        #expect(failures.withLock { $0 } == [])
        let content = try folder.content(of: "parts", limit: 10 << 20)
        #expect(content == (0..<40).flatMap { [UInt8](repeating: UInt8($0), count: part) })
    }
}
