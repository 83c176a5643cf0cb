import StrongroomTablesRuntime

struct Folder: Identifiable, Hashable {
    let id: Int
    var title = ""
    var rank = 0
}

nonisolated extension Folder: StrongroomTablesRuntime.PrimaryKeyedTable {
    typealias PrimaryKey = Swift.Int
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Folder.self, name: "folders")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("id", Swift.Int.self, .primaryKey)
        columns.add("title", Swift.String.self, .hasDefault)
        columns.add("rank", Swift.Int.self, .hasDefault)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        self.id = try decoder.decode(Swift.Int.self)
        self.title = try decoder.decode(Swift.String.self)
        self.rank = try decoder.decode(Swift.Int.self)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(self.id, as: Swift.Int.self)
        row.add(self.title, as: Swift.String.self)
        row.add(self.rank, as: Swift.Int.self)
    }

    struct TableColumns: StrongroomTablesRuntime.PrimaryKeyedColumns {
        typealias QueryValue = Folder
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var id: Swift.Int.ColumnTerm { .init(_table, "id") }
        var title: Swift.String.ColumnTerm { .init(_table, "title") }
        var rank: Swift.Int.ColumnTerm { .init(_table, "rank") }
        var primaryKey: Swift.Int.ColumnTerm { id }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Folder?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var id: Swift.Int.OptionalColumnTerm { .init(_table, "id") }
        var title: Swift.String.OptionalColumnTerm { .init(_table, "title") }
        var rank: Swift.Int.OptionalColumnTerm { .init(_table, "rank") }
        var primaryKey: Swift.Int.OptionalColumnTerm { id }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Folder
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        init(
            id: some StrongroomTablesRuntime.QueryExpression<Swift.Int>,
            title: some StrongroomTablesRuntime.QueryExpression<Swift.String> = "",
            rank: some StrongroomTablesRuntime.QueryExpression<Swift.Int> = 0
        ) {
            self._resultColumns = Folder._name([id, title, rank])
        }
    }

    struct Draft: StrongroomTablesRuntime.TableDraft {
        typealias DraftedTable = Folder
        typealias TableColumns = Folder.TableColumns
        typealias OuterColumns = Folder.OuterColumns
        var id: Swift.Int?
        var title = ""
        var rank = 0

        func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
            row.addUnlessNil(self.id, as: Swift.Int.self)
            row.add(self.title, as: Swift.String.self)
            row.add(self.rank, as: Swift.Int.self)
        }

        static func _copy(_ row: Folder) -> Self {
            Self(
                id: row.id,
                title: row.title,
                rank: row.rank)
        }
    }
}
