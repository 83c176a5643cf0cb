extension Row {
    /// The columns of a record's properties, once they were looked up. The row's layout keeps them.
    @usableFromInline
    func propertyColumns(of record: ObjectIdentifier) -> PropertyColumns.Pointer? {
        layout.propertyColumns.known(of: record) { $0.first }
    }

    /// Looks up the columns of a record's properties.
    @usableFromInline
    func findPropertyColumns(
        of record: any FetchableRecord.Type, properties: [String]
    ) -> PropertyColumns.Pointer {
        layout.propertyColumns.derivation(of: ObjectIdentifier(record)) {
            let decoder = RecordDecoder(row: self, record: record)
            return PropertyColumns(
                properties.map { decoder.index(of: JSONKey(stringValue: $0)) ?? -1 })
        }.value.first
    }
}
