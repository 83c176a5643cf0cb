internal import COpenSSL

/// A context of libcrypto that computes HMACs under one key.
///
/// Kept from page to page: to make it is a quarter of what an HMAC costs (`spec/sqlcipher.md` §2.3).
struct PageMAC: ~Copyable {
    private let context: OpaquePointer

    init(key: UnsafeRawBufferPointer, hash: CipherHash) throws(DatabaseError) {
        context = try Self.makeContext(key, hash)
    }

    deinit {
        EVP_MAC_CTX_free(context)
    }

    private static func makeContext(
        _ key: UnsafeRawBufferPointer, _ hash: CipherHash
    ) throws(DatabaseError) -> OpaquePointer {
        let algorithm = EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil)
        // The context has a reference of its own.
        defer { EVP_MAC_free(algorithm) }
        guard let algorithm, let context = EVP_MAC_CTX_new(algorithm) else {
            throw .libcrypto("make an HMAC")
        }
        guard initialize(context, key, digest: hash.rawValue) else {
            EVP_MAC_CTX_free(context)
            throw .libcrypto("use HMAC with \(hash.rawValue)")
        }
        return context
    }

    private static func initialize(
        _ context: OpaquePointer, _ key: UnsafeRawBufferPointer, digest: String
    ) -> Bool {
        var digest = Array(digest.utf8CString)
        // The list keeps the pointer to the parameter's name: it must live as long.
        return OSSL_MAC_PARAM_DIGEST.withCString { name in
            digest.withUnsafeMutableBufferPointer { digest in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(name, digest.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return EVP_MAC_init(context, start, key.count, parameters) == 1
            }
        }
    }

    /// The HMAC of a part of a page and of the page's number; false if libcrypto refused.
    mutating func compute(
        _ bytes: UnsafeRawBufferPointer, page number: UInt32,
        to result: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // No key: the same one again.
        guard EVP_MAC_init(context, nil, 0, nil) == 1 else { return false }
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard EVP_MAC_update(context, start, bytes.count) == 1 else { return false }
        let isNumbered = withUnsafeBytes(of: number.littleEndian) { number in
            let start = number.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_MAC_update(context, start, number.count) == 1
        }
        guard isNumbered else { return false }
        var count = 0
        let output = result.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return EVP_MAC_final(context, output, &count, result.count) == 1 && count == result.count
    }
}
