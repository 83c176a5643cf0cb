import Foundation
import StrongroomTestSupport

@testable import StrongroomCore

extension EncryptedSample {
    var pageSize: Int { settings.pageSize }

    func byteCount() throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path)).count
    }

    /// The file with its right key, or another.
    func file(_ text: String? = nil) throws -> DatabaseFile {
        DatabaseFile(path: path, key: try Self.key(text ?? keyText))
    }

    /// Turns over a bit of each page.
    func damage(pages: [Int], at offset: Int = 100) throws {
        try change { content in
            for page in pages { content[(page - 1) * pageSize + offset] ^= 0x20 }
        }
    }

    /// Writes some pages again under another key, as a change of key does that does not end.
    func changeKey(ofPages pages: ClosedRange<UInt32>, to text: String = otherRawKey) throws {
        var old = try PageCodec(pageKey())
        var new = try PageCodec(pageKey(text))
        try change { content in
            for number in pages {
                let start = (Int(number) - 1) * pageSize
                var page = [UInt8](content[start..<(start + pageSize)])
                page.withUnsafeMutableBytes { page in
                    try? old.decrypt(page, number: number)
                    try? new.encrypt(page, number: number)
                }
                content.replaceSubrange(start..<(start + pageSize), with: page)
            }
        }
    }

    /// Writes to the file, and takes it away with its log as it was before the log was moved into
    /// it.
    func leaveLog(_ sql: String, keeping name: String = "sample.db") throws {
        let aside = directory.path(of: "aside")
        // .system copies both while the connection is open.
        try shell.run(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = 0;
            \(sql)
            .system cp '\(path)' '\(aside)' && cp '\(path)-wal' '\(aside)-wal'
            """)
        let target = directory.path(of: name)
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: target + suffix)
            try FileManager.default.moveItem(atPath: aside + suffix, toPath: target + suffix)
        }
    }

    /// Makes SQLite believe the frames of a log that were changed.
    /// <https://www.sqlite.org/fileformat2.html#wal_file_format>
    static func renewChecksums(ofLog content: inout Data) {
        var bytes = [UInt8](content)
        func word(_ offset: Int, isBigEndian: Bool) -> UInt32 {
            let word = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
            return isBigEndian ? word : word.byteSwapped
        }
        let isBigEndian = word(0, isBigEndian: true) & 1 == 1
        let frameByteCount = 24 + Int(word(8, isBigEndian: true))
        var sums = (word(24, isBigEndian: true), word(28, isBigEndian: true))
        func add(_ range: Range<Int>) {
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                sums.0 &+= word(offset, isBigEndian: isBigEndian) &+ sums.1
                sums.1 &+= word(offset + 4, isBigEndian: isBigEndian) &+ sums.0
            }
        }
        var start = 32
        while start + frameByteCount <= bytes.count {
            add(start..<(start + 8))
            add((start + 24)..<(start + frameByteCount))
            for (index, sum) in [sums.0, sums.1].enumerated() {
                for byte in 0..<4 {
                    bytes[start + 16 + index * 4 + byte] = UInt8(sum >> (24 - 8 * byte) & 0xff)
                }
            }
            start += frameByteCount
        }
        content = Data(bytes)
    }
}
