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
///    removed; the caller has refused those that hold something;
/// 6. rename;
/// 7. fsync of the directory.
///
/// Whatever fails before 6 leaves the target as it was and nothing of the temporary, but for what
/// was removed in 5. A process that is killed leaves an unlocked temporary, which
/// ``removeLeftovers()`` recognises by name and lock.
///
/// Others may own the folder, and swap what stands under a name:
///
/// a. The folder is held open, and the temporary file is: all of 3 and 4 happens to descriptors.
/// b. Links are never followed, but those of the path that the caller has named: ``PathWalk``.
/// c. What stands under the temporary's name is compared with it before 3 and before 6, and what
///    stands under the final name after 6. Another file there is an error, and is left alone.
/// d. Owner, attributes and mode come from the file that stood under the final name at the beginning.
package struct FileReplacement: Sendable {
    /// Where the file will stand, links followed.
    package let target: String
    /// What stands there now.
    package let existing: FileStatus?

    let folder: OpenFolder
    let name: String
    private let sidecarSuffixes: [String]
    let fileSystem: FileSystem

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
        if let end = try PathWalk.end(of: path, exists: existing != nil, fileSystem) {
            (folder, name) = end
        } else {
            let split =
                existing == nil
                ? path.splitAtLastSlash : try fileSystem.resolve(path).splitAtLastSlash
            folder = try OpenFolder(fileSystem.resolve(split.directory), fileSystem)
            name = split.name
        }
        target = folder.path(of: name)
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
    ///
    /// - Parameter check: Called before each step of what waits for the disk.
    package func write<R>(
        overwrite: Bool,
        check: () throws -> Void = {},
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
            try folder.require(temporary.identity, under: temporary.name)
            try adoptAttributes(temporary.descriptor)
            try fileSystem.synchronize(temporary.descriptor, check: check)
            try beforeRename()
            try removeSidecars(of: temporary.name)
            try removeSidecars(of: name)
            try folder.require(temporary.identity, under: temporary.name)
            // Before the rename: closing a descriptor under the final name would drop the locks
            // that another thread may by then have there.
            fileSystem.close(temporary.descriptor)
        } catch {
            discard(temporary)
            throw error
        }
        try putInPlace(temporary, overwrite: overwrite)
        return result
    }

    private func putInPlace(_ temporary: Temporary, overwrite: Bool) throws {
        defer { temporary.pin.map(fileSystem.close) }
        do {
            try folder.rename(temporary.name, to: name, overwrite: overwrite)
        } catch {
            removeIfOwn(temporary)
            throw error
        }
        try folder.require(temporary.identity, under: name)
        do {
            try folder.synchronize()
        } catch {
            throw NotDurable(underlying: error)
        }
    }

    private func adoptAttributes(_ descriptor: FileSystem.Descriptor) throws {
        guard let existing else { return }
        let status = try fileSystem.descriptorStatus(descriptor)
        if (status.owner, status.group) != (existing.owner, existing.group) {
            try fileSystem.changeOwner(descriptor, existing.owner, existing.group)
        }
        if let old = try folder.pin(name) {
            defer { fileSystem.close(old) }
            guard try fileSystem.descriptorStatus(old).identity == existing.identity else {
                throw SystemError("compare", target, number: SystemError.replaced)
            }
            try copyAttributes(of: old, existing.identity, to: descriptor)
        }
        // Last: an access control list has changed the bits of the group.
        try fileSystem.changeMode(descriptor, existing.mode)
    }
}

// MARK: - Attributes

extension FileReplacement {
    private func copyAttributes(
        of old: FileSystem.Descriptor, _ identity: FileStatus.Identity,
        to descriptor: FileSystem.Descriptor
    ) throws {
        do throws(SystemError) {
            try fileSystem.copyAttributes(old, descriptor)
        } catch  where error.isMissing {
            // There is no `/proc`: the name leads to them, as long as it is that of the same file.
            try fileSystem.copyAttributesOfName(target, descriptor)
            guard try fileSystem.status(target).identity == identity else {
                throw SystemError("compare", target, number: SystemError.replaced)
            }
        }
    }
}

// MARK: - Temporary files

extension FileReplacement {
    /// A file that nobody else knows of, open for writing.
    package struct Temporary: Sendable {
        package let path: String
        package let descriptor: FileSystem.Descriptor
        package let identity: FileStatus.Identity
        fileprivate let name: String
        /// Keeps the file's number from being given to another; nil where the system cannot.
        fileprivate let pin: FileSystem.Descriptor?
    }

    private static let mark = ".strongroom-"
    private static let digitCount = 16

    /// Removes what processes that were killed have left here for this target.
    ///
    /// - Returns: How many there were; what cannot be removed stays without an error.
    @discardableResult
    package func removeLeftovers() -> Int {
        let names = (try? fileSystem.names(folder.path)) ?? []
        return names.filter(isTemporary).count { name in
            guard let descriptor = try? folder.open(name) else { return false }
            defer { fileSystem.close(descriptor) }
            guard (try? fileSystem.lock(descriptor)) == true,
                let identity = try? fileSystem.descriptorStatus(descriptor).identity,
                (try? folder.require(identity, under: name)) != nil
            else { return false }
            try? removeSidecars(of: name)
            return (try? folder.remove(name)) != nil
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
        return digits.utf8.count == Self.digitCount && digits.utf8.allSatisfy(Hexadecimal.isDigit)
    }

    /// Between its creation and its lock, a temporary may fall to another process that removes
    /// leftovers; then there is another try.
    private func makeTemporary() throws(SystemError) -> Temporary {
        for _ in 0..<100 {
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let padding = String(repeating: "0", count: Self.digitCount - number.count)
            let name = temporaryPrefix + padding + number
            let descriptor = try folder.create(name)
            do throws(SystemError) {
                if let temporary = try lock(descriptor, name) { return temporary }
                fileSystem.close(descriptor)
            } catch {
                try? folder.remove(name)
                fileSystem.close(descriptor)
                throw error
            }
        }
        throw SystemError("flock", folder.path, number: SystemError.tryAgain)
    }

    private func lock(
        _ descriptor: FileSystem.Descriptor, _ name: String
    ) throws(SystemError) -> Temporary? {
        let isLocked = try fileSystem.lock(descriptor)
        let identity = try fileSystem.descriptorStatus(descriptor).identity
        guard isLocked, try folder.status(name)?.identity == identity else { return nil }
        return Temporary(
            path: folder.path(of: name), descriptor: descriptor, identity: identity, name: name,
            pin: try folder.pin(name))
    }

    /// Content that has left the folder under another name must not outlive a failure.
    private func discard(_ temporary: Temporary) {
        try? removeSidecars(of: temporary.name)
        if !removeIfOwn(temporary) { try? fileSystem.truncate(temporary.descriptor, 0) }
        fileSystem.close(temporary.descriptor)
        temporary.pin.map(fileSystem.close)
    }

    @discardableResult
    private func removeIfOwn(_ temporary: Temporary) -> Bool {
        guard (try? folder.require(temporary.identity, under: temporary.name)) != nil else {
            return false
        }
        return (try? folder.remove(temporary.name)) != nil
    }

    private func removeSidecars(of name: String) throws(SystemError) {
        for suffix in sidecarSuffixes {
            do {
                try folder.remove(name + suffix)
            } catch  where error.number == SystemError.noSuchFile {
                continue
            }
        }
    }
}
