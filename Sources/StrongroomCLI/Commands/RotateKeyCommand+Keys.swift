import StrongroomCore

extension RotateKeyCommand {
    /// The next key of a store.
    static func newKey(of store: KeyStore) throws -> NewKey {
        let require: @Sendable (CipherKey) throws -> Void = { try store.requireInForce($0) }
        if let pending = try store.inForce().pending {
            return NewKey(pending.key, requiring: require)
        }
        return NewKey(
            makingBy: { try store.makePendingKey(keepsFirstKey: true).key }, requiring: require)
    }

    /// The key that the databases have, and the one that they are to get.
    func keys(_ context: CommandContext, _ role: KeyReader.Role) throws -> (CipherKey, NewKey) {
        let reader = KeyReader(context: context)
        let key = try reader.key(from: keySources.current, for: role)
        if keepsKey { return (key, NewKey(key)) }
        guard let generatedKey else {
            let source = keySources.new ?? .terminal
            return (key, NewKey(try reader.key(from: source, for: .making(path: role.name))))
        }
        if KeyFileStatus.isThere(generatedKey) {
            let newKey = try reader.key(ofOwnFile: generatedKey)
            if !key.isSame(as: newKey) {
                context.note("the new key is the one in \(generatedKey), which already existed")
            }
            return (key, NewKey(newKey))
        }
        return (key, NewKey(creatingFile: generatedKey))
    }

    var sameKey: Failure {
        guard let generatedKey else {
            return Failure(.sameKey, paths[0], "the new key equals the current key")
        }
        return Failure(
            .failed, "\(generatedKey) already exists, and holds the current key",
            hint: "name a file that does not exist: the new key is written to it")
    }

    /// Keys the wrong way round look like a second run: the new key opens everything.
    func cautionIfNothingChanged(
        _ results: [RotationResult], in context: CommandContext
    ) throws {
        let isAllDone = results.filter(\.isDatabase).allSatisfy {
            if case .already = $0.outcome { true } else { false }
        }
        guard isAllDone, !keepsKey, !keyStore.isGiven else { return }
        if let generatedKey {
            // Keys are not the wrong way round where a new one is generated.
            return context.note(
                "nothing was changed: the key of \(generatedKey) already opens all; for another "
                    + "key, name a file that does not exist")
        }
        context.note(
            "nothing was changed: the new key already opens all; if the keys were given the wrong "
                + "way round, exchange them")
    }
}
