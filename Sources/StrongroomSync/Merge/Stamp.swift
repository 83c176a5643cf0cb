/// When a cell was written, as far as the merge asks: 48 bits of milliseconds since 1970, and 16 bits that
/// count.
package struct Stamp: Sendable, Hashable, Comparable {
    package var bits: UInt64

    package init(bits: UInt64) {
        self.bits = bits
    }

    /// - Parameter milliseconds: Since 1970; what lies before counts as 1970, what lies after
    ///   ``latestOfClocks`` as that.
    package init(milliseconds: Int64) {
        bits = UInt64(clamping: min(milliseconds, Self.latestOfClocks)) << 16
    }

    package var milliseconds: Int64 { Int64(bits >> 16) }

    /// The next greater one.
    package var next: Stamp { Stamp(bits: bits + 1) }

    /// 2200-01-01 in UTC. A change with this stamp or a later one is invalid.
    package static let limit = Stamp(bits: 7_258_118_400_000 << 16)

    /// A day before ``limit``: room to count on for a device whose clock is beyond.
    private static let latestOfClocks: Int64 = 7_258_118_400_000 - 86_400_000

    package static func < (lhs: Stamp, rhs: Stamp) -> Bool { lhs.bits < rhs.bits }
}

/// One count of batches: a device begins another one whenever it may be a copy of itself.
///
/// The 16 bytes are random; they are compared byte by byte.
package struct Run: Sendable, Hashable, Comparable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (lhs: Run, rhs: Run) -> Bool {
        lhs.high == rhs.high ? lhs.low < rhs.low : lhs.high < rhs.high
    }
}

/// Who wrote something, and when: what decides between two edits of one cell.
package struct Author: Sendable, Hashable, Comparable {
    package var stamp: Stamp
    package var run: Run

    package init(_ stamp: Stamp, _ run: Run) {
        self.stamp = stamp
        self.run = run
    }

    package static func < (lhs: Author, rhs: Author) -> Bool {
        lhs.stamp == rhs.stamp ? lhs.run < rhs.run : lhs.stamp < rhs.stamp
    }
}

/// Gives the stamps of one device. It has no clock of its own.
///
/// 1. Its stamps only grow, whatever the clock does.
/// 2. Nothing that other devices write moves it.
package struct StampClock: Sendable, Equatable {
    /// The last stamp given; what has to be kept with the database.
    package private(set) var last: Stamp

    package init(last: Stamp = Stamp(bits: 0)) {
        self.last = last
    }

    /// The stamp of a note.
    ///
    /// - Parameters:
    ///   - noted: The device's clock when the note was taken, in milliseconds since 1970.
    ///   - now: The device's clock now. A note is never later.
    ///   - offset: The hub's clock minus the device's, in milliseconds; nil while it is unknown.
    package mutating func stamp(noted: Int64, now: Int64, offset: Int64?) -> Stamp {
        let time = min(noted, now).addingReportingOverflow(offset ?? 0)
        let corrected = Stamp(milliseconds: time.overflow ? now : time.partialValue)
        last = max(last.next, corrected)
        return last
    }
}
