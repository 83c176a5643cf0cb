/// Files that begin as no encrypted database does: pictures, films, archives, documents.
///
/// An encrypted database begins with a salt, 16 random bytes. Each of these forms is so long that a
/// salt has it by chance for less than one database in a thousand million; a file in a folder that has one is
/// skipped without trying a key, so that ten thousand photos take no time.
package enum KnownFormat: String, CaseIterable, Sendable {
    case jpeg = "JPEG pictures"
    case png = "PNG pictures"
    case gif = "GIF pictures"
    case tiff = "TIFF pictures"
    case riff = "RIFF files (WebP, WAV, AVI)"
    case isoMedia = "films or pictures of the MP4 family"
    case matroska = "Matroska films"
    case audio = "sound files"
    case zip = "ZIP archives or office documents"
    case pdf = "PDF documents"
    case compressed = "compressed files"
    case program = "programs"
    case tar = "tar archives"

    /// How many bytes have to be known: those of tar are far behind the beginning.
    package static let byteCount = 264

    /// Nil if the file may be anything.
    ///
    /// - Parameters:
    ///   - start: The first ``byteCount`` bytes, or all that there are.
    ///   - byte: Reads a byte at some place; nil behind the end.
    package init?(
        _ start: [UInt8], byteCount: Int64, byte: (Int64) throws -> UInt8?
    ) rethrows {
        let file = Start(bytes: start, byteCount: byteCount)
        let isJPEG =
            try file.isNamedJPEG || file.jpegSegmentEnd.map { try byte($0) == 0xff } ?? false
        let tests: [(KnownFormat, Bool)] = [
            (.jpeg, isJPEG), (.png, file.isPNG), (.gif, file.isGIF), (.tiff, file.isTIFF),
            (.riff, file.isRIFF), (.isoMedia, file.isISOMedia),
            (.matroska, file.has([0x1a, 0x45, 0xdf, 0xa3])), (.audio, file.isAudio),
            (.zip, file.isZIP), (.pdf, file.has("%PDF-1.") || file.has("%PDF-2.")),
            (.compressed, file.isCompressed),
            (.program, file.has([0x7f, 0x45, 0x4c, 0x46]) && file[4] <= 2 && file[5] <= 2),
            (.tar, file.has("ustar\0", at: 257) || file.has("ustar ", at: 257)),
        ]
        guard let known = tests.first(where: { $0.1 }) else { return nil }
        self = known.0
    }
}

/// The first bytes of a file.
private struct Start {
    let bytes: [UInt8]
    let byteCount: Int64

    subscript(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
        bytes.dropFirst(offset).starts(with: magic)
    }

    func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }

    /// Where the first segment of a JPEG ends, and another begins with `FF`.
    var jpegSegmentEnd: Int64? {
        let marker = self[3]
        let isSegment =
            (0xe0...0xef).contains(marker) || [0xdb, 0xfe, 0xc0, 0xc4].contains(marker)
        let length = Int64(self[4]) << 8 | Int64(self[5])
        return has([0xff, 0xd8, 0xff]) && isSegment && length >= 2 ? 4 + length : nil
    }

    /// The first segment has the name of its kind in it.
    var isNamedJPEG: Bool {
        has([0xff, 0xd8, 0xff]) && (has("JFIF\0", at: 6) || has("Exif\0", at: 6))
    }

    var isPNG: Bool { has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) }
    var isGIF: Bool { has("GIF87a") || has("GIF89a") }
    var isTIFF: Bool { (has("II*\0") && self[7] == 0) || (has("MM\0*") && self[4] == 0) }

    /// The size that it names is its own.
    var isRIFF: Bool {
        let size = (4..<8).reversed().reduce(Int64(0)) { $0 << 8 | Int64(self[$1]) }
        return has("RIFF") && (byteCount - size - 8).magnitude <= 1
    }

    var isISOMedia: Bool { has([0, 0]) && has("ftyp", at: 4) }

    var isAudio: Bool {
        has("OggS\0") || has("fLaC\0") || has("ID3") && (2...4).contains(self[3]) && self[4] == 0
    }

    var isZIP: Bool { has([0x50, 0x4b, 3, 4]) && self[4] <= 63 && self[5] <= 3 }

    var isCompressed: Bool {
        let isGzip =
            has([0x1f, 0x8b, 8]) && self[3] < 32 && [0, 2, 4].contains(self[8])
            && (self[9] <= 13 || self[9] == 255)
        return isGzip || has([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])
            || has("BZh") && has([0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4)
            || has([0x28, 0xb5, 0x2f, 0xfd]) || has([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])
    }
}
