import StrongroomCore
internal import Synchronization

/// What a new backup builds on.
struct BaseBackup {
    /// The last backup of the repository; nil if there is none, or if it cannot be read.
    private(set) var last: Backup?
    /// The one that has pages in common with the new one; nil for a full backup.
    private(set) var backup: Backup?
    /// The pages of that one.
    private(set) var pages: ReusablePages?
    private var problems: [String] = []

    /// The newest kept backup of a key and of settings: under others, no page stays what it was.
    ///
    /// - Throws: ``BackupError`` if the last manifest is not what the head says, or the key has not
    ///   sealed that of the base; unless the backup is to be a full one.
    init(
        in repository: OpenRepository, _ head: Head, _ key: BackupKey, _ cipher: Manifest.Cipher,
        isFull: Bool
    ) throws {
        let pruned = head.prunedNumbers
        var keptCount = 0
        for link in try BackupChain(repository, head) {
            guard link.number == head.sequence || keptCount < head.keptCount else { return }
            if !pruned.contains(link.number) { keptCount += 1 }
            var found: Backup
            do {
                found = try link.backup.get()
            } catch {
                if link.number == head.sequence, !isFull { throw Self.refusal(error) }
                // Nobody needs the manifest of a backup that was removed.
                if link.number == head.sequence || !pruned.contains(link.number) {
                    problems.append((error as? BackupError)?.message ?? "\(error)")
                }
                continue
            }
            if link.number == head.sequence {
                last =
                    found.manifest.rekeyed == nil
                    ? found : try repository.lastKept(head) { _ in true } ?? found
            }
            guard !isFull else { return }
            func isUsable(_ backup: Backup) -> Bool {
                backup.keyIdentifier == key.identifier && backup.manifest.cipher == cipher
                    && backup.manifest.rootReference != nil
            }
            guard !pruned.contains(link.number), isUsable(found) else { continue }
            if found.manifest.rekeyed != nil {
                found = try repository.lastKept(head, where: isUsable) ?? found
            }
            guard let root = found.manifest.rootReference else { continue }
            do {
                backup = try AuthenticBackup(found, key, in: repository).backup
            } catch {
                throw Self.refusal(error)
            }
            pages = try ReusablePages(
                root, pageCount: found.manifest.pageCount, repository.packStore(),
                turn: PackTurn(of: head.sequence + 1))
            return
        }
    }

    private static func refusal(_ error: any Error) -> any Error {
        guard let error = error as? BackupError, error.code == .damaged else { return error }
        return BackupError(
            .damaged, error.path, error.message,
            hint:
                "fetch it from another copy of the repository, or create a full backup, which builds "
                + "on no other", underlying: error, step: BackupStep.backUpFully)
    }

    /// The last backup with a key, whether or not the new one builds on it.
    func last(of key: BackupKey) -> Backup? {
        backup ?? last.flatMap { $0.keyIdentifier == key.identifier ? $0 : nil }
    }

    /// The first damage that was met.
    var damage: String? { pages?.problems.first ?? problems.first }

    /// What there is to say of a backup in which no page is as it was, though VACUUM, which adds 1 to the version of the
    /// schema, was not run.
    func doubts(of new: Backup, _ source: CommittedPages) -> [String] {
        guard let backup, backup.pageCount >= 16, Int(new.pageCount) == new.storedPageCount,
            new.manifest.schemaVersion <= backup.manifest.schemaVersion,
            source.numbers["auto_vacuum"] == 0, pages?.refusedCount == 0
        else { return [] }
        return [
            "it has no page of backup \(backup.number), and was not vacuumed since: the database may have been "
                + "lost and created anew"
        ]
    }

    /// What there is to say of what was built on.
    var notices: [String] {
        guard let pages, let problem = pages.problems.first else { return problems }
        return problems + [
            "earlier backups are damaged (\(problem)): \(pages.refusedCount) pages were stored again; "
                + "backup verify lists the damaged backups"
        ]
    }
}

/// The pages of a backup that another may refer to instead of storing them again.
///
/// 1. A node of the tree is verified by its hash when it is read. Where it is damaged, nothing
///    below is reused.
/// 2. A pack is reused only if its size and its table are those that its name says. The newest packs
///    are read as a whole, too, up to a limit, and of each older pack what has its turn
///    (``PackTurn``); where something is damaged there, all of that pack is read.
/// 3. What is not reused is stored again: the new backup is whole where the old one is not.
final class ReusablePages: Sendable {
    private struct State {
        /// Slots that are damaged, for each pack that was looked at; nil for all slots.
        var damage: [UInt32: Set<Int>?] = [:]
        /// The same of packs that share their number with another one, by their names.
        var damageOfRivals: [String: Set<Int>?] = [:]
        var problems: [String] = []
        var refusedCount = 0
        /// The first of the newest packs, as far as they were looked at; how many those are, and their bytes.
        var newest: (first: UInt32, count: Int, byteCount: Int64) = (.max, 0, 0)
    }

