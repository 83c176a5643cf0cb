internal import LibC
package import StrongroomCore
internal import StrongroomEssentials

/// What a host remembers about the repositories that it has used.
///
/// It is a small file for each path, in a separate folder, away from the repository.
///
/// Keys and signatures show who wrote a repository, but not that it is the newest state: anyone
/// with write access can put it back to an older one. Every operation compares each head with what
/// ``BackupRepository/memory`` remembers, and throws `BackupError` `.rolledBack` if
/// - the head is older than the remembered one, or a different one of the same age,
/// - its chain of backups does not contain the last remembered backup,
/// - its signer was not introduced by an earlier signer,
/// - another repository is at this path.
///
/// The first use of a path accepts the repository, even an older copy of a known one. Several hosts
/// can write in turn, and a memory can itself be restored to an older state: a repository only has
/// to continue from what is remembered.
public struct BackupMemory: Sendable {
    /// The folder, which is created when there is something to remember.
    public let folder: String
    /// The calls by which it is written.
    package var fileSystem = FileSystem.system

    /// Creates a memory in a folder, which need not exist yet.
    ///
    ///     let memory = BackupMemory(folder: "/var/lib/shop/strongroom")
    public init(folder: String) {
        self.folder = folder
    }

    /// Creates a memory in the folder that the command `strongroom` uses; nil if there is none.
    ///
    /// It is `$STRONGROOM_STATE`, or else systemd's `$STATE_DIRECTORY`, or else `strongroom` in
    /// `$XDG_STATE_HOME` or `~/.local/state`. If `STRONGROOM_STATE` is `none`, there is none.
    ///
    ///     let memory = BackupMemory(environment: ProcessInfo.processInfo.environment)
    public init?(environment: [String: String]) {
        func path(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let named = environment["STRONGROOM_STATE"], !named.isEmpty {
            guard named != "none" else { return nil }
            folder = named
        } else if let state = path("STATE_DIRECTORY") {
            // systemd separates several by colons.
            folder = String(state.prefix { $0 != ":" })
        } else if let state = path("XDG_STATE_HOME") {
            folder = state.appendingName("strongroom")
        } else if let home = path("HOME") {
            folder = home.appendingName(".local/state/strongroom")
        } else {
            return nil
        }
    }

    /// What is remembered of one repository.
    struct Entry: Codable, Equatable, Sendable {
        /// Where it is, without links.
        var path: String
        var repository: String
        var sequence: UInt32
        var manifest: String?
        var generation: Int64?
        /// The SHA-256 of the head.
        var head: String
        var signer: String?
        /// Whether a key or a public key that was given here has vouched for the signer, or for one before it.
        var knowsSigner: Bool?
        /// When it was last found to be sound, without a key and with one.
        var verified: String?
        var authenticated: String?
        /// The damage that was found, until a verification succeeds that would find it.
        var damage: Damage?
        /// The backups that are no sound database, the last one of each name.
        var unsound: [Unsound]?
        /// What is known of all backups without reading their manifests.
        var chain: ChainSummary?
        /// The SHA-256 of the paths of databases that were backed up to it, the last ones.
        var databases: [String]?
        /// Of these, those in whose place a backup was restored since their last one.
        var restored: [String]?
        var source: Source?

        init(_ text: HeadText, at path: String) {
            self.path = path
            repository = text.head.repository
            sequence = text.head.sequence
            manifest = text.head.manifest
            generation = text.head.generation
            head = text.digest.hexadecimal
            signer = text.head.signer
        }

        /// What a database was like from outside when a backup of it was made.
        struct Source: Codable, Equatable, Sendable {
            /// The SHA-256 of the backup's manifest.
            var manifest: String
            /// The digest of a footprint that was settled.
            var footprint: String
        }

        /// Whether it is of a later state than another one.
        func isLater(than other: Entry) -> Bool {
            (generation ?? 0, sequence) > (other.generation ?? 0, other.sequence)
        }
    }
}

// MARK: - Files

extension BackupMemory {
    static let prefix = "repository-"

    /// What is remembered of the repository at a path, nil if nothing.
    ///
    /// - Throws: ``BackupError`` or `SystemError` if there is something that can't be read.
    func entry(at path: String) throws -> Entry? {
        let name = try Self.name(of: path)
        let state: RepositoryFolder
        do {
            state = try RepositoryFolder(path: folder, .system)
        } catch let error as SystemError where error.isMissing {
            return nil
        } catch {
            throw BackupError(
                .failed, folder, "cannot read the remembered states of repositories: \(error)",
                hint: "name another folder, or give this one to the user who runs this",
                step: BackupStep.nameMemory)
        }
        return try entry(named: name, state, of: path)
    }

