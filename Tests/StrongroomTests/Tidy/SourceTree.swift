import Foundation
import StrongroomTestSupport

/// The text files of the package: what git would take, without asking git.
enum SourceTree {
    static let files: [SourceFile] = {
        guard let all = FileManager.default.enumerator(atPath: PackageFiles.root) else { return [] }
        var files: [SourceFile] = []
        for case let path as String in all {
            let name = (path as NSString).lastPathComponent
            if [".build", ".demo", ".git", ".swiftpm"].contains(name) {
                all.skipDescendants()
            } else if let file = read(path) {
                files.append(file)
            }
        }
        return files.sorted { $0.path < $1.path }
    }()

    static let swiftFiles = files.filter(\.isSwift)

    // nil for folders and for what is not text.
    private static func read(_ path: String) -> SourceFile? {
        guard let content = FileManager.default.contents(atPath: PackageFiles.path(of: path)),
            let text = String(validating: content, as: UTF8.self)
        else { return nil }
        return SourceFile(path: path, text: text)
    }
}
