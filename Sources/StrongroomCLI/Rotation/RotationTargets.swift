import Foundation
import Strongroom

/// The files that a command line of files and folders names.
///
/// Nothing in a folder that may be a database under the old key is passed over in silence: it is
/// either among `files`, or among what `skipped` tells of, which counts as not rotated.
struct RotationTargets {
    static let nothing = Failure(.notFound, "no encrypted database is there")

    private static let sidecars = ["-wal", "-shm", "-journal"]

    /// Files as they are named, then those of folders that can be encrypted databases: each once.
    private(set) var files: [String] = []
    /// What cannot be rotated, and why.
    private var refused: [(path: String, failure: Failure)] = []
    /// Files that end within a page: what they are, the keys tell.
    private var cutFiles: [String] = []
    private var links: [String] = []
    private var known: Set<String> = []
    private let subject: RotationResult.Subject = .key

    init(_ paths: [String]) throws(Failure) {
        for path in paths {
            if FolderEntry(path)?.kind == .folder {
                addFolder(path)
            } else {
                add(path)
            }
        }
        // Now it is known which files are reached without them.
        for link in links { addLink(link) }
        guard !files.isEmpty || !refused.isEmpty || !cutFiles.isEmpty else { throw Self.nothing }
    }

    static func byteCount(_ path: String) -> Int64 {
        FolderEntry(path)?.byteCount ?? 0
    }

    /// Why files are not rotated that may be databases. Those that end within a page are tried with
    /// the keys; a picture or an archive is none of theirs.
    func skipped(keys: [CipherKey]) -> [RotationResult] {
        let cut = cutFiles.filter { path in
            keys.contains { DatabaseFile(path: path, key: $0).opensSomePage() }
        }
        let failures =
            refused
            + cut.map {
                ($0, Self.failure(.damaged, $0, "it ends within a page: it was cut, or is longer"))
            }
        return failures.map { path, failure in
            RotationResult(path: path, subject: subject, outcome: .failed(failure))
        }
    }

    private static func failure(
        _ exitCode: ExitCode, _ path: String, _ reason: String, hint: String? = nil
    ) -> Failure {
        Failure(exitCode, "\(path) is not rotated: \(reason)", hint: hint)
    }

    private mutating func refuse(
        _ path: String, _ reason: String, _ exitCode: ExitCode = .failed, hint: String? = nil
    ) {
        refused.append((path, Self.failure(exitCode, path, reason, hint: hint)))
    }

    private mutating func add(_ path: String) {
        guard known.insert(FolderEntry(path)?.identity ?? path).inserted else { return }
        files.append(path)
    }
}

// MARK: - Folders

extension RotationTargets {
    private mutating func addFolder(_ folder: String) {
        known.insert(FolderEntry(folder)?.identity ?? folder)
        let names: [FolderEntry.Name]
        do throws(SystemError) {
            names = try FolderEntry.names(in: folder)
        } catch {
            return refuse(folder, "the folder cannot be read: \(error.reason)")
        }
        let present = Set(names.map(\.text))
        for name in names.sorted(by: { $0.text < $1.text }) {
            let path = folder.hasSuffix("/") ? folder + name.text : folder + "/" + name.text
            guard name.isUTF8 else {
                if name.canBeDatabase {
                    refuse(path, "its name is not UTF-8", hint: "rename it, and run this again")
                }
                continue
            }
            guard !isSidecar(name.text, in: present) else { continue }
            switch FolderEntry(path, followingLinks: false)?.kind {
            case .folder: addFolder(path)
            case .link: links.append(path)
            case .file: addFile(path)
            case .other, nil: break
            }
        }
    }

    /// A log of a database that is there, or a temporary file of ours.
    private func isSidecar(_ name: String, in names: Set<String>) -> Bool {
        if name.hasPrefix("."), name.contains(".strongroom-") { return true }
        return Self.sidecars.contains { suffix in
            name.hasSuffix(suffix) && names.contains(String(name.dropLast(suffix.count)))
        }
    }

    private mutating func addFile(_ path: String) {
        switch Candidate(path) {
        case .encrypted: add(path)
        case .cut: cutFiles.append(path)
        case .withPlaintextHeader:
            refuse(
                path, "it begins with a plaintext header, and its salt is kept elsewhere",
                .notADatabase, hint: "rotate it with the program that keeps its salt")
        case .none: break
        }
    }

    /// A link is not followed, but what it leads to must be reached otherwise.
    private mutating func addLink(_ path: String) {
        guard let entry = FolderEntry(path), !known.contains(entry.identity) else { return }
        switch entry.kind {
        case .folder:
            refuse(path, "it is a link to another folder", hint: "name that folder")
        case .file where Candidate(path) != .none:
            refuse(path, "it is a link to a file elsewhere", hint: "name that file")
        default: break
        }
    }
}

/// What a file in a folder may be.
private enum Candidate {
    case encrypted, cut, withPlaintextHeader
    /// No database that has a key.
    case none

    private static let plainHeader = PageCodec.magic
    private static let smallestByteCount: Int64 = 512

    init(_ path: String) {
        let byteCount = FolderEntry(path)?.byteCount ?? 0
        let start = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 16) }
        if byteCount < Self.smallestByteCount {
            self = .none
        } else if start.map(Array.init) == Self.plainHeader {
            let verdict = try? DatabaseFile(path: path).diagnose(threads: 1).verdict
            self = verdict == .plaintext ? .none : .withPlaintextHeader
        } else {
            self = byteCount.isMultiple(of: Self.smallestByteCount) ? .encrypted : .cut
        }
    }
}
