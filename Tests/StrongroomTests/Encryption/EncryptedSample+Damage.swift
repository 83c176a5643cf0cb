import Foundation
import StrongroomTestSupport

@testable import Strongroom

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
}
