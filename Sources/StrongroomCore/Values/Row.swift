/// One row of a result: its columns, left to right, each with a name and a value.
///
/// A row is a value. It may be kept, put in an array or returned from a database access, and stays
/// what it was; a row that a cursor has just given, and that is not kept, costs no copy.
///
///     while let row = try rows.next() {
///         let name: String = row["name"]
///         let score: Int? = row["score"]
///     }
///
/// Text may convert differently in a row just given by a cursor, where SQLite's own conversions
/// apply, and in one that was kept, where they do not: ask for the type that the column stores.
public struct Row {
    @usableFromInline package var storage: RowStorage
    /// How an adapter presents the storage. nil where none does: such a row is a single reference,
    /// which costs half as much to pass on as two.
    @usableFromInline let adapted: RowLayout?

    /// The row that the storage holds.
    @usableFromInline
    package init(_ storage: RowStorage) {
        self.storage = storage
        adapted = nil
    }

    /// The row as an adapter presents it.
    package init(storage: RowStorage, layout: RowLayout) {
        self.storage = storage
        adapted = layout === storage.layout ? nil : layout
    }

    @usableFromInline package var layout: RowLayout { adapted ?? storage.layout }

    /// An empty row.
    ///
    ///     let row = Row(["name": "Arthur", "score": 1000])
    public init() {
        self.init(names: [], values: [])
    }

    /// Builds a row from names and values, in no particular order.
    public init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
        self.init(
            names: Array(dictionary.keys),
            values: ContiguousArray(dictionary.values.map { $0?.databaseValue ?? .null }))
    }

    /// Builds a row from names and values, in no particular order.
    ///
    /// - Returns: nil when a name is no string, or a value is of a type that no cell can hold.
    public init?(_ dictionary: [AnyHashable: Any]) {
        var names: [String] = []
        var values: ContiguousArray<DatabaseValue> = []
        for (key, value) in dictionary {
            guard let name = key as? String, let value = DatabaseValue(value: value) else {
                return nil
            }
            names.append(name)
            values.append(value)
        }
        self.init(names: names, values: values)
    }

    init(names: [String], values: ContiguousArray<DatabaseValue>) {
        self.init(.values(values, layout: RowLayout(names: names, sql: nil)))
    }

    /// The same row. There is nothing to copy: it remains for code that was written for GRDB.
    public func copy() -> Row { self }
}

extension Row: ExpressibleByDictionaryLiteral {
    /// Builds a row in the order of the literal; names may repeat.
    public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
        self.init(
            names: elements.map(\.0),
            values: ContiguousArray(elements.map { $0.1?.databaseValue ?? .null }))
    }
}

extension Row: RandomAccessCollection {
    public typealias Element = (String, DatabaseValue)

    /// The place of a column in a row.
    public struct Index: Strideable, Hashable, Sendable {
        let column: Int

        public func distance(to other: Index) -> Int { other.column - column }

        public func advanced(by n: Int) -> Index { Index(column: column + n) }
    }

    public var startIndex: Index { Index(column: 0) }

    public var endIndex: Index { Index(column: columnCount) }

    public subscript(position: Index) -> (String, DatabaseValue) {
        checkIndex(position.column)
        return (layout.names[position.column], databaseValue(at: position.column))
    }
}
