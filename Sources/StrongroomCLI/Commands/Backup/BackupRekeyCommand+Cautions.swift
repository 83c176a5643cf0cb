import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

// What `rekey` leaves as it is.

extension BackupRekeyCommand {
    /// Backups under other keys stay as they are.
    func cautionOfOthers(
        _ newKeys: [CipherKey], _ repository: BackupRepository, in context: CommandContext
    ) throws {
        let identifiers = Set(try newKeys.flatMap { try repository.keyIdentifiers(of: $0) })
        let others = try repository.backups().filter {
            !identifiers.contains($0.keyIdentifier)
        }
        guard !others.isEmpty else { return }
        let numbers = others.map { "\($0.number)" }.joined(separator: ", ")
        context.warn(
            "under other keys, and left as they are: backups \(numbers)",
            hint:
                "if one of those keys was exposed, run this again for it: strongroom backup rekey "
                + "\(ShellWord.text(path)) --key-file EXPOSED --new-key-file NEW"
                + (namesNewKey
                    ? "" : "; strongroom key export DATABASE --out NEW writes the current key"))
    }

    /// A current key that has backups may have been exposed with the others.
    func cautionIfUsed(
        _ store: KeyStore, _ repository: BackupRepository, in context: CommandContext
    ) throws {
        let key = try store.currentKey()
        guard try !repository.keyIdentifiers(of: key).isEmpty else { return }
        let name = try store.keys().last { $0.state == .current }?.id ?? ""
        context.warn(
            "\(path) has backups under the current key of \(store.path) (\(name)), which stay as they are",
            hint:
                "if that key was exposed, too, rotate the database (strongroom rotate-key DATABASE "
                + "--keys \(ShellWord.text(store.path))), and run this again")
    }
}
