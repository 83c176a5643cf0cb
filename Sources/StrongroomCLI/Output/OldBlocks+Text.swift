import StrongroomCore

extension OldBlocks {
    /// What is said of the blocks of a file that is gone.
    var text: String {
        switch self {
        case .overwritten: "its blocks are overwritten; flash memory and snapshots may keep copies"
        case .left(let system):
            "its blocks are left: \(system) writes new data elsewhere, and overwriting is useless here"
        case .failed(let reason): "its blocks could not be overwritten: \(reason)"
        }
    }

    /// The same in a word, for JSON.
    var name: String {
        switch self {
        case .overwritten: "overwritten"
        case .left: "left"
        case .failed: "failed"
        }
    }
}
