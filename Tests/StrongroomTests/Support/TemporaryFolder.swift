import Foundation

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let root: String

    init() {
        root =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("strongroom-test-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    func path(_ name: String) -> String {
        root + "/" + name
    }

    /// The names of all files in it, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted()
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }
}
