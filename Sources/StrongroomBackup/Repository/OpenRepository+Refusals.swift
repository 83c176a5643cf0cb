import StrongroomCore

/// For what a key is given that is to sign, which decides what to do if it may not.
enum SigningRole {
    /// It is the database's, of which a backup is to be made.
    case database
    /// It is to introduce the database's.
    case introducer
    /// It is to sign what pruning leaves.
    case pruning
    /// It is the one that rekey retires.
    case replaced
    /// It is the one that rekey puts in its place.
    case replacement
}

extension OpenRepository {
    /// Makes sure that a key was not retired, under whatever salt: it was exposed.
    func requireNotRetired(
        _ signing: SigningKey, _ key: CipherKey?, as role: SigningRole, _ head: Head
    ) throws {
        let known = Authorities(head.authorities ?? [])
        guard known.hasReplaced else { return }
        if known.isReplaced(signing.publicKey.hexadecimal) { throw retired(signing, as: role) }
        guard let key else { return }
        var tried: Set<Manifest.Cipher> = []
        for link in try BackupChain(self, head) {
            try operation?.check()
            guard let backup = try? link.backup.get(),
                tried.insert(backup.manifest.cipher).inserted,
                let pageKey = try? authentic(backup, with: key).key
            else { continue }
            let other = try signingKey(of: BackupKey(pageKey))
            if known.isReplaced(other.publicKey.hexadecimal) { throw retired(other, as: role) }
        }
    }

    func retired(_ key: SigningKey, as role: SigningRole) -> BackupError {
        let name = key.publicKey.hexadecimal.prefix(8)
        let (which, hint, step): (String, String, BackupStep) =
            switch role {
            case .database:
                (
                    "the key of the database",
                    "rotate the database to the key that replaced it, or to a new one, then back up",
                    .rotateDatabase
                )
            case .introducer:
                (
                    "the key that is to introduce another",
                    "introduce with the key that replaced it", .giveSuccessorAsIntroducer
                )
            case .pruning: ("the key", "give the key that replaced it", .giveSuccessor)
            case .replaced:
                ("the old key", "give as the new key one that signs the repository", .giveSigner)
            case .replacement: ("the new key", "give a key that was never retired", .giveNewKey)
            }
        return BackupError(
            .notIntroduced, path,
            "\(which) was retired in \(path), by a rekey after it was exposed (\(name))",
            hint: hint, step: step)
    }

    func notIntroduced(_ key: SigningKey, as role: SigningRole) -> BackupError {
        let name = key.publicKey.hexadecimal.prefix(8)
        let isOfBackup = role == .database
        let hint =
            isOfBackup
            ? "back up once with the authority .introduced(by:) and a key that has signed it, such as the "
                + "one that the database had before; if none is left, with .newBeginning"
            : "give a key that has signed it, or let one introduce this key first, in a backup"
        let step: BackupStep =
            switch role {
            case .database: .introduceKey
            case .introducer: .giveOtherIntroducer
            case .pruning, .replaced, .replacement: .introduceFirst
            }
        let which = role == .introducer ? "the key that is to introduce another" : "this one"
        return BackupError(
            .notIntroduced, path,
            "\(path) is signed by another key, which has not introduced \(which) (\(name))",
            hint: hint, step: step)
    }

    var unknownIntroducer: BackupError {
        BackupError(
            .notIntroduced, path,
            "\(path) does not know the introducing key: no backup there has it",
            hint: "give a key that has signed it, such as the one that the database had before",
            step: BackupStep.giveOtherIntroducer)
    }
}
