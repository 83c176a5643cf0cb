import StrongroomBackup
import StrongroomCore

// What to type for a step, which the library says in calls.

extension BackupStep {
    var hint: String {
        switch self {
        case .makeRepository: "strongroom backup init makes one"
        case .backUp: "strongroom backup create makes one"
        case .backUpFully:
            "fetch it from another copy of the repository, or make a backup that builds on no "
                + "other (backup create --full)"
        case .listBackups: "strongroom backup list shows them, and which key each needs"
        case .checkDatabase:
            "strongroom check tells what is damaged; the backups made before are as they were"
        case .pruneDry: "add the key of the database, or use --dry-run, which needs none"
        case .acceptChange:
            "find out who has changed it; if it was you, accept it once (--accept-rollback)"
        case .acceptRemoval:
            "find out who has removed it; if it was you, accept it once (--accept-rollback)"
        case .introduceKey:
            "back up once with --introducer-key-file and a key that has signed it, such as the "
                + "one that the database had before; if none is left, with --new-authority"
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
        case .giveSigner: "give a new key that signs the repository already"
        case .giveNewKey: "give another new key: strongroom keygen PATH makes one"
        case .rotateStore:
            "rotate the database first: strongroom rotate-key DATABASE --keys FOLDER"
        case .beginAnew: "begin anew (backup create --new-authority)"
        case .takeDatabase(let name):
            "back \(name) up to a repository of its own, or say that this one gets it, too "
                + "(backup create --another-database)"
        case .nameMemory:
            "name another folder (--state DIR), or give this one to the user who runs this"
        case .verifyWithoutMemory:
            "if the repository is in order (backup verify --state none), remove the file"
        }
    }
}

extension DatabaseFileStep {
    var hint: String {
        switch self {
        case .diagnose:
            "check which key was given; strongroom doctor tells a wrong one from damage, and from "
                + "settings of the file's own"
        case .nameSettings(let options):
            "if it was created without HMACs, add \(options); otherwise it was tampered with"
        case .giveSalt:
            "give the raw key with its salt (96 digits), or the salt itself: --salt HEX"
        case .emptyLog(let ending):
            "open that database once with its program and close it, or move it away together with its "
                + "\(ending) file; strongroom doctor tells whether the two belong together"
        }
    }
}
