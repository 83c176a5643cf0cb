import StrongroomCore

extension OpenRepository {
    /// Clears away what the head does not know, and says what there was to notice.
    ///
    /// 1. Of the temporary folder, files with the names that this format gives are removed.
    /// 2. Packs that are newer than the head are what an interrupted run has written, and are removed:
    ///    but not if manifests are newer, too.
    /// 3. Manifests that are newer than the head are complete backups. A run may have been interrupted
    ///    just before it wrote the head; or the head was put back to an older state. So they
    ///    are moved aside with the packs, and never removed.
    func clearLeftovers(_ head: Head, _ names: PackNames) throws -> [String] {
        let temporary = try folders.temporary()
        for name in try temporary.names() where RepositoryLayout.isTemporary(name) {
            if try temporary.byteCount(of: name) != nil { try removeIfPermitted(name, temporary) }
        }
        let packs = names.texts(from: head.nextPack)
        let backups = try hasSameManifests ? [] : namesOfManifests(after: head.sequence)
        current.packNames = packs.isEmpty ? names : nil
        // They are newer than the head that was read, which may be an older one by now.
        if !packs.isEmpty || !backups.isEmpty { try requireUnchangedHead() }
        guard !backups.isEmpty else {
            for name in packs where try !removeIfPermitted(name, folders.packs) {
                try moveAside(name, from: folders.packs)
            }
            return []
        }
        let aside = try asideFolder()
        // Manifests last: as long as one is there, the packs are not removed.
        for name in packs { try move(name, from: folders.packs, to: aside) }
        for folder in [aside, folders.packs] { try folder.synchronize() }
        for name in backups { try move(name, from: folders.backups, to: aside) }
        for folder in [aside, folders.backups] { try folder.synchronize() }
        let what = backups.count == 1 ? "a backup was" : "\(backups.count) backups were"
        return [
            "\(what) newer than the head, and moved to \(aside.path) with all newer packs: a run was "
                + "interrupted at its very end, or the head was put back to an older state"
        ]
    }

    private func namesOfManifests(after number: UInt32) throws -> [String] {
        try NumberedNames(folders.backups) { found, name in
            found > number && Manifest.isName(name, of: found)
        }.texts
    }

    /// Removes a file, but for a host that lets this one add files only.
    @discardableResult
    private func removeIfPermitted(_ name: String, _ folder: RepositoryFolder) throws -> Bool {
        do {
            try folder.remove(name)
            return true
        } catch let error as SystemError where error.isForbidden && !fileSystem.locksFiles {
            return false
        }
    }

    private func asideFolder() throws -> RepositoryFolder {
        if try !folders.root.contains(RepositoryLayout.aside) {
            try folders.root.makeFolder(RepositoryLayout.aside)
            try folders.root.synchronize()
        }
        return try folders.root.folder(RepositoryLayout.aside)
    }

    /// Puts a file where nothing reads it.
    func moveAside(_ name: String, from folder: RepositoryFolder) throws {
        let aside = try asideFolder()
        try move(name, from: folder, to: aside)
        for folder in [aside, folder] { try folder.synchronize() }
    }

    /// Replaces nothing.
    private func move(
        _ name: String, from folder: RepositoryFolder, to aside: RepositoryFolder
    ) throws {
        var newName = name
        while try aside.contains(newName) {
            newName = name + "." + RepositoryLayout.temporaryName()
        }
        try folder.rename(name, to: aside, as: newName)
    }
}
