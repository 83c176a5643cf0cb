import StrongroomCore

extension Repair {
    /// - Returns: Whether something of a pack was brought back, or could be.
    func repairPack(
        _ number: UInt32, _ store: PackStore, _ report: inout RepairReport
    ) throws -> Bool {
        guard let reader = try? store.reader(number),
            let digest = PackFormat.parse(reader.name)?.digest,
            let rows = try? reader.verifiedRows(digest)
        else { return try fetchPack(number, store, &report) }
        let damaged: Set<Int>
        do {
            damaged = try PackEntries(reader).damagedSlots(of: rows)
        } catch is SystemError {
            // A part of the disk that cannot be read: with a whole pack, it is not needed.
            return try fetchPack(number, store, &report)
        }
        let found = damaged.filter { slot in
            donors.entry(rows[slot], slot: slot, of: number) != nil
        }
        guard !found.isEmpty else { return false }
        report.repairedFiles.append(reader.path)
        report.repairedEntryCount += found.count
        guard !changesNothing else { return true }
        try write(reader.name, number) { file in
            try copy(reader, rows, replacing: found, of: number, to: file)
        }
        store.close(number)
        return true
    }

    /// Takes a pack from the copy, if all of it is whole there.
    private func fetchPack(
        _ number: UInt32, _ store: PackStore, _ report: inout RepairReport
    ) throws -> Bool {
        guard let donor = donors.pack(number),
            try PackEntries(donor.reader).damagedSlots(of: donor.rows).isEmpty
        else { return false }
        let packs = repository.folders.packs
        report.repairedFiles.append(packs.path(of: donor.reader.name))
        guard !changesNothing else { return true }
        try write(donor.reader.name, number) { file in
            try copy(donor.reader, donor.rows, replacing: [], of: number, to: file)
        }
        // Of two with one number, the larger would be read.
        for name in store.names[number] ?? [] where name != donor.reader.name {
            try repository.moveAside(name, from: packs)
        }
        store.close(number)
        return true
    }

    private func write(
        _ name: String, _ number: UInt32, _ fill: (FileSystem.Descriptor) throws -> Void
    ) throws {
        let temporary = try repository.folders.temporary()
        let temporaryName = RepositoryLayout.temporaryName(ofPack: number)
        let file = try temporary.create(temporaryName)
        do {
            defer { repository.fileSystem.close(file) }
            try fill(file)
            try repository.fileSystem.synchronize(file)
            try temporary.rename(temporaryName, to: repository.folders.packs, as: name)
            try repository.folders.packs.synchronize()
        } catch {
            try? temporary.remove(temporaryName)
            throw error
        }
    }

    /// Writes a pack with the same table, and with the entries that donors have.
    private func copy(
        _ reader: PackReader, _ rows: [PackRow], replacing slots: Set<Int>, of number: UInt32,
        to file: FileSystem.Descriptor
    ) throws {
        let fileSystem = repository.fileSystem
        try PackFormat.magic.withUnsafeBytes { try fileSystem.writeAll($0, to: file, at: 0) }
        var end = UInt64(PackFormat.magic.count)
        for (slot, row) in rows.enumerated() where !row.isDropped {
            try operation.check()
            var bytes = [UInt8](repeating: 0, count: Int(row.length))
            if slots.contains(slot), let entry = donors.entry(row, slot: slot, of: number) {
                bytes = entry
            } else {
                try bytes.withUnsafeMutableBytes { try reader.read($0, at: row.offset) }
            }
            try bytes.withUnsafeBytes {
                try fileSystem.writeAll($0, to: file, at: Int64(row.offset))
            }
            end = row.offset + UInt64(row.length)
        }
        let table = PackTable.encode(rows, number: number, offset: end)
        try table.withUnsafeBytes { try fileSystem.writeAll($0, to: file, at: Int64(end)) }
    }
}