    /// So much is read again for each backup: it takes some hundredths of a second.
    private static let readByteCount: Int64 = 16 << 20
    /// As if each pack had so many bytes: of the smallest, 256 are looked at.
    private static let smallestByteCount = readByteCount / 256

    let tree: PageTree
    private let store: PackStore
    /// As many of the last packs as may be read as a whole.
    private let lastPacks: [UInt32]
    private let turn: PackTurn
    private let state = Mutex(State())

    init(
        _ root: PageReference, pageCount: UInt32, _ store: PackStore, turn: PackTurn
    ) throws {
        self.turn = turn
        tree = PageTree(root: root, pageCount: pageCount, store: store)
        self.store = store
        lastPacks = store.names.keys.suffix(Int(Self.readByteCount / Self.smallestByteCount))
    }

    var problems: [String] { state.withLock { $0.problems } }
    /// How many pages would have been reused if they were not damaged.
    var refusedCount: Int { state.withLock { $0.refusedCount } }

    /// Where pages with these digests are stored, from one on; nil for those that are to be stored.
    func references(to digests: [ContentDigest], from page: UInt32) -> [PageReference?] {
        let known: [PageReference]
        do {
            known = try tree.references(from: page, count: digests.count)
        } catch {
            state.withLock { state in
                Self.note(error, &state)
                state.refusedCount += digests.count
            }
            return []
        }
        return zip(known, digests).map { reference, digest in
            reference.digest == digest && isUsable(reference) ? reference : nil
        }
    }

    /// Whether all of them can be used again.
    ///
    /// - Parameter check: Called from time to time; what it throws ends the work.
    func areWhole(check: () throws -> Void) throws -> Bool {
        let step = 1 << 14
        for first in stride(from: 0, to: Int(tree.pageCount), by: step) {
            try check()
            guard let references = try? tree.references(from: UInt32(first + 1), count: step),
                state.withLock({ state in references.allSatisfy { isWhole($0, &state) } })
            else { return false }
        }
        return true
    }

    private func isUsable(_ reference: PageReference) -> Bool {
        state.withLock { state in
            if isWhole(reference, &state) { return true }
            state.refusedCount += 1
            return false
        }
    }

    private func isWhole(_ reference: PageReference, _ state: inout State) -> Bool {
        let damage: Set<Int>?
        if store.hasRivals(reference.pack) {
            guard let reader = try? store.reader(of: reference), reader.has(reference) else {
                return false
            }
            damage =
                state.damageOfRivals[reader.name] ?? examine(reference, &state)
            state.damageOfRivals.updateValue(damage, forKey: reader.name)
        } else if let known = state.damage[reference.pack] {
            damage = known
        } else {
            damage = examine(reference, &state)
            state.damage.updateValue(damage, forKey: reference.pack)
        }
        return damage.map { !$0.contains(Int(reference.slot)) } ?? false
    }

    /// The slots of an entry's pack that are damaged; nil if it cannot be used at all.
    private func examine(_ reference: PageReference, _ state: inout State) -> Set<Int>? {
        let number = reference.pack
        do {
            let reader = try store.reader(of: reference)
            guard let digest = PackFormat.parse(reader.name)?.digest else { return nil }
            let rows = try reader.verifiedRows(digest)
            let entries = PackEntries(reader)
            if try !isAmongNewest(number, &state) {
                let part = try entries.damagedSlots(of: rows) { turn.includes($0, of: number) }
                guard !part.isEmpty else { return [] }
            }
            let damaged = try entries.damagedSlots(of: rows)
            if !damaged.isEmpty {
                Self.note(BackupError.damaged(reader.path, "entries were changed"), &state)
            }
            return damaged
        } catch {
            Self.note(error, &state)
            return nil
        }
    }

    /// Whether a pack is among those that are read as a whole: as few of them are looked at as it takes to know.
    private func isAmongNewest(_ number: UInt32, _ state: inout State) throws -> Bool {
        guard let first = lastPacks.first, number >= first else { return false }
        for next in lastPacks.dropLast(state.newest.count).reversed() {
            guard next >= number, state.newest.byteCount <= Self.readByteCount else { break }
            for name in store.names[next] ?? [] {
                state.newest.byteCount += max(
                    try store.folder.byteCount(of: name) ?? 0, Self.smallestByteCount)
            }
            state.newest.count += 1
            if state.newest.byteCount <= Self.readByteCount || state.newest.count == 1 {
                state.newest.first = next
            }
        }
        return number >= state.newest.first
    }

    private static func note(_ error: any Error, _ state: inout State) {
        let text = (error as? BackupError)?.message ?? "\(error)"
        if !state.problems.contains(text) { state.problems.append(text) }
    }
}
