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

        init(_ key: PageKey, forManyPages: Bool) throws(DatabaseError) {
            codec = try PageCodec(key, forManyPages: forManyPages)
        }
    }

    private let slots: [Slot]

    init(_ keys: [PageKey], forManyPages: Bool = false) throws(DatabaseError) {
        var slots: [Slot] = []
        for key in keys { slots.append(try Slot(key, forManyPages: forManyPages)) }
        self.slots = slots
    }

    func verdict(
        on page: UnsafeRawBufferPointer, number: UInt32
    ) throws(DatabaseError) -> Verdict {
        let page = NumberedPage(UnsafeMutableRawBufferPointer(mutating: page), number: number)
        return try verdicts(on: [page])[0]
    }

    func verdicts(on pages: [NumberedPage]) throws(DatabaseError) -> [Verdict] {
        var verdicts = [Verdict](repeating: .damaged, count: pages.count)
        for (key, slot) in slots.enumerated() {
            let open = pages.indices.filter { verdicts[$0] == .damaged }
            guard !open.isEmpty else { break }
            let found = try slot.codec.verdicts(on: open.map { pages[$0] })
            for (index, verdict) in zip(open, found) {
                verdicts[index] = Self.verdict(verdict, key: key)
            }
        }
        return verdicts
    }

    private static func verdict(_ verdict: PageVerdict, key: Int) -> Verdict {
        switch verdict {
        case .authentic, .unprotected: .written(key: key)
        case .blank: .blank
        case .lockBytes: .unused
        case .damaged: .damaged
        }
    }

    func decrypt(
        _ page: UnsafeMutableRawBufferPointer, number: UInt32, key: Int
    ) throws(DatabaseError) {
        try slots[key].codec.decrypt(page, number: number)
    }
}
