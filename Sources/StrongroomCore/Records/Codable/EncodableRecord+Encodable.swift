extension EncodableRecord where Self: Encodable {
    /// Gives each coding key's column the value of its property.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to container: inout PersistenceContainer) throws {
        let encoder = RecordEncoder(record: Self.self)
        // Values that two held would be copied with the first change.
        swap(&encoder.container, &container)
        defer { swap(&encoder.container, &container) }
        try encode(to: encoder)
        try encoder.encodeNestedContainers()
    }
}
