/// The columns of a record's properties in the rows of a layout, in their order; -1 where there is none.
///
/// Every row that becomes a record asks for them, so that they are read without counting references.
// Safety: the numbers are written before anybody has the object, and freed with it.
@usableFromInline
final class PropertyColumns: @unchecked Sendable {
    @usableFromInline typealias Pointer = UnsafePointer<Int>

    let first: Pointer

    init(_ columns: [Int]) {
        let copies = UnsafeMutablePointer<Int>.allocate(capacity: columns.count)
        copies.initialize(from: columns, count: columns.count)
        first = Pointer(copies)
    }

    deinit { first.deallocate() }
}
