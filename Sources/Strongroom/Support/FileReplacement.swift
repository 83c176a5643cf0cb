/// A new file, or a new content for an existing one, that appears under its name only when it is
/// whole.
///
/// The sequence, each step after the one before has succeeded:
///
/// 1. a temporary file beside the target, readable by its owner only, locked while this process
///    works on it;
/// 2. the caller fills and verifies it;
/// 3. owner, extended attributes (access control lists are such) and mode of the file that it
///    replaces;
/// 4. fsync; a last check by the caller;
/// 5. files that belong to the target and would be mistaken for the new one's (`-wal`, …) are
///    removed;
/// 6. rename;
/// 7. fsync of the directory.
///
/// Whatever fails before 6 leaves the target as it was and nothing of the temporary. A process that
/// is killed leaves an unlocked temporary, which ``removeLeftovers()`` recognises by name and lock.
package struct FileReplacement: Sendable {
    /// Where the file will stand, links followed.
    package let target: String
    /// What stands there now.
    package let existing: FileStatus?

    private let directory: String
    private let name: String
    private let sidecarSuffixes: [String]
    private let fileSystem: FileSystem

    /// - Parameter sidecarSuffixes: Endings of the files that live and die with the file, such as
    ///   `-wal`.
    package init(
        of path: String,
        sidecarSuffixes: [String],
        fileSystem: FileSystem = .system
    ) throws(SystemError) {
        self.fileSystem = fileSystem
        self.sidecarSuffixes = sidecarSuffixes
        existing = try fileSystem.statusIfPresent(path)
        let (directory, name) =
            existing == nil ? path.splitAtLastSlash : try fileSystem.resolve(path).splitAtLastSlash
        self.directory = try fileSystem.resolve(directory)
        self.name = name
        target = self.directory.appendingName(name)
    }

    /// The new file stands, but the system did not confirm that its name outlasts a loss of power.
    package struct NotDurable: Error {
        package let underlying: SystemError
    }

    /// Runs the sequence; `fill` gets the path of the temporary and has to verify what it has
    /// written.
    ///
    /// - Parameter overwrite: With `false`, a taken name is `EEXIST`, also one taken in the
    ///   meantime.
    /// - Throws: ``SystemError``, ``NotDurable``, or what the closures throw.
    package func run<R>(
        overwrite: Bool,
        fill: (_ temporary: String) throws -> R,
        beforeRename: () throws -> Void = {}
    ) throws -> R {
        try write(
            overwrite: overwrite, fill: { try fill($0.path) }, beforeRename: beforeRename)
    }

    /// The same for who writes through the temporary's own descriptor.
    package func write<R>(
        overwrite: Bool,
        fill: (Temporary) throws -> R,
        beforeRename: () throws -> Void = {}
    ) throws -> R {
        if existing != nil && !overwrite {
            throw SystemError("rename", target, number: SystemError.fileExists)
        }
        let temporary = try makeTemporary()
        let result: R
        do {
            result = try fill(temporary)
            try adoptAttributes(temporary.path)
            try fileSystem.synchronize(temporary.descriptor)
            try beforeRename()
            try removeSidecars(of: temporary.path)
            try removeSidecars(of: target)
            // Before the rename: closing a descriptor under the final name would drop the locks
            // that another thread may by then have there.
            fileSystem.close(temporary.descriptor)
        } catch {
            discard(temporary)
            throw error
        }
        try putInPlace(temporary.path, overwrite: overwrite)
        return result
    }

    private func putInPlace(_ path: String, overwrite: Bool) throws {
        do {
            if overwrite {
                try fileSystem.rename(path, target)
            } else {
                try fileSystem.renameToFreeName(path, target)
            }
        } catch {
            try? fileSystem.remove(path)
            throw error
        }
        do {
            try fileSystem.synchronizeDirectory(directory)
        } catch {
            throw NotDurable(underlying: error)
        }
    }

    private func adoptAttributes(_ path: String) throws {
        guard let existing else { return }
        let status = try fileSystem.status(path)
        if (status.owner, status.group) != (existing.owner, existing.group) {
            try fileSystem.changeOwner(path, existing.owner, existing.group)
        }
        try fileSystem.copyAttributes(target, path)
        // Last: an access control list has changed the bits of the group.
        try fileSystem.changeMode(path, existing.mode)
    }
}

// MARK: - Temporary files

extension FileReplacement {
    /// A file that nobody else knows of, open for writing.
    package struct Temporary {
        package let path: String
        package let descriptor: FileSystem.Descriptor
    }

    private static let mark = ".strongroom-"
    private static let digitCount = 16

    /// Removes what processes that were killed have left here for this target.
    ///
    /// - Returns: How many there were; what cannot be removed stays without an error.
    @discardableResult
    package func removeLeftovers() -> Int {
        let names = (try? fileSystem.names(directory)) ?? []
        return names.filter(isTemporary).count { name in
            let path = directory.appendingName(name)
            guard let descriptor = try? fileSystem.open(path) else { return false }
            defer { fileSystem.close(descriptor) }
            guard (try? fileSystem.lock(descriptor)) == true else { return false }
            try? removeSidecars(of: path)
            return (try? fileSystem.remove(path)) != nil
        }
    }

    /// A name has at most 255 bytes, of which ours and the longest `-journal` need 37.
    private var temporaryPrefix: String {
        var stem = name
        while stem.utf8.count > 200 { stem.removeLast() }
        return "." + stem + Self.mark
    }

    private func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix(temporaryPrefix) else { return false }
        let digits = name.dropFirst(temporaryPrefix.count)
        return digits.utf8.count == Self.digitCount && digits.allSatisfy(\.isHexDigit)
    }

    /// Between its creation and its lock, a temporary may fall to another process that removes
    /// leftovers; then there is another try.
    private func makeTemporary() throws(SystemError) -> Temporary {
        for _ in 0..<100 {
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let padding = String(repeating: "0", count: Self.digitCount - number.count)
            let path = directory.appendingName(temporaryPrefix + padding + number)
            let descriptor = try fileSystem.create(path)
            do throws(SystemError) {
                let isLocked = try fileSystem.lock(descriptor)
                let own = try fileSystem.descriptorStatus(descriptor).identity
                if isLocked, try fileSystem.statusIfPresent(path)?.identity == own {
                    return Temporary(path: path, descriptor: descriptor)
                }
                fileSystem.close(descriptor)
            } catch {
                discard(Temporary(path: path, descriptor: descriptor))
                throw error
            }
        }
        throw SystemError("flock", directory, number: SystemError.tryAgain)
    }

    private func discard(_ temporary: Temporary) {
        try? removeSidecars(of: temporary.path)
        try? fileSystem.remove(temporary.path)
        fileSystem.close(temporary.descriptor)
    }

    private func removeSidecars(of path: String) throws(SystemError) {
        for suffix in sidecarSuffixes {
            do {
                try fileSystem.remove(path + suffix)
            } catch  where error.number == SystemError.noSuchFile {
                continue
            }
        }
    }
}
