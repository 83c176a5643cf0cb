import Foundation

extension Totals {
    var sentence: String {
        """
        \(packageCount) packages in \(sectionCount) sections by \(maintainerCount) maintainers, \
        \(ByteCount(bytes: installedSize))
        """
    }

    /// One line.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
