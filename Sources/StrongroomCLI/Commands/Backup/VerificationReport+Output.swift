import StrongroomBackup
import StrongroomCore

extension VerificationReport {
    /// What to do where a keyring is missing that was removed on purpose; nothing for other damage.
    static func shreddingHint(_ problem: Problem) -> String {
        guard problem.path.splitAtLastSlash.name == "keyrings" else { return "" }
        return
            "; if the keyring was shredded on purpose (key shred), forget the backups with another key that signs "
            + "(backup forget --newest), or remove the repository and accept that once (--accept-rollback)"
    }

    /// Which key has signed, and whether it is a trusted one.
    var signatureText: String {
        guard let signer else {
            return "not signed: no signature by a trusted key covers the repository"
        }
        return isSignerTrusted == nil
            ? "signed by \(signer), and no trusted key was named (--authority, or the key)"
            : "signed by \(signer), a trusted key"
    }

    var json: JSONValue {
        .object([
            .init("sound", .boolean(isSound)),
            .init("backupCount", .integer(Int64(backupCount))),
            .init("pageCount", .integer(Int64(pageCount))),
            .init("authenticatedPageCount", .integer(Int64(authenticatedPageCount))),
            .init("authenticatedManifestCount", .integer(Int64(authenticatedManifestCount))),
            .init(
                "otherKeyBackups",
                .array(otherKeyBackups.sorted().map { .integer(Int64($0)) })),
            .init("signer", signer.map { .string($0) } ?? .null),
            .init("signerTrusted", isSignerTrusted.map { .boolean($0) } ?? .null),
            .init("hash", hash.map { .string($0) } ?? .null),
            .init(
                "damagedBackups",
                .array(damagedBackups.sorted().map { .integer(Int64($0)) })),
            .init(
                "problems",
                .array(
                    problems.map {
                        .object([
                            .init("path", .string($0.path)), .init("message", .string($0.message)),
                        ])
                    })),
        ])
    }
}
