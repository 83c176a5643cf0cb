import StrongroomTablesRuntime

/// A table, and below it what `@Table` generates for it, written by hand.
struct Item: Identifiable, Hashable {
    let id: Int
    var title = ""
    var isDone = false
    var stars: Int?
    var level: Level?
    var folderID: Folder.ID
}

enum Level: Int, QueryBindable { case low = 1, medium, high }

nonisolated extension Item: StrongroomTablesRuntime.PrimaryKeyedTable {
    typealias PrimaryKey = Swift.Int
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Item.self, name: "items")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("id", Swift.Int.self, .primaryKey)
        columns.add("title", Swift.String.self, .hasDefault)
        columns.add("isDone", Swift.Bool.self, .hasDefault)
        columns.add("stars", Swift.Int?.self)
        columns.add("level", Level?.self)
        columns.add("folderID", Folder.ID.self)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        self.id = try decoder.decode(Swift.Int.self)
        self.title = try decoder.decode(Swift.String.self)
        self.isDone = try decoder.decode(Swift.Bool.self)
        self.stars = try decoder.decode(Swift.Int?.self)
        self.level = try decoder.decode(Level?.self)
        self.folderID = try decoder.decode(Folder.ID.self)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(self.id, as: Swift.Int.self)
        row.add(self.title, as: Swift.String.self)
        row.add(self.isDone, as: Swift.Bool.self)
        row.add(self.stars, as: Swift.Int?.self)
        row.add(self.level, as: Level?.self)
        row.add(self.folderID, as: Folder.ID.self)
    }

    struct TableColumns: StrongroomTablesRuntime.PrimaryKeyedColumns {
        typealias QueryValue = Item
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var id: Swift.Int.ColumnTerm { .init(_table, "id") }
        var title: Swift.String.ColumnTerm { .init(_table, "title") }
        var isDone: Swift.Bool.ColumnTerm { .init(_table, "isDone") }
        var stars: Swift.Int?.ColumnTerm { .init(_table, "stars") }
        var level: Level?.ColumnTerm { .init(_table, "level") }
        var folderID: Folder.ID.ColumnTerm { .init(_table, "folderID") }
        var primaryKey: Swift.Int.ColumnTerm { id }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Item?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var id: Swift.Int.OptionalColumnTerm { .init(_table, "id") }
        var title: Swift.String.OptionalColumnTerm { .init(_table, "title") }
        var isDone: Swift.Bool.OptionalColumnTerm { .init(_table, "isDone") }
        var stars: Swift.Int?.OptionalColumnTerm { .init(_table, "stars") }
        var level: Level?.OptionalColumnTerm { .init(_table, "level") }
        var folderID: Folder.ID.OptionalColumnTerm { .init(_table, "folderID") }
        var primaryKey: Swift.Int.OptionalColumnTerm { id }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Item
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        init(
            id: some StrongroomTablesRuntime.QueryExpression<Swift.Int>,
            title: some StrongroomTablesRuntime.QueryExpression<Swift.String> = "",
            isDone: some StrongroomTablesRuntime.QueryExpression<Swift.Bool> = false,
            stars: some StrongroomTablesRuntime.QueryTerm<Swift.Int?.Unwrapped> = Swift.Int?.none,
            level: some StrongroomTablesRuntime.QueryTerm<Level?.Unwrapped> = Level?.none,
            folderID: some StrongroomTablesRuntime.QueryExpression<Folder.ID>
        ) {
            self._resultColumns = Item._name([id, title, isDone, stars, level, folderID])
        }
    }

    struct Draft: StrongroomTablesRuntime.TableDraft {
        typealias DraftedTable = Item
        typealias TableColumns = Item.TableColumns
        typealias OuterColumns = Item.OuterColumns
        var id: Swift.Int?
        var title = ""
        var isDone = false
        var stars: Int?
        var level: Level?
        var folderID: Folder.ID

        func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
            row.addUnlessNil(self.id, as: Swift.Int.self)
            row.add(self.title, as: Swift.String.self)
            row.add(self.isDone, as: Swift.Bool.self)
            row.add(self.stars, as: Swift.Int?.self)
            row.add(self.level, as: Level?.self)
            row.add(self.folderID, as: Folder.ID.self)
        }

        static func _copy(_ row: Item) -> Self {
            Self(
                id: row.id,
                title: row.title,
                isDone: row.isDone,
                stars: row.stars,
                level: row.level,
                folderID: row.folderID)
        }
    }
}
