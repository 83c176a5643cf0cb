internal import StrongroomCore

/// What this device had merged on the last days: with it, what is older than a retention is known without the times of
/// batches.
struct VectorMarks: Sendable, Equatable {
    private static let day: Int64 = 86_400_000
    private(set) var marks: [(time: Int64, vector: Vector)] = []

    static func == (lhs: VectorMarks, rhs: VectorMarks) -> Bool {
        lhs.marks.elementsEqual(rhs.marks) { $0 == $1 }
    }

    init() {}

    init(_ db: Database) throws {
        guard let bytes = try StoreSetting.vectorMarks.bytes(db) else { return }
        do {
            var reader = ObjectReader(bytes)
            while reader.remainingCount > 0 {
                let time = Int64(bitPattern: try reader.fixed(UInt64.self))
                marks.append((time, try reader.vector()))
            }
        } catch {
            throw SyncError.damagedStore("the vectors of earlier days")
        }
    }

    func save(_ db: Database) throws {
        var bytes: [UInt8] = []
        for mark in marks {
            bytes.append(fixed: mark.time)
            bytes.append(mark.vector)
        }
        try StoreSetting.vectorMarks.set(db, bytes: bytes)
    }

    /// Adds what is merged now, if the last mark is a day old, and drops what nobody asks for any more.
    ///
    /// - Returns: Whether something changed.
    mutating func note(_ vector: Vector, at now: Int64, keptFor age: Int64) -> Bool {
        // A clock that was far ahead must not keep later marks out.
        marks.removeAll { $0.time > now + Self.day }
        guard marks.last.map({ now - $0.time >= Self.day }) ?? true else { return false }
        marks.append((now, vector))
        if let last = marks.lastIndex(where: { now - $0.time >= age }) {
            marks.removeFirst(last)
        }
        return true
    }

    /// The last vector that is as old.
    func vector(olderThan age: Int64, now: Int64) -> Vector? {
        marks.last { now - $0.time >= age }?.vector
    }
}

extension Vector {
    /// Goes back to what both have in every run.
    mutating func meet(_ other: Vector) {
        for (run, number) in numbers { self[run] = min(number, other[run]) }
    }
}
