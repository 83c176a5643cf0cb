internal import COpenSSL
internal import CSQLCipher

/// The derivation of a key from a passphrase, as SQLCipher does it itself for each connection
/// (`Documentation/SQLCipher.md`, "Deriving keys").
// Safety: libcrypto is told how many bytes it may read and write; its digests are there for good.
package enum KeyDerivation {
    /// What a key depends on besides the passphrase.
    package struct Parameters: Equatable, Sendable {
        package let salt: [UInt8]
        package let iterations: Int
        /// The name that `PRAGMA cipher_kdf_algorithm` gives.
        package let algorithm: String

        package init(salt: [UInt8], iterations: Int, algorithm: String) {
            self.salt = salt
            self.iterations = iterations
            self.algorithm = algorithm
        }
    }

    private static let keyByteCount = 32

    /// Fewer take less time than the step in which an end of the work is noticed.
    private static let longIterationCount = 50_000

    /// Derives a key. Who stops the work of this thread (``LongOperation/current``) does not wait for
    /// libcrypto, which goes on, on a thread of its own, until it is done or the process has ended.
    ///
    /// - Returns: nil for an algorithm that is not known here, or that OpenSSL refuses.
    /// - Throws: `SQLITE_INTERRUPT` if the work was stopped.
    package static func key(
        from passphrase: UnsafeRawBufferPointer, _ parameters: Parameters
    ) throws(DatabaseError) -> SecretBytes? {
        guard parameters.iterations > longIterationCount, let work = LongOperation.current else {
            return unsafe derive(from: passphrase, parameters)
        }
        let passphrase = unsafe Shared(SecretBytes(copying: passphrase))
        let derivation = BackgroundThread {
            unsafe passphrase.bytes.withUnsafeBytes {
                unsafe Shared(derive(from: $0, parameters) ?? SecretBytes())
            }
        }
        do {
            let key = try derivation.wait(work.check)
            guard !key.bytes.isEmpty else { return nil }
            return unsafe key.bytes.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        } catch is ThreadShortage {
            return unsafe passphrase.bytes.withUnsafeBytes { unsafe derive(from: $0, parameters) }
        } catch {
            throw DatabaseError(code: .SQLITE_INTERRUPT)
        }
    }

    /// Secret bytes between two threads.
    private final class Shared: Sendable {
        let bytes: SecretBytes

        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    private static func derive(
        from passphrase: UnsafeRawBufferPointer, _ parameters: Parameters
    ) -> SecretBytes? {
        let digest: OpaquePointer? =
            switch parameters.algorithm {
            case "PBKDF2_HMAC_SHA512": unsafe EVP_sha512()
            case "PBKDF2_HMAC_SHA256": unsafe EVP_sha256()
            case "PBKDF2_HMAC_SHA1": unsafe EVP_sha1()
            default: nil
            }
        guard let iterations = CInt(exactly: parameters.iterations) else { return nil }
        var key = SecretBytes(capacity: keyByteCount)
        unsafe parameters.salt.withUnsafeBytes { salt in
            unsafe pbkdf2(passphrase, salt: salt, iterations: iterations, digest: digest, to: &key)
        }
        return key.isEmpty ? nil : consume key
    }

    /// A value that shows whether a passphrase is that of a key, without telling either.
    package static func proof(
        of passphrase: UnsafeRawBufferPointer, for key: UnsafeRawBufferPointer
    ) -> SecretBytes? {
        var proof = SecretBytes(capacity: keyByteCount)
        unsafe pbkdf2(passphrase, salt: key, iterations: 1, digest: EVP_sha512(), to: &proof)
        return proof.isEmpty ? nil : consume proof
    }

    /// Appends nothing when OpenSSL refuses.
    private static func pbkdf2(
        _ passphrase: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, iterations: CInt,
        digest: OpaquePointer?, to key: inout SecretBytes
    ) {
        guard let digest = unsafe digest else { return }
        ProcessEnd.keepLibcrypto()
        unsafe key.append(upTo: keyByteCount) { key in
            let isDerived = unsafe PKCS5_PBKDF2_HMAC(
                passphrase.baseAddress, CInt(passphrase.count), salt.baseAddress,
                CInt(salt.count), iterations, digest, CInt(keyByteCount), key.baseAddress)
            return isDerived == 1 ? keyByteCount : 0
        }
    }
}

extension ConnectionHandle {
    /// What the key of the main database depends on besides its passphrase, by its settings.
    package func keyParameters() throws(DatabaseError) -> KeyDerivation.Parameters? {
        guard let salt = try firstText("PRAGMA cipher_salt").flatMap(Hexadecimal.bytes),
            let iterations = try firstText("PRAGMA kdf_iter").flatMap({ Int($0) }),
            let algorithm = try firstText("PRAGMA cipher_kdf_algorithm")
        else { return nil }
        return KeyDerivation.Parameters(salt: salt, iterations: iterations, algorithm: algorithm)
    }

    /// Whether a page was read or written already, and the key with it put to use.
    package var hasUsedPages: Bool {
        let counters = [
            SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS, SQLITE_DBSTATUS_CACHE_WRITE,
        ]
        return counters.contains { counter in
            var current: CInt = 0
            var highest: CInt = 0
            let code = unsafe sqlite3_db_status(borrowed.pointer, counter, &current, &highest, 0)
            return code != SQLITE_OK || current > 0
        }
    }
}
