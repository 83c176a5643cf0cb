import StrongroomCore
internal import StrongroomEssentials

extension BackupVerificationKey {
    /// The database keys among them.
    var databaseKeys: [CipherKey] {
        switch self {
        case .database(let key): [key]
        case .databases(let keys): keys.rawKeysFirst
        case .verification: []
        }
    }

    /// The key of a backup; nil if it is none of these.
    func key(of backup: Backup, _ operation: LongOperation) throws -> BackupKey? {
        if case .verification(let bytes) = self {
            var secret = SecretBytes(capacity: bytes.count)
            bytes.withUnsafeBytes { secret.append($0) }
            let key = try BackupKey(secret)
            return key.identifier == backup.keyIdentifier ? key : nil
        }
        for key in databaseKeys {
            try operation.check()
            if let found = try backup.key(derivedFrom: key) { return found }
        }
        return nil
    }
}
