import StrongroomCore

/// What to type after a diagnosis, with the options that were typed for it.
struct DiagnosisAdvice {
    let diagnosis: DatabaseDiagnosis
    let typed: TypedOptions

    private var file: String { ShellWord.text(diagnosis.path) }

    /// Nil if the file is sound.
    var text: String? {
        switch diagnosis.verdict {
        case .sound: nil
        case .plaintext where diagnosis.missingPages.isEmpty:
            "strongroom encrypt \(file) OUT\(typed.keyOrPlace) writes an encrypted copy"
        case .keyNeeded: "strongroom doctor \(file) --key-file KEY"
        case .truncated, .damaged: damage
        case .damagedSalt:
            "do not write to it; \(salvage) writes an intact copy"
                + (typed.settings.isEmpty ? " (for a passphrase, with --salt-from BACKUP)" : "")
        case .wrongKey: wrongKey
        case .otherSettings: otherSettings
        case .twoKeys where !diagnosis.companions.contains(.hotJournal):
            "do not write to it; \(salvage) recovers it completely"
        case .foreignLog where diagnosis.companions.contains(.logUnderUnknownKey):
            "leave the log there; strongroom doctor \(file) --key-file NEW checks with the new key"
        case .foreignLog where diagnosis.companions.contains(.damagedLog):
            DatabaseFileStep.keepLog(diagnosis.path, isEncrypted: true).hint
        case .foreignLog where diagnosis.companions.contains(.damagedJournal):
            "keep the file with its journal, and look for a backup; \(salvage) recovers what is there, "
                + "with a part of the interrupted transaction"
        default: diagnosis.advice
        }
    }

    /// The options under which the file opens.
    private var settings: String {
        let named = CipherSettings.options(diagnosis.settingsWords)
        if !named.isEmpty { return " " + named }
        return diagnosis.settings.isEmpty ? typed.settings : ""
    }

    private var salvage: String {
        "strongroom salvage \(file) OUT\(typed.keyOrPlace)\(typed.oldKey)\(settings)"
    }

    private var damage: String {
        guard !diagnosis.pagesOfKeys.isEmpty else {
            return "do not write to it; look for a backup: with its salt, "
                + "strongroom doctor \(file)\(typed.keyOrPlace) --salt-from BACKUP shows what can be "
                + "recovered"
        }
        return damageOfPages
    }

    private var damageOfPages: String {
        "do not write to it; look for a backup, or run \(salvage)"
            + (diagnosis.pagesOfKeys.count < 2
                ? "; if its key was rotated recently, give the other key with --old-key-file" : "")
    }

    private var wrongKey: String? {
        if diagnosis.lacksSalt {
            return "strongroom doctor \(file)\(typed.keyOrPlace) --salt HEX, or a raw key of 96 "
                + "digits"
        }
        guard diagnosis.pagesOfKeys.isEmpty else {
            let key = typed.oldKey.replacing("--old-key", with: "--key")
            return "give the other key as its key: strongroom check \(file)\(key)"
        }
        return "try the key that was in use when the file was written; --kdf-iterations N, if its "
            + "passphrase is hashed an unusual number of times; --salt-from BACKUP, if the beginning "
            + "of the file may be damaged"
    }

    private var otherSettings: String {
        // What SQLCipher keeps for the whole process cannot be set for one file.
        let isBeta = diagnosis.settings.contains { $0.contains("cipher_hmac_salt_mask") }
        if isBeta { return "\(salvage) writes a copy with default settings" }
        let given = CipherSettings.options(diagnosis.settingsWords)
        let changing =
            "strongroom rotate-key \(file)\(typed.keyOrPlace)\(settings) --new-compatibility 4 changes "
            + "them in place"
        guard diagnosis.isAuthenticated else {
            return "if it was created without HMACs, give every command \(given); then \(changing)"
        }
        let opening = given.isEmpty ? "every command finds them" : "give every command \(given)"
        return "\(opening); \(changing)"
    }
}
