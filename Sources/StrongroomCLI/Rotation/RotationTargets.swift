import LibC
import StrongroomCore
import StrongroomKeyrings

/// The files that a command line of files and folders names.
///
/// 1. Every file that is seen is accounted for once: it is among `files`, or among what `skipped`
///    reports with its reason, or it is refused, which counts as not rotated.
/// 2. What may be a database under the old key is never skipped, unless a pattern excludes it.
/// 3. Of a folder, no more is kept than what may be a database, and what is reported: a million other files
///    take no memory.
struct RotationTargets {
    static let nothing = Failure(
        .notFound, "there is no encrypted database",
        hint: "name a database, or a folder that contains one")

    /// A file that is left alone for a reason that is no reason to worry.
    struct Skipped {
        let path: PathName
        /// Why, of any number of files: `plain databases`.
        let reason: String
    }

    private static let sidecars = ["-wal", "-shm", "-journal"]
    private static let keyrings = ["-keyring", "-keyring.lock"]

    /// Files as they are named, then those of folders that can be encrypted databases: each once.
    private(set) var files: [String] = []
    private(set) var skipped: [Skipped] = []
    /// What cannot be rotated, and why.
    private var refused: [(path: PathName, failure: Failure)] = []
    /// Files that end within a page: what they are, the keys tell.
    private var cutFiles: [String] = []
    /// Files with a plaintext header: whether their salt is known, the keys tell.
    private var headerFiles: [String] = []
    private var links: [String] = []
    /// Databases that are not encrypted: they have no key.
    private(set) var plaintextFiles: [String] = []
    private var known: Set<String> = []
    /// Patterns of a shell, for names and paths that are left out.
    private let excluded: [String]
    /// What is not done with what is refused.
    private let verb: String
    private let subject: RotationResult.Subject = .key

    /// - Parameter verb: What is to be done with the files. Only what rotates keys has nothing to report
    ///   databases that are not encrypted.
    init(
        _ paths: [String], excluding patterns: [String] = [], verb: String = "rotated"
    ) throws(Failure) {
        excluded = patterns
        self.verb = verb
        for path in paths {
            let entry = FolderEntry(path)
            if entry == nil, patterns.isEmpty, paths.count == 1 {
                throw Failure(.notFound, "\(path) is not there", hint: "check the path")
            }
            if entry?.kind == .folder {
                addFolder(path)
            } else {
                add(path)
            }
        }
        // Now it is known which files are reached without them.
        for link in links { addLink(link) }
        let count =
            files.count + refused.count + cutFiles.count + headerFiles.count + plaintextFiles.count
        guard count > 0 else { throw Self.nothing }
    }

    /// Takes away files for which a closure returns true.
    mutating func takeFiles(where isTaken: (String) throws -> Bool) rethrows -> [String] {
        for path in headerFiles where try isTaken(path) { add(path) }
        let taken = try files.filter(isTaken)
        let paths = Set(taken)
        files.removeAll(where: paths.contains)
        headerFiles.removeAll(where: paths.contains)
        return taken
    }

    /// Whether one of the files may get another key.
    var needsKey: Bool { !files.isEmpty || !headerFiles.isEmpty }

    /// Adds the files with a plaintext header that a key opens, and refuses the others.
    mutating func addFiles(openedBy keys: [CipherKey], _ settings: DatabaseSettings) {
        for path in headerFiles {
            // Its keyring has the salt.
            let isOpen =
                (try? Keyring.exists(for: path)) == true
                || keys.contains { key in
                    var file = DatabaseFile(path: path, key: key)
                    for other in keys { file.useSalt(of: other) }
                    return (try? settings.found(for: file)) != nil
                }
            guard !isOpen else {
                add(path)
                continue
            }
            refuse(
                PathName(path), "it begins with a plaintext header, and its salt is kept elsewhere",
                .notADatabase, hint: "give its key with the salt, or --salt HEX")
        }
        headerFiles = []
    }

    static func byteCount(_ path: String) -> Int64 {
        FolderEntry(path)?.byteCount ?? 0
    }

    /// What became of all files that are not among `files`. Those that end within a page are tried
    /// with the keys; one that neither has written a page of is skipped.
    mutating func results(keys: [CipherKey]) -> [RotationResult] {
        for path in cutFiles {
            if keys.contains(where: { DatabaseFile(path: path, key: $0).opensSomePage() }) {
                refuse(
                    PathName(path), "it ends within a page: truncated, or with extra bytes",
                    .damaged)
            } else {
                skip(path, "files whose size no database has, and which neither key opens")
            }
        }
        cutFiles = []
        let failed = refused.map { path, failure in
            RotationResult(name: path, subject: subject, outcome: .failed(failure))
        }
        let others = skipped.map {
            RotationResult(name: $0.path, subject: subject, outcome: .skipped($0.reason))
        }
        return failed + others
    }

    /// Who does not rotate keys reports none of them.
    private var reportsSkipped: Bool { verb == "rotated" }

    private mutating func skip(_ path: String, _ reason: String) {
        guard reportsSkipped else { return }
        skipped.append(Skipped(path: PathName(path), reason: reason))
    }

