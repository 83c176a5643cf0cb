import StrongroomCore

/// The names of a repository.
enum RepositoryLayout {
    static let head = "head"
    static let packs = "packs"
    static let backups = "backups"
    /// The keyrings of the databases; there only if one has a keyring.
    static let keyrings = "keyrings"
    /// What is being written; empty between two runs.
    static let temporary = "tmp"
    /// What was found to be newer than the head: nothing in it is used.
    static let aside = "aside"
    /// Who uses the repository from where no lock of the system reaches.
    static let leases = "leases"
    /// Held by who changes the repository.
    static let writerLock = "lock"
    /// Held, together with others, by who reads; alone, by who removes.
    static let readerLock = "lock.readers"

    static func digits(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// Nil for anything but what ``digits(_:)`` writes.
    static func number(_ text: some StringProtocol) -> UInt32? {
        guard let number = UInt32(text), digits(number) == text else { return nil }
        return number
    }

    /// The name of a file that has a number, and is what its hash says.
    static func name(_ number: UInt32, _ digest: ContentDigest, suffix: String) -> String {
        digits(number) + "-" + digest.hexadecimal + suffix
    }

    /// The number with which such a name begins; nil for one that begins otherwise.
    static func leadingNumber(_ name: UnsafeRawBufferPointer) -> UInt32? {
        var number: UInt32 = 0
        for (index, byte) in name.enumerated() {
            if byte == UInt8(ascii: "-") { return index >= 8 ? number : nil }
            let digit = byte &- UInt8(ascii: "0")
            let (tens, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(UInt32(digit))
            guard digit < 10, !overflowed, !overflows else { return nil }
            number = sum
        }
        return nil
    }

    /// Whether it is the name of a file that has a number: what `name` writes.
    static func isName(
        _ name: UnsafeRawBufferPointer, of number: UInt32, suffix: String
    ) -> Bool {
        let digitCount = number < 100_000_000 ? 8 : number < 1_000_000_000 ? 9 : 10
        let hashEnd = digitCount + 1 + 2 * ContentDigest.byteCount
        return name.count == hashEnd + suffix.utf8.count && name[digitCount] == UInt8(ascii: "-")
            && name[hashEnd...].elementsEqual(suffix.utf8)
            // As Hexadecimal.isLowercaseDigit, without a call for each digit of ten thousand names.
            && name[(digitCount + 1)..<hashEnd].allSatisfy {
                $0 &- UInt8(ascii: "0") < 10 || $0 &- UInt8(ascii: "a") < 6
            }
    }

    /// The number and the hash in such a name; nil for anything but what `name` writes.
    static func parse(
        _ name: String, suffix: String
    ) -> (number: UInt32, digest: ContentDigest)? {
        let number = Array(name.utf8).withUnsafeBytes { bytes in
            leadingNumber(bytes).flatMap { isName(bytes, of: $0, suffix: suffix) ? $0 : nil }
        }
        guard let number,
            let digest = ContentDigest(
                hexadecimal: name.dropLast(suffix.utf8.count).suffix(2 * ContentDigest.byteCount))
        else { return nil }
        return (number, digest)
    }

    /// A new name in the temporary folder.
    static func temporaryName() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16)
    }

    /// The name of a pack that is written again.
    static func temporaryName(ofPack number: UInt32) -> String { "pack-\(number)" }

    /// Whether this format gives such names in the temporary folder: all else there is not ours.
    static func isTemporary(_ name: String) -> Bool {
        if name.hasPrefix("pack-") { return UInt32(name.dropFirst(5)) != nil }
        return (1...16).contains(name.utf8.count)
            && name.utf8.allSatisfy(Hexadecimal.isLowercaseDigit)
    }
}
