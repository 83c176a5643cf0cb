/// The columns of a record's properties in the rows of a layout, in their order; -1 where there is none.
///
/// Every row that becomes a record asks for them, so that they are read without counting references.
@usableFromInline
final class PropertyColumns: @unchecked Sendable {
    @usableFromInline typealias Pointer = UnsafePointer<Int>

    /// Never written again, and freed with this object.
    let first: Pointer

    init(_ columns: [Int]) {
        let copies = UnsafeMutablePointer<Int>.allocate(capacity: columns.count)
        copies.initialize(from: columns, count: columns.count)
        first = Pointer(copies)
    }

    deinit { first.deallocate() }
}

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
