/// The codecs of several keys, each of which may have written a page.
final class PageCodecs {
    enum Verdict: Equatable {
        /// The key of this number wrote it; without an HMAC, the first key is taken to have done so.
        case written(key: Int)
        case blank
        /// SQLite's lock bytes are there.
        case unused
        case damaged
    }

    private final class Slot {
        var codec: PageCodec

        init(_ key: PageKey) throws(DatabaseError) {
            codec = try PageCodec(key)
        }
    }

    private let slots: [Slot]

    init(_ keys: [PageKey]) throws(DatabaseError) {
        var slots: [Slot] = []
        for key in keys { slots.append(try Slot(key)) }
        self.slots = slots
    }

    func verdict(
        on page: UnsafeRawBufferPointer, number: UInt32
    ) throws(DatabaseError) -> Verdict {
        for (index, slot) in slots.enumerated() {
            switch try slot.codec.verdict(on: page, number: number) {
            case .authentic, .unprotected: return .written(key: index)
            case .blank: return .blank
            case .lockBytes: return .unused
            case .damaged: continue
            }
        }
        return .damaged
    }

    func decrypt(
        _ page: UnsafeMutableRawBufferPointer, number: UInt32, key: Int
    ) throws(DatabaseError) {
        try slots[key].codec.decrypt(page, number: number)
    }
}
