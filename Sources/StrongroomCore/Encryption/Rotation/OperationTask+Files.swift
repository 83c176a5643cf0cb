// Long work on files and open databases, for callers that await it. The names differ from those of the
// methods that block: an overload would turn their calls in async functions into errors.

extension DatabaseQueue {
    /// Starts ``rotateKey(to:from:progress:)`` on a separate thread.
    ///
    ///     try await dbQueue.startRotation(to: newKey).value
    public func startRotation(
        to newKey: CipherKey, from current: CipherKey? = nil
    ) -> OperationTask<RotationReport> {
        OperationTask { try self.rotateKey(to: newKey, from: current, progress: $0) }
    }

    /// Starts ``rotateKey(in:progress:)`` on a separate thread.
    ///
    ///     try await dbQueue.startRotation(in: store).value
    public func startRotation(in store: KeyStore) -> OperationTask<RotationReport> {
        OperationTask { try self.rotateKey(in: store, progress: $0) }
    }
}

extension DatabasePool {
    /// Starts ``rotateKey(to:from:progress:)`` on a separate thread.
    ///
    ///     try await dbPool.startRotation(to: newKey).value
    public func startRotation(
        to newKey: CipherKey, from current: CipherKey? = nil
    ) -> OperationTask<RotationReport> {
        OperationTask { try self.rotateKey(to: newKey, from: current, progress: $0) }
    }

    /// Starts ``rotateKey(in:progress:)`` on a separate thread.
    ///
    ///     try await dbPool.startRotation(in: store).value
    public func startRotation(in store: KeyStore) -> OperationTask<RotationReport> {
        OperationTask { try self.rotateKey(in: store, progress: $0) }
    }
}

extension DatabaseFile {
    /// Starts ``rotateKey(to:changing:threads:progress:)`` on a separate thread.
    ///
    ///     try await DatabaseFile(path: "app.db", key: key).startRotation(to: newKey).value
    public func startRotation(
        to newKey: CipherKey, changing change: CipherChange? = nil, threads: Int? = nil
    ) -> OperationTask<RotationReport> {
        OperationTask {
            try self.rotateKey(to: newKey, changing: change, threads: threads, progress: $0)
        }
    }

    /// Starts ``transfer(to:overwrite:progress:)`` on a separate thread.
    ///
    ///     try await plain.startTransfer(to: encrypted).value
    public func startTransfer(
        to destination: DatabaseFile, overwrite: Bool = false
    ) -> OperationTask<TransferReport> {
        OperationTask { try self.transfer(to: destination, overwrite: overwrite, progress: $0) }
    }
}
