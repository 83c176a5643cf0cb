import StrongroomCore
internal import StrongroomEssentials

extension BackupVerificationKey {
    /// The database keys among them.
    var databaseKeys: [CipherKey] {
        switch self {
        case .database(let key): [key]
        case .databases(let keys): keys.rawKeysFirst
        case .verification, .verifications: []
        }
    }

    private var verificationKeys: [Data] {
        switch self {
        case .verification(let bytes): [bytes]
        case .verifications(let keys): keys
        case .database, .databases: []
        }
    }

    /// The key of a backup; nil if it is none of these.
    func key(of backup: Backup, _ operation: LongOperation) throws -> BackupKey? {
        for bytes in verificationKeys {
            var secret = SecretBytes(capacity: bytes.count)
            bytes.withUnsafeBytes { secret.append($0) }
            let key = try BackupKey(secret)
            if key.identifier == backup.keyIdentifier { return key }
        }
        for key in databaseKeys {
            try operation.check()
            if let found = try backup.key(derivedFrom: key) { return found }
        }
        return nil
    }
}
