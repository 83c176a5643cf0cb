import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Files with damage that is known, and what a diagnosis and a salvage make of them.
@Suite struct DiagnosisFuzzTests {
    @Test(.proves("ENC-025"))
    func `A diagnosis names the damage that was done, and no other`() throws {
        let patients = try DamagedFile.samples()
        let folder = try TemporaryDirectory()
        let inputCount = try Fuzzing().run("diagnosis") { generator in
            let sample = generator.pick(patients)
            var file = DamagedFile(sample)
            file.damage(&generator)
            let path = folder.path(of: "damaged.db")
            try Data(file.bytes).write(to: URL(fileURLWithPath: path))
            let key = try EncryptedSample.key(
                file.hasRightKey ? sample.keyText : DamagedFile.wrongKey)
            let hints = DatabaseFile.DiagnosisHints(
                otherKeys: file.knowsOtherKey
                    ? [try EncryptedSample.key(EncryptedSample.otherRawKey)] : [])
            let diagnosis = try DatabaseFile(path: path, key: key)
                .diagnose(hints: hints, threads: Int.random(in: 1...3, using: &generator))
            try Fuzzing.expect(
                diagnosis.verdict == file.expected,
                "\(file.what): \(diagnosis.verdict), not \(file.expected): \(diagnosis)")
            try Fuzzing.expect(
                diagnosis.damagedPages.flatMap { Array($0) } == file.damagedPages,
                "\(file.what): \(diagnosis.damagedPages), not \(file.damagedPages)")
            try Fuzzing.expect(
                diagnosis.missingPages == file.missingPages.map { [$0] } ?? [],
                "\(file.what): \(diagnosis.missingPages)")
        }
        #expect(inputCount > 0)
    }

    @Test(.proves("ENC-025"))
    func `A salvage has every row that it does not call lost, as it was`() throws {
        let samples = try DamagedFile.samples()
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "damaged.db")
        let out = DatabaseFile(
            path: folder.path(of: "out.db"), key: try EncryptedSample.key(EncryptedSample.rawKey))
        let inputCount = try Fuzzing().run("salvage") { generator in
            let sample = generator.pick(samples)
            var file = DamagedFile(sample)
            file.damagePages(&generator)
            try Data(file.bytes).write(to: URL(fileURLWithPath: path))
            let source = DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
            let report = try source.salvage(to: out, overwrite: true)
            let saved = try Self.rows(out)
            let lost = report.tables.first { $0.name == "t" }?.losses ?? []
            // The definition may be what is lost.
            let isKnown = report.tables.contains { $0.name == "t" }
            for (id, row) in sample.rows {
                let isLost = lost.contains { $0.rowIDs?.contains(id) ?? true }
                try Fuzzing.expect(
                    saved[id] == row || (saved[id] == nil && (isLost || !isKnown)),
                    "row \(id) of \(file.what): \(saved[id] ?? "gone"); lost are \(lost)")
            }
            try Fuzzing.expect(
                saved.keys.allSatisfy { sample.rows[$0] != nil }, "rows from nowhere: \(file.what)")
        }
        #expect(inputCount > 0)
    }

    /// Pages that somebody with the key has filled with anything.
    @Test(.proves("ENC-025"))
    func `A salvage stands any page`() throws {
        let samples = try DamagedFile.samples()
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "damaged.db")
        let key = try EncryptedSample.key(EncryptedSample.rawKey)
        let inputCount = try Fuzzing().run("salvage of any page") { generator in
            let sample = generator.pick(samples)
            let bytes = try sample.scrambled(&generator)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let source = DatabaseFile(path: path, key: try EncryptedSample.key(sample.keyText))
            _ = try source.diagnose()
            do {
                try source.salvage(
                    to: DatabaseFile(path: folder.path(of: "out.db"), key: key), overwrite: true)
            } catch is DatabaseFileError {
                // What comes out of scrambled pages need not be a database.
            }
        }
        #expect(inputCount > 0)
    }

    private static func rows(_ file: DatabaseFile) throws -> [Int64: String] {
        let queue = try file.open()
        return try queue.read { db in
            guard try db.tableExists("t") else { return [:] }
            return try DamagedFile.rows(db)
        }
    }
}
