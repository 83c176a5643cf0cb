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
    /// Files with a plaintext header: whether their salt is known, the keys tell.
    private var headerFiles: [String] = []
    private var links: [String] = []
    /// Databases that are not encrypted: they have no key.
    private(set) var plaintextFiles: [String] = []
    private var known: Set<String> = []
    /// What is not done with what is refused.
    private let verb: String
    private let subject: RotationResult.Subject = .key

    init(_ paths: [String], verb: String = "rotated") throws(Failure) {
        self.verb = verb
        for path in paths {
            if FolderEntry(path)?.kind == .folder {
                addFolder(path)
            } else {
                add(path)
            }
        }
        // Now it is known which files are reached without them.
        for link in links { addLink(link) }
        guard
            ![files, refused.map(\.path), cutFiles, headerFiles].allSatisfy(\.isEmpty)
                || verb != "rotated" && !plaintextFiles.isEmpty
        else { throw Self.nothing }
    }

    /// Adds the files with a plaintext header that a key opens, and refuses the others.
    mutating func addFiles(openedBy keys: [CipherKey], _ settings: DatabaseSettings) {
        for path in headerFiles {
            let isOpen = keys.contains { key in
                var file = DatabaseFile(path: path, key: key)
                for other in keys { file.useSalt(of: other) }
                return (try? settings.found(for: file)) != nil
            }
            guard !isOpen else {
                add(path)
                continue
            }
            refuse(
                path, "it begins with a plaintext header, and its salt is kept elsewhere",
                .notADatabase,
                hint: "give its key with the salt, or --cipher-settings salt=HEX")
        }
        headerFiles = []
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
                ($0, failure(.damaged, $0, "it ends within a page: it was cut, or is longer"))
            }
        return failures.map { path, failure in
            RotationResult(path: path, subject: subject, outcome: .failed(failure))
        }
    }

    private func failure(
        _ exitCode: ExitCode, _ path: String, _ reason: String, hint: String? = nil
    ) -> Failure {
        Failure(exitCode, "\(path) is not \(verb): \(reason)", hint: hint)
    }

    private mutating func refuse(
        _ path: String, _ reason: String, _ exitCode: ExitCode = .failed, hint: String? = nil
    ) {
        refused.append((path, failure(exitCode, path, reason, hint: hint)))
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
        case .withPlaintextHeader: headerFiles.append(path)
        case .damagedPlaintext:
            refuse(
                path, "it begins like a database that is not encrypted, but is none", .notADatabase)
        case .plaintext: plaintextFiles.append(path)
        case .none: break
        }
    }

    /// A link is not followed, but what it leads to must be reached otherwise.
    private mutating func addLink(_ path: String) {
        guard let entry = FolderEntry(path), !known.contains(entry.identity) else { return }
        switch entry.kind {
        case .folder:
            refuse(path, "it is a link to another folder", hint: "name that folder")
        case .file where ![.none, .plaintext].contains(Candidate(path)):
            refuse(path, "it is a link to a file elsewhere", hint: "name that file")
        default: break
        }
    }
}

/// What a file in a folder may be.
private enum Candidate {
    case encrypted, cut, withPlaintextHeader, damagedPlaintext, plaintext
    /// No database that has a key.
    case none

    init(_ path: String) {
        guard let verdict = try? DatabaseFile(path: path).verdict() else {
            // Why it cannot be read, the rotation tells.
            self =
                RotationTargets.byteCount(path) < FileVerdict.smallestPageSize ? .none : .encrypted
            return
        }
        switch verdict.kind {
        case .empty, .tooSmall: self = .none
        case .plaintext: self = .plaintext
        case .plaintextHeader: self = .withPlaintextHeader
        case .damagedPlaintext: self = .damagedPlaintext
        // Not all that is encrypted looks so: the rotation tries.
        case .encrypted, .unknown: self = verdict.endsWithPage ? .encrypted : .cut
        }
    }
}
