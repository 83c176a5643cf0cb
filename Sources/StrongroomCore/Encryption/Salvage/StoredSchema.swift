/// The definitions of a database, as far as they could be read.
struct StoredSchema {
    struct Item: Equatable {
        enum Kind: String {
            case table, index, view, trigger
        }

        let kind: Kind
        let name: String
        let tableName: String
        /// Where its tree begins; 0 for what has none.
        let root: UInt32
        let sql: String?
    }

    private(set) var items: [Item] = []
    /// How texts are stored: 1 for UTF-8, 2 and 3 for UTF-16.
    let encoding: Int

    init(encoding: Int) {
        self.encoding = encoding
    }

    /// Tables that have rows of their own, in the order in which they are written.
    var tables: [Item] {
        let tables = items.filter { $0.kind == .table && $0.root > 0 }
        // The numbers of AUTOINCREMENT last: every insert changes them.
        return tables.filter { $0.name != "sqlite_sequence" }
            + tables.filter { $0.name == "sqlite_sequence" }
    }

    var indexes: [Item] { items.filter { $0.kind == .index && $0.root > 0 } }

    /// Views, triggers and virtual tables, which are entered as they are.
    var others: [Item] {
        items.filter {
            $0.kind == .view || $0.kind == .trigger || ($0.kind == .table && $0.root == 0)
        }
    }

    /// Adds a row of `sqlite_schema`, if it is one.
    mutating func add(_ record: StoredRecord) {
        guard let item = Self.item(record, encoding: encoding), !items.contains(item) else {
            return
        }
        items.append(item)
    }

    static func item(_ record: StoredRecord, encoding: Int) -> Item? {
        guard record.values.count == 5,
            let kind = text(record.values[0], encoding).flatMap(Item.Kind.init(rawValue:)),
            let name = text(record.values[1], encoding),
            let tableName = text(record.values[2], encoding)
        else { return nil }
        var root: UInt32 = 0
        if case .integer(let number) = record.values[3] { root = UInt32(exactly: number) ?? 0 }
        return Item(
            kind: kind, name: name, tableName: tableName, root: root,
            sql: text(record.values[4], encoding))
    }

    private static func text(_ value: StoredValue, _ encoding: Int) -> String? {
        guard case .text(let bytes) = value else { return nil }
        guard encoding > 1 else { return String(decoding: bytes, as: UTF8.self) }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { offset in
            let pair = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            return encoding == 2 ? pair.1 << 8 | pair.0 : pair.0 << 8 | pair.1
        }
        return String(decoding: units, as: UTF16.self)
    }
}
