/// How many guesses a passphrase withstands, estimated from how it is put together.
///
/// It is cut into pieces, and each counts for as many bits as its kind has choices: a word for 13 (one
/// of 8,000, and once more for every six letters), a year for 7, a run such as `aaaa`, `1234` or `qwerty`
/// for 5, a digit for 3.3, any other letter for 4.7, a sign for 5. Whoever knows how a passphrase was
/// chosen may need fewer guesses; the estimate is for refusing what is weak in any case.
struct PassphraseEstimate {
    /// A passphrase of less is refused: at ``guessesPerSecond`` it lasts 18 years on average.
    static let wantedBits = 50.0
    /// With SQLCipher 4's 256,000 rounds, that takes hundreds of graphics cards.
    static let guessesPerSecond = 1_000_000.0

    private(set) var bits = 0.0
    private var counts: [Kind: Int] = [:]
    private var hasSeparator = false

    private enum Kind: String, CaseIterable {
        case word, year, run, letter, digit, sign
    }

    /// Nothing of the text is kept or copied.
    init(_ text: UnsafeRawBufferPointer) {
        var position = 0
        while position < text.count {
            let piece = Self.piece(of: text, from: position)
            add(UnsafeRawBufferPointer(rebasing: text[position..<piece]))
            position = piece
        }
    }

    var isWeak: Bool { bits < Self.wantedBits }

    /// `about 20 bits (1 word, 2 digits), found in a second at a million guesses a second`.
    var explanation: String {
        let parts = Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind.rawValue)\($0 == 1 ? "" : "s")" }
        }
        return "about \(Int(bits.rounded())) bits (\(parts.joined(separator: ", "))), "
            + "found in \(duration) at a million guesses a second"
    }

    private var duration: String {
        var power = 1.0
        for _ in 0..<max(0, Int(bits.rounded()) - 1) { power *= 2 }
        let seconds = power / Self.guessesPerSecond
        return switch seconds {
        case ..<1: "less than a second"
        case ..<31_557_600: Age(seconds: seconds).text
        default: "\(Int(seconds / 31_557_600)) years"
        }
    }
}

// MARK: - Pieces

extension PassphraseEstimate {
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl",
        "zxcvbnm", "yxcvbnm", "01234567890",
    ].map { Array($0.utf8) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The end of the letters or the digits that begin at a position, or of one other character.
    private static func piece(of text: UnsafeRawBufferPointer, from start: Int) -> Int {
        let first = text[start]
        let isPart = isLetter(first) ? isLetter : isDigit(first) ? isDigit : { $0 & 0xC0 == 0x80 }
        var end = start + 1
        while end < text.count, isPart(text[end]) { end += 1 }
        return end
    }

    private mutating func add(_ piece: UnsafeRawBufferPointer) {
        let isText = Self.isLetter(piece[0])
        if piece.count >= 3, Self.isRun(piece) {
            count(.run, bits: 5)
        } else if isText, Self.isWord(piece) {
            count(.word, bits: min(4.7 * Double(piece.count), 13 * max(1, Double(piece.count) / 6)))
        } else if isText {
            count(.letter, bits: 4.7 * Double(piece.count), times: piece.count)
        } else if Self.isYear(piece) {
            count(.year, bits: 7)
        } else if Self.isDigit(piece[0]) {
            count(.digit, bits: 3.3 * Double(piece.count), times: piece.count)
        } else {
            addSign(piece[0])
        }
    }

    /// A space between words is no choice.
    private mutating func addSign(_ byte: UInt8) {
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") {
            bits += hasSeparator ? 0 : 1
            hasSeparator = true
        } else {
            count(.sign, bits: 5)
        }
    }

    private mutating func count(_ kind: Kind, bits more: Double, times: Int = 1) {
        bits += more
        counts[kind, default: 0] += times
    }

    /// One character again and again, or neighbours in the alphabet or on a keyboard, in either direction.
    private static func isRun(_ piece: UnsafeRawBufferPointer) -> Bool {
        if piece.allSatisfy({ $0 == piece[0] }) { return true }
        return rows.contains { row in
            isPart(piece, of: row) || isPart(piece, of: row.reversed())
        }
    }

    private static func isPart(_ piece: UnsafeRawBufferPointer, of row: [UInt8]) -> Bool {
        guard piece.count <= row.count else { return false }
        return (0...(row.count - piece.count)).contains { start in
            piece.indices.allSatisfy { piece[$0] | 0x20 == row[start + $0] | 0x20 }
        }
    }

    private static func isYear(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count == 4, piece.allSatisfy(isDigit) else { return false }
        let century = (piece[0], piece[1])
        return century == (UInt8(ascii: "1"), UInt8(ascii: "9"))
            || century == (UInt8(ascii: "2"), UInt8(ascii: "0"))
    }

    /// What can be spoken: vowels in it, and never five consonants in a row.
    private static func isWord(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count >= 3 else { return false }
        var (consonants, vowels, longest) = (0, 0, 0)
        for byte in piece {
            if Array("aeiouy".utf8).contains(byte | 0x20) {
                vowels += 1
                consonants = 0
            } else {
                consonants += 1
                longest = max(longest, consonants)
            }
        }
        return longest < 5 && vowels * 5 >= piece.count
    }
}
