extension DatabaseDiagnosis {
    /// What to do next, by the verdict.
    var usualAdvice: String? {
        switch verdict {
        case .sound:
            return nil
        case .keyNeeded:
            return "give its key to learn more"
        case .wrongKey where lacksSalt:
            return "give its salt: with a raw key, or by PRAGMA cipher_salt in its configuration"
        case .wrongKey:
            return "try the key that was in use when the file was written; a restored file has the "
                + "key that the database had at that time"
        case .otherSettings:
            return "give these settings after the key, in prepareDatabase, or copy it into a file "
                + "with the usual ones"
        case .plaintext where !missingPages.isEmpty:
            return "look for a backup, or recover the rest with .recover in the sqlite3 shell"
        case .plaintext:
            return "open it without a key, or encrypt it into a new file with transfer(to:)"
        case .notADatabase:
            return "check the path; if it was a database once, look for a backup"
        case .empty:
            return log == nil
                ? "it holds no database; if it should, look for a backup"
                : "keep the log next to the file, because it holds pages, and look for a backup"
        case .truncated, .damaged:
            return damageAdvice
        case .damagedSalt:
            return
                "do not write to it; salvage(to:) writes an intact copy (for a passphrase, with the "
                + "salt of a backup)"
        case .foreignLog:
            if companions.contains(.foreignJournal) {
                return "do not open it with another program, which would replay the journal; move "
                    + "the -journal file away, and diagnose the database again"
            }
            if let advice = adviceOnDamage { return advice }
            return hasLogUnderUnknownKey
                ? "its key was rotated, and the log has the newest content: give the new key, and "
                    + "leave the log where it is"
                : "move the -wal file away, and diagnose the database again; keep the -wal file until "
                    + "you know where it belongs"
        case .twoKeys:
            return companions.contains(.hotJournal)
                ? "open it once with the previous key, which undoes the rotation; copy it first"
                : "do not write to it; salvage(to:) with both keys recovers it completely"
        }
    }

    /// What to do about a log or a journal of the file's own that is damaged.
    private var adviceOnDamage: String? {
        if companions.contains(.damagedJournal) {
            return
                "keep the file with its journal, and look for a backup; salvage(to:) recovers what is "
                + "there, with a part of the interrupted transaction"
        }
        guard companions.contains(.damagedLog) else { return nil }
        return
            "copy the file and its log to another place first; salvage(to:) recovers what SQLite still "
            + "reads, and opening the database accepts the loss"
    }

    /// Whether the log has the database as it is after a rotation.
    var hasLogUnderUnknownKey: Bool { companions.contains(.logUnderUnknownKey) }

    private var damageAdvice: String {
        let keys =
            pagesOfKeys.count < 2
            ? "; if its key was rotated recently, also give the other key" : ""
        return
            "do not write to it, and look for a backup; salvage(to:) recovers what is left\(keys)"
    }
}
