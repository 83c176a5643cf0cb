import StrongroomCore

extension Roster {
    /// The space keys that a device can open, those of earlier epochs included.
    package func keys(for identity: DeviceIdentity) throws -> SpaceKeys {
        var keys = SpaceKeys()
        if let (epoch, wrap) = wraps[identity.device],
            let key = try wrap.open(epoch: epoch, in: space, with: identity)
        {
            try insert(key, into: &keys)
        }
        for epoch in epochs {
            guard let index = epoch.recipients.firstIndex(of: identity.device),
                let key = try epoch.entry.wraps[index].open(
                    epoch: epoch.entry.epoch, in: space, with: identity)
            else { continue }
            try insert(key, into: &keys)
        }
        for epoch in epochs.reversed() {
            guard let key = keys[epoch.entry.epoch], keys[epoch.entry.epoch - 1] == nil,
                let sealed = epoch.entry.sealedPrevious,
                let previous = try key.openPrevious(sealed)
            else { continue }
            try insert(previous, into: &keys)
        }
        return keys
    }

    /// A key counts if it is the one that the epoch's entry shows to all.
    private func insert(_ key: SpaceKey, into keys: inout SpaceKeys) throws {
        guard let epoch = epochs.first(where: { $0.entry.epoch == key.epoch }),
            try key.check() == epoch.entry.check
        else { return }
        keys.insert(key)
    }

    /// What the tables merge by; nil if it was never said.
    package func tables(_ keys: SpaceKeys) throws -> [UInt8]? {
        try statements[.tables]?.open(.tables, with: keys)
    }

    /// Where the hub is; nil if it was never said.
    package func hub(_ keys: SpaceKeys) throws -> String? {
        guard let bytes = try statements[.hub]?.open(.hub, with: keys) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name of a device; nil if this device cannot read it.
    package func name(of device: DeviceID, _ keys: SpaceKeys) throws -> String? {
        guard let name = devices[device]?.sealedName, let key = keys[name.epoch],
            let bytes = try SealedBox.open(
                name.bytes, key: key.key(for: "name \(device.hexadecimal)"))
        else { return nil }
        let content = try SyncPadding.unpad(bytes.withUnsafeBytes { Array($0) })
        return String(validating: content, as: UTF8.self)
    }

    /// A name of up to 200 bytes.
    static func seal(name: String, of device: DeviceID, _ key: SpaceKey) throws -> [UInt8] {
        let bytes = Array(name.utf8)
        guard bytes.count <= 200 else { throw Refusal.tooLarge }
        return try SyncPadding.padme.pad(bytes).withUnsafeBytes {
            try SealedBox.seal($0, key: key.key(for: "name \(device.hexadecimal)"))
        }
    }
}
