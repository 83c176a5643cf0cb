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
                + "key of its day"
        case .otherSettings:
            return "give these settings after the key, in prepareDatabase, or copy it into a file "
                + "with the usual ones"
        case .plaintext where !missingPages.isEmpty:
            return "look for a backup, or have the sqlite3 shell .recover what is left"
        case .plaintext:
            return "open it without a key, or encrypt it into a new file with transfer(to:)"
        case .notADatabase:
            return "check the path; if it was a database once, look for a backup"
        case .empty:
            return log == nil
                ? "it holds no database; if it should, look for a backup"
                : "keep the log beside it: it holds pages; look for a backup of the file"
        case .truncated, .damaged:
            return damageAdvice
        case .damagedSalt:
            return "write nothing to it; salvage(to:) writes a whole copy, for a passphrase with "
                + "the salt of a backup"
        case .foreignLog:
            if summary.contains("-journal does not belong") {
                return "open it with no other program, which would play the journal back; move the "
                    + "-journal file to another place, and examine the file again"
            }
            return hasLogUnderUnknownKey
                ? "its key was changed, and the log has the newest content: give the new key, and "
                    + "leave the log where it is"
                : "move the -wal file away, and look at the file again; keep it until you know "
                    + "where it belongs"
        case .twoKeys:
            return notes.contains { $0.hasSuffix("plays \(path)-journal back") }
                ? "open it once with the previous key, which undoes the change; copy it first"
                : "write nothing to it; salvage(to:) with both keys makes it whole"
        }
    }

    /// Whether the log has the database as it is after a change of the key.
    var hasLogUnderUnknownKey: Bool {
        notes.contains { $0.hasSuffix("under a key that was not given") }
    }

    private var damageAdvice: String {
        let keys =
            pagesOfKeys.count < 2
            ? "; if its key was changed lately, give the other key too" : ""
        return "write nothing to it, and look for a backup; salvage(to:) saves what is left\(keys)"
    }
}
