/// The part of an older pack that one backup reads again: one of 64 runs of 64 entries.
///
/// Each backup has the next turn, so that 128 backups in a row have read everything. In every round of
/// 64 the turns are shifted by three: databases that take turns in one repository would otherwise always
/// meet the same runs.
struct PackTurn: Sendable {
    static let count: UInt32 = 64
    private static let runLength = 64

    private let number: UInt32

    init(of backup: UInt32) {
        let round = backup / Self.count % Self.count
        number = (backup + (Self.count - 3) * round) % Self.count
    }

    func includes(_ slot: Int, of pack: UInt32) -> Bool {
        UInt32((slot / Self.runLength + Int(pack)) % Int(Self.count)) == number
    }
}
