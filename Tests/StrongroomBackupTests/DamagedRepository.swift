import Foundation
import Strongroom
import StrongroomTestSupport

@testable import StrongroomBackup

/// A repository that a seed damages: by accident, or on purpose under hashes, seals and signatures that
/// are right.
struct DamagedRepository {
    private let forged: ForgedRepository

    init(path: String, sealing: BackupKey?) {
        forged = ForgedRepository(path: path, sealing: sealing)
    }

    /// - Returns: What was done.
    @discardableResult
    func damage(_ generator: inout SeededGenerator) throws -> String {
        switch Int.random(in: 0...5, using: &generator) {
        case 0: try damageFile(&generator)
        case 1: try forgeHead(&generator)
        case 2: try forgeManifest(&generator)
        case 3: try forgeTree(&generator)
        case 4: try forgePack(&generator)
        default: try forgeText(&generator)
        }
    }

    private static var numbers: [Any] {
        [
            -1, 0, 1, 2, 3, 64, 65, 300, 4096, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff,
            0x1_0000_0000, 1 << 53, Int.max, Int.min, 1.5, "", "1", NSNull(), [Any](), [[1, 1]],
            [[1, 4_294_967_295]], [[2, 1]], ["a": 1], true,
        ]
    }

    // MARK: - By accident

    private func damageFile(_ generator: inout SeededGenerator) throws -> String {
        let folder = generator.pick(["packs/", "backups/", ""])
        let name = folder.isEmpty ? "head" : folder + generator.pick(try forged.names(folder))
        let url = forged.url(name)
        var bytes = try Data(contentsOf: url)
        switch Int.random(in: 0...4, using: &generator) {
        case 0:
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            try bytes.write(to: url)
            return "byte \(place) of \(name)"
        case 1:
            let count = Int.random(in: 0..<bytes.count, using: &generator)
            try bytes.prefix(count).write(to: url)
            return "\(name) cut to \(count)"
        case 2:
            try (bytes + Data(generator.bytes(upTo: 60)) + [0]).write(to: url)
            return "\(name) made longer"
        case 3:
            try FileManager.default.removeItem(at: url)
            return "\(name) removed"
        default:
            let other = generator.pick(try forged.names("packs"))
            try Data(contentsOf: forged.url("packs/" + other)).write(to: url)
            return "\(name) is \(other)"
        }
    }

    // MARK: - On purpose

    private func forgeHead(_ generator: inout SeededGenerator) throws -> String {
        let names = [
            "repository", "created", "sequence", "manifest", "nextPack", "pruned", "generation",
            "authorities", "key", "format",
        ]
        let (name, value) = (generator.pick(names), generator.pick(Self.numbers))
        try forged.forgeHead { $0[name] = value }
        return "head: \(name) is \(value)"
    }

    private func forgeManifest(_ generator: inout SeededGenerator) throws -> String {
        let objects = ["", "", "root", "cipher"]
        let names = [
            "": [
                "format", "repository", "sequence", "previous", "created", "tag", "database",
                "pageCount", "cipher", "key", "schemaVersion", "userVersion", "applicationID",
                "root", "base", "firstPack", "packCount", "storedPageCount", "storedByteCount",
                "rekeyed",
            ],
            "root": ["sha256", "pack", "slot"],
            "cipher": [
                "pageSize", "kdfAlgorithm", "kdfIterations", "fastKDFIterations", "hmacAlgorithm",
                "hmacSaltMask", "plaintextHeaderByteCount", "salt",
            ],
        ]
        let object = generator.pick(objects)
        let (name, value) = (generator.pick(names[object] ?? []), generator.pick(Self.numbers))
        try forged.forgeLastManifest { members in
            guard !object.isEmpty else { return members[name] = value }
            var inner = members[object] as? [String: Any] ?? [:]
            inner[name] = value
            members[object] = inner
        }
        return "manifest: \(object) \(name) is \(value)"
    }

    private func forgeTree(_ generator: inout SeededGenerator) throws -> String {
        var what = ""
        try forged.forgeLastRoot { node in
            let reference = Int.random(in: 0..<(node.count / 40), using: &generator) * 40
            let place = generator.pick([0, 31, 32, 36])
            let number = UInt32.random(in: 0...3, using: &generator) &- generator.pick([0, 2])
            for index in 0..<(place < 32 ? 1 : 4) {
                node[reference + place + index] = UInt8(truncatingIfNeeded: number >> (index * 8))
            }
            what = "tree: byte \(place) of reference \(reference / 40) is \(number)"
        }
        return what
    }

    private func forgePack(_ generator: inout SeededGenerator) throws -> String {
        var what = ""
        try forged.forgeLastPack { bytes, table in
            let width = generator.pick([4, 8])
            let start = Int.random(in: table...(bytes.count - width), using: &generator)
            let number = generator.pick([0, 1, 48, 0xffff, 0x7fff_ffff, 0xffff_ffff, UInt64.max])
            for index in 0..<width {
                bytes[start + index] = UInt8(truncatingIfNeeded: number >> UInt64(index * 8))
            }
            what = "pack: \(width) bytes at \(start - table) of the table are \(number)"
        }
        return what
    }

    private func forgeText(_ generator: inout SeededGenerator) throws -> String {
        let texts = [
            "\u{1b}[31m", "\u{9b}31m", "\u{0}", String(repeating: "0", count: 32),
            String(repeating: "a", count: 70_000), "../../etc", "2026-02-30T00:00:00.000Z",
        ]
        let text = generator.pick(texts)
        let isOfHead = Bool.random(using: &generator)
        let names =
            isOfHead
            ? ["repository", "created", "manifest", "key"]
            : ["repository", "previous", "created", "tag", "database", "key"]
        let name = generator.pick(names)
        if isOfHead {
            try forged.forgeHead { $0[name] = text }
        } else {
            try forged.forgeLastManifest { $0[name] = text }
        }
        return "\(isOfHead ? "head" : "manifest"): \(name) is \(text.prefix(20).debugDescription)"
    }
}
