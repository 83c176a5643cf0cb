import Foundation

@testable import StrongroomCore

/// What tests do to files of their own, by path; the library works on descriptors.
extension FileSystem {
    func changeMode(_ path: String, _ mode: UInt32) throws {
        guard chmod(path, mode) == 0 else { throw POSIXError(.EPERM) }
    }

    func changeOwner(_ path: String, _ owner: UInt32, _ group: UInt32) throws {
        guard chown(path, owner, group) == 0 else { throw POSIXError(.EPERM) }
    }
}