    /// Notes in which state a repository was seen, and what was found of it.
    ///
    /// - Parameter goesBack: Whether a later state is forgotten.
    func remember(
        _ entry: Entry, goingBack goesBack: Bool, _ finding: Finding?, _ operation: LongOperation
    ) throws {
        try Self.makeFolder(folder)
        try change(entry.path, operation) { known in
            var next = entry
            if let known, known.repository == entry.repository {
                // Another process may have gone on meanwhile.
                if !goesBack, known.isLater(than: entry) { next = known }
                if !goesBack, known.knowsSigner == true { next.knowsSigner = true }
                next.verified = known.verified
                next.authenticated = known.authenticated
                next.damage = known.damage
                next.unsound = known.unsound
                next.chain = entry.chain ?? known.chain
                next.source = entry.source ?? known.source
                next.databases = Entry.merging(known.databases, entry.databases)
                next.restored = known.restored?.filter { entry.databases?.contains($0) != true }
            }
            if let finding { next.note(finding) }
            return next
        }
    }

    /// Adds to what is remembered of a repository; nothing is remembered of one that never was.
    func update(_ path: String, _ change: (inout Entry) -> Void) throws {
        guard try entry(at: path) != nil else { return }
        try self.change(path, LongOperation()) { known in
            guard var next = known else { return nil }
            change(&next)
            return next
        }
    }

    /// Makes a folder, and those above it that are missing, for this user alone.
    private static func makeFolder(_ path: String) throws {
        let place = path.splitAtLastSlash
        guard try FileSystem.system.statusIfPresent(path) == nil, place.directory != path else {
            return
        }
        try makeFolder(place.directory)
        guard !place.name.isEmpty else { return }
        do {
            try RepositoryFolder(path: place.directory, .system).makeFolder(place.name)
        } catch let error as SystemError where error.number == SystemError.fileExists {}
    }

    private struct Changed: Error {}
    /// What is written lies on the disk before the lock is taken: others need not wait for the disk.
    private func change(
        _ path: String, _ operation: LongOperation, _ body: (Entry?) -> Entry?
    ) throws {
        let state = try RepositoryFolder(path: folder, fileSystem)
        let name = try Self.name(of: path)
        let knownBytes = try? content(of: name, state)
        let known = knownBytes.flatMap { try? entry($0, named: name) }
        guard let next = body(known), next != known else { return }
        try noteCopy(
            name, of: next.repository, isNew: known?.repository != next.repository, state)
        var lock: RepositoryLock?
        defer { withExtendedLifetime(lock) {} }
        do {
            try state.write(Self.bytes(of: next), to: name, by: state) {
                lock = try RepositoryLock.take(
                    RepositoryLayout.writerLock, in: state, .alone, operation,
                    patience: .seconds(5))
                guard (try? content(of: name, state)) == knownBytes else { throw Changed() }
            }
        } catch is Changed {
            let known = try? entry(named: name, state)
            guard let next = body(known), next != known else { return }
            try state.write(Self.bytes(of: next), to: name, by: state)
        }
        // A name that a loss of power undoes leads back to what was remembered before: no harm is done.
    }

    private static let largestByteCount = 1 << 16

    /// What would not be read is not written.
    private static func bytes(of entry: Entry) throws -> [UInt8] {
        let bytes = [UInt8](try JSONEncoder.sorted.encode(entry))
        guard bytes.count > largestByteCount, entry.chain != nil else { return bytes }
        var shorter = entry
        shorter.chain = nil
        return try Self.bytes(of: shorter)
    }

    static func name(of path: String) throws -> String {
        let bytes = Array(path.utf8)
        return try prefix + bytes.withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
    }

    /// - Parameter place: The repository, if it is known: the name of the file does not show it.
    func entry(
        named name: String, _ state: RepositoryFolder, of place: String = "a repository"
    ) throws -> Entry? {
        do {
            return try entry(content(of: name, state), named: name, of: place)
        } catch let error as SystemError where error.isMissing {
            return nil
        } catch let error as SystemError {
            throw unreadable(folder.appendingName(name), reason(error))
        }
    }

    private func content(of name: String, _ state: RepositoryFolder) throws -> [UInt8] {
        do {
            return try state.content(of: name, limit: Self.largestByteCount)
        } catch let error as BackupError {
            throw unreadable(folder.appendingName(name), reason(error))
        }
    }

    private func entry(
        _ bytes: [UInt8], named name: String, of place: String = "a repository"
    ) throws -> Entry {
        let path = folder.appendingName(name)
        guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)) else {
            throw unreadable(path, "\(path) does not hold the remembered state of \(place)")
        }
        return entry
    }

    private func unreadable(_ path: String, _ what: String) -> BackupError {
        BackupError(
            .failed, path, what,
            hint: "if the repository is in order (verify it without a memory), remove the file",
            step: BackupStep.verifyWithoutMemory)
    }

    func reason(_ error: any Error) -> String {
        switch error {
        case let error as SystemError: "\(error)"
        case let error as BackupError: error.message
        default: "\(error)"
        }
    }
}

// MARK: - Other users

extension BackupMemory {
    /// Who else has a say in a memory.
    package enum Standing: Sendable {
        case own
        /// The system keeps this process out of the folder.
        case closed
        /// Another user can change what is remembered.
        case another
    }

    package var standing: Standing {
        let fileSystem = FileSystem.system
        do {
            let descriptor = try fileSystem.inFolder.open(folder)
            defer { fileSystem.close(descriptor) }
            let owner = try fileSystem.descriptorStatus(descriptor).owner
            return owner == geteuid() || owner == 0 ? .own : .another
        } catch {
            return error.isForbidden ? .closed : .own
        }
    }
}
