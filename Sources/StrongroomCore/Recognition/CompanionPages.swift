extension CompanionCheck {
    /// What only grows from commit to commit: <https://www.sqlite.org/fileformat2.html#the_database_header>
    struct Age {
        /// The number that SQLite raises at each change of the schema, also by `VACUUM` and a backup.
        let schema: UInt32
        /// How many pages the database has; 0 if that is not written down. Only a transaction that
        /// writes all of them, as `VACUUM` does, makes them fewer.
        let pageCount: UInt32
        /// Whether the database gives free pages back in any transaction (`auto_vacuum`).
        let shrinks: Bool
    }

    /// What a key says of pages, wherever they lie.
    final class Pages {
        private let key: PageKey
        private var codec: PageCodec

        init(_ key: PageKey) throws(DatabaseError) {
            self.key = key
            codec = try PageCodec(key, forManyPages: true)
        }

        var pageSize: Int { key.settings.pageSize }
        var hasSaltInFile: Bool { key.settings.hasSaltInFile }

        /// Whether a first page was written with the key.
        func prove(_ page: [UInt8]) throws -> Bool { try decrypted(page) != nil }

        /// How old the state is that a first page belongs to; nil if the key did not write it.
        func age(of page: [UInt8]) throws -> Age? {
            try decrypted(page).map { page in
                let isSizeKnown = page.number32(at: 24) == page.number32(at: 92)
                return Age(
                    schema: page.number32(at: 40),
                    pageCount: isSizeKnown ? page.number32(at: 28) : 0,
                    shrinks: page.number32(at: 52) != 0)
            }
        }

        /// SQLite adds 1 to it at a commit; under SQLCipher, to bytes of ciphertext (`LogOwner`).
        func changeCounter(in page: [UInt8]) throws -> UInt32? {
            try decrypted(page)?.number32(at: 24)
        }

        /// A first page in plaintext; nil if it was not written with the key.
        private func decrypted(_ page: [UInt8]) throws -> [UInt8]? {
            guard page.count == pageSize else { return nil }
            var page = page
            let isRight = try page.withUnsafeMutableBytes { bytes in
                switch try codec.verdict(on: UnsafeRawBufferPointer(bytes), number: 1) {
                case .authentic, .unprotected: break
                case .blank, .lockBytes, .damaged: return false
                }
                try codec.decrypt(bytes, number: 1)
                return DatabaseHeader(UnsafeRawBufferPointer(bytes)) != nil
            }
            return isRight ? page : nil
        }

        /// How many of the pages were written with the key. A blank page vouches for nothing, and is
        /// no sign of another key.
        func authenticCount(
            of places: [(number: UInt32, offset: Int64)], in batchCount: Int,
            _ read: (UnsafeMutableRawBufferPointer, Int64) throws -> Int
        ) throws -> Int {
            var memory = [UInt8](repeating: 0, count: batchCount * (pageSize + 64))
            var count = 0
            for start in stride(from: 0, to: places.count, by: batchCount) {
                let batch = places[start..<min(start + batchCount, places.count)]
                count += try memory.withUnsafeMutableBytes { buffer in
                    let pages = try pages(at: batch, buffer, read)
                    return try codec.verdicts(on: pages).count { $0 != .damaged }
                }
            }
            return count
        }

        /// Pages that lie next to each other, but for the headers of frames, are read at once.
        private func pages(
            at places: ArraySlice<(number: UInt32, offset: Int64)>,
            _ buffer: UnsafeMutableRawBufferPointer,
            _ read: (UnsafeMutableRawBufferPointer, Int64) throws -> Int
        ) throws -> [NumberedPage] {
            let first = places.lazy.map(\.offset).min() ?? 0
            let end = (places.lazy.map(\.offset).max() ?? 0) + Int64(pageSize)
            if end - first <= Int64(buffer.count) {
                let all = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(end - first)])
                guard try read(all, first) == all.count else { return [] }
                return places.map { place in
                    let offset = Int(place.offset - first)
                    return NumberedPage(
                        UnsafeMutableRawBufferPointer(
                            rebasing: all[offset..<(offset + pageSize)]), number: place.number)
                }
            }
            var pages: [NumberedPage] = []
            for (index, place) in places.enumerated() {
                let page = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[(index * pageSize)..<((index + 1) * pageSize)])
                guard try read(page, place.offset) == pageSize else { continue }
                pages.append(NumberedPage(page, number: place.number))
            }
            return pages
        }
    }
}
