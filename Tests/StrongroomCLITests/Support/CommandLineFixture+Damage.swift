import Foundation
import StrongroomTestSupport

extension CommandLineFixture {
    /// Turns over one byte in the middle of a page, counted from 1.
    func damage(page: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        let offset = UInt64((page - 1) * 4096 + 2000)
        try file.seek(toOffset: offset)
        let byte = try file.read(upToCount: 1)?.first ?? 0
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data([byte ^ 0xFF]))
        try file.close()
    }
}
