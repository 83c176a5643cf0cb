extension Refusal {
    /// The reason in words.
    package var explanation: String {
        switch self {
        case .tooLarge: "it is larger than anything that devices write"
        case .malformed(let what): "it is damaged: \(what)"
        case .unknownVersion: "a later version of the program wrote it; update this device"
        case .otherSpace: "it belongs to another space"
        case .misplaced: "it is stored under a name that is not its own"
        case .badSignature: "its signature is wrong, so it was changed or forged"
        case .unknownDevice, .notYetMember: "the device that wrote it does not belong to the space"
        case .removed: "the device that wrote it was removed from the space"
        case .provisional: "a ticket wrote it, which may only bring a device into the space"
        case .rosterFuture: "the hub lacks a part of the list of devices that it was written with"
        case .rosterFork: "it was written with another list of devices than the one of this hub"
        case .rosterBackwards: "it was written with an older list of devices than the batch before"
        case .epochPending, .wrongEpoch: "it is encrypted with a key that no longer counts"
        case .noKey: "this device does not have the key for it"
        case .notDecrypted: "it cannot be decrypted, so it was changed or has another key"
        case .gap: "batches before it are missing in the hub"
        case .known: "it is merged already"
        case .numberReused: "another batch had its number"
        case .brokenChain: "it does not follow the batch before it"
        case .foreignRun: "it has the name of another device"
        case .impossible(let what): "no device writes this: \(what)"
        case .noRight: "the device that wrote it has no right to do so"
        case .wrongPosition: "it has another position than its name says"
        case .timeBackwards: "it is older than the entry before it"
        case .ticketUsed: "the ticket was used before"
        case .ticketLapsed: "the ticket has lapsed"
        case .missingPart: "a part of it is missing in the hub"
        case .wrongDigest: "its content is not what its author signed"
        }
    }
}
