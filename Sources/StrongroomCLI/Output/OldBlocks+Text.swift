import StrongroomCore

extension OldBlocks {
    /// What is said of the blocks of a file that is gone.
    ///
    /// - Parameter owner: Whose blocks they are, such as "its".
    func text(of owner: String) -> String {
        switch self {
        case .overwritten:
            "\(owner) blocks are overwritten; flash memory and snapshots may keep copies"
        case .left(let system):
            "\(owner) blocks are left: \(system) writes new data elsewhere, and overwriting is "
                + "useless here"
        case .failed(let reason): "\(owner) blocks could not be overwritten: \(reason)"
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
