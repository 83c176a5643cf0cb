import StrongroomTables

/// A row of the table `stock`, as a record that gives its columns by hand.
struct StockItem: PersistableRecord {
    static let databaseTableName = "stock"

    var id: Int64
    var name: String
    var quantity: Int64
    var price: Double

    /// The row that every side inserts.
    init(_ id: Int64) {
        self.id = id
        name = stockName(id)
        quantity = id % 1000
        price = Double(id) / 4
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["quantity"] = quantity
        container["price"] = price
    }
}

/// The same as a record that Swift encodes and decodes.
struct CodableStockItem: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "stock"

    var id: Int64
    var name: String
    var quantity: Int64
    var price: Double

    init(_ item: StockItem) {
        id = item.id
        name = item.name
        quantity = item.quantity
        price = item.price
    }
}

/// The same as a record that the macro reads and writes.
@Record struct MacroStockItem: FetchableRecord, PersistableRecord {
    static let databaseTableName = "stock"

    var id: Int64
    var name: String
    var quantity: Int64
    var price: Double

    init(_ item: StockItem) {
        id = item.id
        name = item.name
        quantity = item.quantity
        price = item.price
    }
}

/// A row of the table `item` that Swift decodes.
struct CodableItem: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"

    var id: Int64
    var name: String
    var category: String
    var quantity: Int
    var price: Double
    var weight: Double?
    var updated: Int64
    var note: String?

    var item: Item {
        Item(
            id: id, name: name, category: category, quantity: quantity, price: price,
            weight: weight, updated: updated, note: note)
    }
}

/// A row of the table `item` that the macro reads.
@Record struct MacroItem: FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"

    var id: Int64
    var name: String
    var category: String
    var quantity: Int
    var price: Double
    var weight: Double?
    var updated: Int64
    var note: String?

    var item: Item {
        Item(
            id: id, name: name, category: category, quantity: quantity, price: price,
            weight: weight, updated: updated, note: note)
    }
}

/// A row of the table `item` that is read by position.
struct PositionedItem: FetchableRecord {
    let item: Item

    init(row: Row) { item = Item(positionsOf: row) }
}

/// A row of the table `item` that is read by column name.
struct NamedItem: FetchableRecord {
    let item: Item

    init(row: Row) { item = Item(namesOf: row) }
}
