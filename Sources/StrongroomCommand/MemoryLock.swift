import LibC
import StrongroomCLI
import StrongroomCore

/// Takes the place of libc's function in this program, for the libraries too.
///
/// SQLCipher unlocks the pages of the heap in which it frees a key. Where all memory of the process is
/// locked, that would leave holes, in which keys come to lie later.
///
/// It is public, because an optimized build hides everything else from the libraries.
///
/// - Returns: 0, or -1 with `errno` as munlock(2) has it.
@_cdecl("munlock")
public func unlockUnlessAllIsLocked(_ address: UnsafeRawPointer?, _ byteCount: Int) -> CInt {
    guard !ProcessHardening.locksAllMemory else { return 0 }
    typealias Unlock = @convention(c) (UnsafeRawPointer?, Int) -> CInt
    return nextFunction("munlock", as: Unlock.self)?(address, byteCount) ?? 0
}
