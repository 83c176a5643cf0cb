/// The part of an older pack that one backup reads again: one of 64 runs of 64 entries.
///
/// Each backup has the next turn, so that 64 backups in a row have read everything. The turn is shifted
/// by one in every round. Databases that take turns in one repository would otherwise always meet the
/// same runs.
struct PackTurn: Sendable {
    static let count: UInt32 = 64
    private static let runLength = 64

    private let number: UInt32

    init(of backup: UInt32) {
        number = (backup % Self.count + backup / Self.count) % Self.count
    }

    func includes(_ slot: Int, of pack: UInt32) -> Bool {
        UInt32((slot / Self.runLength + Int(pack)) % Int(Self.count)) == number
    }
}
