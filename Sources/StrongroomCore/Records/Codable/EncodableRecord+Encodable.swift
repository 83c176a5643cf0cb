extension EncodableRecord where Self: Encodable {
    /// Gives each coding key's column the value of its property.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to container: inout PersistenceContainer) throws {
        try encodeCodingKeys(to: &container)
    }

    /// The same under a name that no default of another module hides.
    package func encodeCodingKeys(to container: inout PersistenceContainer) throws {
        let encoder = RecordEncoder(record: Self.self)
        // Values that two held would be copied with the first change.
        swap(&encoder.container, &container)
        defer { swap(&encoder.container, &container) }
        try encode(to: encoder)
        try encoder.encodeNestedContainers()
    }
}
