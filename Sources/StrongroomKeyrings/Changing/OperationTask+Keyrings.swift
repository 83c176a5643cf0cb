public import StrongroomCore

extension DatabaseQueue {
    /// Starts ``rotateKey(unlockingWith:droppingSealed:progress:)`` on a separate thread.
    ///
    ///     try await dbQueue.startRotation(unlockingWith: .passphrase(passphrase)).value
    public func startRotation(
        unlockingWith unlocker: Unlocker, droppingSealed dropsSealed: Bool = false
    ) -> OperationTask<Keyring> {
        OperationTask {
            try self.rotateKey(
                unlockingWith: unlocker, droppingSealed: dropsSealed, progress: $0)
        }
    }
}

extension DatabasePool {
    /// Starts ``rotateKey(unlockingWith:droppingSealed:progress:)`` on a separate thread.
    ///
    ///     try await dbPool.startRotation(unlockingWith: .passphrase(passphrase)).value
    public func startRotation(
        unlockingWith unlocker: Unlocker, droppingSealed dropsSealed: Bool = false
    ) -> OperationTask<Keyring> {
        OperationTask {
            try self.rotateKey(
                unlockingWith: unlocker, droppingSealed: dropsSealed, progress: $0)
        }
    }
}
