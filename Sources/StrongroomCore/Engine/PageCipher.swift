internal import COpenSSL

/// A context of libcrypto that encrypts, or decrypts, with AES-256-CBC under one key.
// Safety: libcrypto's context is this value's own until `deinit`, and output is never longer than
// input.
@safe struct PageCipher: ~Copyable {
    enum Direction: CInt {
        case decrypt = 0
        case encrypt = 1
    }

    private let context: OpaquePointer

    init(_ direction: Direction, key: UnsafeRawBufferPointer) throws(DatabaseError) {
        unsafe context = try unsafe Self.makeContext(direction, key)
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    private static func makeContext(
        _ direction: Direction, _ key: UnsafeRawBufferPointer
    ) throws(DatabaseError) -> OpaquePointer {
        ProcessEnd.keepLibcrypto()
        let algorithm = unsafe EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)
        // The context has a reference of its own.
        defer { unsafe EVP_CIPHER_free(algorithm) }
        guard let algorithm = unsafe algorithm, let context = unsafe EVP_CIPHER_CTX_new() else {
            throw .libcrypto("make a cipher")
        }
        let start = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard unsafe key.count == EVP_CIPHER_get_key_length(algorithm),
            unsafe EVP_CipherInit_ex2(context, algorithm, start, nil, direction.rawValue, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .libcrypto("use AES-256-CBC")
        }
        return unsafe context
    }

    /// Changes whole blocks where they are; false if libcrypto refused.
    mutating func apply(
        to blocks: UnsafeMutableRawBufferPointer, iv: UnsafeRawBufferPointer
    ) -> Bool {
        let start = unsafe blocks.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let vector = unsafe iv.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var count: CInt = 0
        // -1: the direction as it was. Without padding, nothing is left for a final call.
        return unsafe EVP_CipherInit_ex2(context, nil, nil, vector, -1, nil) == 1
            && EVP_CipherUpdate(context, start, &count, start, CInt(blocks.count)) == 1
            && count == blocks.count
    }
}