    private mutating func refuse(
        _ path: PathName, _ reason: String, _ exitCode: ExitCode = .failed, hint: String? = nil
    ) {
        let failure = Failure(exitCode, "\(path.text) is not \(verb): \(reason)", hint: hint)
        refused.append((path, failure))
    }

    private mutating func add(_ path: String) {
        guard known.insert(FolderEntry(path)?.identity ?? path).inserted else {
            return skip(path, "second names of files already counted")
        }
        files.append(path)
    }
}

// MARK: - Folders

extension RotationTargets {
    private mutating func addFolder(_ folder: String) {
        known.insert(FolderEntry(folder)?.identity ?? folder)
        var found: [(name: String, what: Found)] = []
        do throws(SystemError) {
            try FolderEntry.forEachName(in: folder) { name in
                let what = examine(name, in: folder)
                if case .skipped = what, !reportsSkipped { return }
                found.append((name, what))
            }
        } catch {
            return refuse(
                PathName(folder), "the folder cannot be read: \(error.reason)",
                hint: "--exclude PATTERN leaves it out")
        }
        found.sort { $0.name < $1.name }
        for (name, what) in found { add(what, at: folder.appendingName(name)) }
    }

    /// What a name of a folder stands for.
    private enum Found {
        case folder, link
        /// No database, though it has a keyring.
        case lost
        case file(Candidate)
        case skipped(String)
    }

    private func examine(_ name: String, in folder: String) -> Found {
        let path = folder.appendingName(name)
        if isExcluded(name, path) { return .skipped("left out by --exclude") }
        if let reason = sidecarReason(name, in: folder) { return .skipped(reason) }
        switch FolderEntry(path, followingLinks: false)?.kind {
        case .folder: return .folder
        case .link: return .link
        case .file:
            let candidate = Candidate(path)
            guard case .none(let reason) = candidate else { return .file(candidate) }
            let keyring = path + Self.keyrings[0]
            return FolderEntry(keyring) == nil ? .skipped(reason) : .lost
        case .other: return .skipped("sockets, pipes or devices")
        case nil: return .skipped("files that disappeared")
        }
    }

    private mutating func add(_ found: Found, at path: String) {
        switch found {
        case .folder: addFolder(path)
        case .link: links.append(path)
        case .lost:
            refuse(
                PathName(path), "it has a keyring, and holds no database any more", .damaged,
                hint: Self.lostHint)
        case .file(let candidate): addFile(path, candidate)
        case .skipped(let reason): skip(path, reason)
        }
    }

    static let lostHint = "restore it from a backup; --exclude PATTERN leaves it out"

    /// Whether a pattern leaves out what a path below a folder leads to, or a folder on the way.
    func isExcluded(_ relativePath: String, in folder: String) -> Bool {
        var path = folder
        return relativePath.split(separator: "/").contains { name in
            path = path.appendingName(String(name))
            return isExcluded(String(name), path)
        }
    }

    private func isExcluded(_ name: String, _ path: String) -> Bool {
        excluded.contains { pattern in
            [name, path].contains { fnmatch(pattern.systemPath, $0.systemPath, 0) == 0 }
        }
    }

    /// A log of a database that is there, or a temporary file of ours.
    private func sidecarReason(_ name: String, in folder: String) -> String? {
        if name.hasPrefix("."), name.contains(".strongroom-") {
            return "temporary files of strongroom"
        }
        func isOneOf(_ suffixes: [String]) -> Bool {
            suffixes.contains { suffix in
                name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix)
                    && FolderEntry(
                        folder.appendingName(String(name.dropLast(suffix.count))),
                        followingLinks: false) != nil
            }
        }
        if isOneOf(Self.keyrings) { return "keyrings of databases" }
        return isOneOf(Self.sidecars) ? "logs and journals of databases" : nil
    }

    private mutating func addFile(_ path: String, _ candidate: Candidate) {
        switch candidate {
        case .encrypted: add(path)
        case .cut: cutFiles.append(path)
        case .withPlaintextHeader: headerFiles.append(path)
        case .damagedPlaintext:
            refuse(
                PathName(path), "it begins like a plaintext database, but is none",
                .notADatabase, hint: "--exclude PATTERN leaves it out")
        case .plaintext: addPlaintext(path)
        case .none(let reason): skip(path, reason)
        }
    }

    private mutating func addPlaintext(_ path: String) {
        if reportsSkipped {
            skip(path, "databases that are not encrypted")
        } else {
            plaintextFiles.append(path)
        }
    }

    /// A link is not followed, but what it leads to must be reached otherwise.
    private mutating func addLink(_ path: String) {
        guard let entry = FolderEntry(path) else { return skip(path, "links that lead nowhere") }
        guard !known.contains(entry.identity) else {
            return skip(path, "links to files already counted")
        }
        switch entry.kind {
        case .folder:
            refuse(
                PathName(path), "it is a link to another folder",
                hint: "name that folder; --exclude PATTERN leaves it out")
        case .file:
            switch Candidate(path) {
            case .plaintext: return skip(path, "databases that are not encrypted")
            case .none(let reason): return skip(path, reason)
            default: break
            }
            refuse(
                PathName(path), "it is a link to a file elsewhere",
                hint: "name that file; --exclude PATTERN leaves it out")
        default: skip(path, "sockets, pipes or devices")
        }
    }
}
