import StrongroomBackup
import StrongroomCore

// What to type for a step, which the library says in calls.

extension BackupStep {
    var hint: String {
        switch self {
        case .makeRepository: "strongroom backup init creates one"
        case .completeRepository:
            "strongroom backup init with the same path completes it: it holds nothing yet"
        case .fetchHead:
            "fetch head from another copy of the repository; without one, strongroom backup repair "
                + "--rebuild-head writes it again with the key of the last backup; without that key, keep this "
                + "folder, and create another repository (strongroom backup init)"
        case .fetchDamagedHead:
            "fetch it from another copy of the repository; without one, move it away, and strongroom backup repair "
                + "--rebuild-head writes it again with the key of the last backup"
        case .forgetNewest:
            "create another backup first; --newest removes it all the same"
        case .backUp: "strongroom backup create creates one"
        case .backUpFully:
            "copy it from another copy of the repository, or create a backup that needs no "
                + "other (backup create --full)"
        case .listBackups: "strongroom backup list shows them, and which key each needs"
        case .nameBackup:
            "name a backup by its number (strongroom backup list), or copy the manifest from another copy of "
                + "the repository (strongroom backup repair --from)"
        case .checkDatabase:
            "strongroom check shows what is damaged; earlier backups are unchanged"
        case .pruneDry: "add the key of the database, or use --dry-run, which needs none"
        case .acceptChange:
            "find out who changed it; if it was you, accept it once (--accept-rollback)"
        case .acceptRemoval:
            "find out who removed it; if it was you, accept it once (--accept-rollback)"
        case .mountDisk:
            "mount its disk; if the repository is gone for good, strongroom backup init --accept-rollback "
                + "creates another there"
        case .introduceKey:
            "back up once with --introducer-key-file and a key that has signed it, such as the "
                + "one that the database had before; if none is left, with --new-authority"
        case .introduceKeyring:
            "if it is right (an older backup was restored), back up once with --introducer-key-file and a "
                + "secret that opens the last backup's keyring; if none is left, with --new-authority"
        case .vouch:
            "give a passphrase, recovery code or key file that opens it; or fetch the manifest from another copy of "
                + "the repository (strongroom backup repair --from); or run strongroom key vouch DATABASE and back up"
        case .introduceNewKeyring:
            "if the database was created anew, back it up to another repository, or once with "
                + "--introducer-key-file and a secret that opens the last backup's keyring; if none is left, with "
                + "--new-authority"
        case .introduceFirst:
            "give a key that has signed it, or let that one introduce this one first (backup create "
                + "--introducer-key-file)"
        case .rotateDatabase:
            "rotate the database to the key that replaced it, or to a new one (strongroom rotate-key), "
                + "then back up"
        case .giveSuccessor: "give the key that replaced it"
        case .giveSuccessorAsIntroducer:
            "give the key that replaced it to --introducer-key-file"
        case .giveOtherIntroducer:
            "give a key that has signed it to --introducer-key-file, such as the one that the database "
                + "had before"
        case .giveSigner: "give a new key that already signs the repository"
        case .giveNewKey:
            "give another new key: strongroom keygen PATH creates one; of a database with a keyring, the key that it has "
                + "after strongroom rotate-key DATABASE (strongroom key export DATABASE --out NEW)"
        case .rotateForNewKey:
            "rotate the database (strongroom rotate-key DATABASE), back it up, and run this again with the key that it "
                + "has then (strongroom key export DATABASE --out NEW)"
        case .rotateStore:
            "rotate the database first: strongroom rotate-key DATABASE --keys FOLDER"
        case .beginAnew: "start over (backup create --new-authority)"
        case .takeDatabase(let name):
            "back up \(name) to its own repository, or add it to this one "
                + "(backup create --another-database)"
        case .restoreOrTake(let number):
            "restore that backup (strongroom backup restore REPO \(number) DATABASE --force); if the new database is "
                + "right, back it up to its own repository, or add it to this one (backup create "
                + "--another-database)"
        case .restoreAgain:
            "see to the cause, and restore the same backup again, in its place (--force)"
        case .nameMemory:
            "name another folder (--state DIR), or give this folder to the current user"
        case .verifyWithoutMemory:
            "if the repository is intact (backup verify --state none), remove the file"
        }
    }
}

extension DatabaseFileStep {
    var hint: String {
        switch self {
        case .rotateByKeyring:
            "give any secret that opens the keyring; strongroom key list shows its slots"
        case .diagnose:
            "check which key was given; strongroom doctor distinguishes a wrong key from damage and "
                + "from unusual settings"
        case .nameSettings(let options):
            "if it was created without HMACs, add \(options); otherwise it was tampered with"
        case .moveLogAway:
            "it may hold the only copy of a database's last changes: move it away, or choose another name"
        case .overwrite: "give another name, or --force to replace it"
        case .keepLog(let path, let isEncrypted): Self.logHint(path, isEncrypted: isEncrypted)
        case .giveSalt:
            "give the raw key with its salt (96 digits), or the salt itself: --salt HEX"
        case .emptyLog(let ending):
            "open that database once with its program and close it, or move it away together with its "
                + "\(ending) file; strongroom doctor reports whether the two belong together"
        }
    }
    /// A log may hold the only copy of commits, so that nothing is tried on it.
    private static func logHint(_ path: String, isEncrypted: Bool) -> String {
        let file = ShellWord.text(path)
        let first = "copy \(file) and its -wal to another place first; "
        guard isEncrypted else {
            return first + "to accept the loss, open and close the database once with its program"
        }
        return first
            + "strongroom salvage \(file) OUT recovers what can be read; to accept the loss, "
            + "strongroom query \(file) 'PRAGMA wal_checkpoint(TRUNCATE)' --write"
    }
}
