import Foundation
import StrongroomTablesRuntime

nonisolated extension Place: StrongroomTablesRuntime.SelectionTable {
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Place.self, name: "places")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("shelf", Swift.String.self, .hasDefault)
        columns.add("box", Swift.Int.self, .hasDefault)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        self.shelf = try decoder.decode(Swift.String.self)
        self.box = try decoder.decode(Swift.Int.self)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(self.shelf, as: Swift.String.self)
        row.add(self.box, as: Swift.Int.self)
    }

    struct TableColumns: StrongroomTablesRuntime.TableColumnsProtocol {
        typealias QueryValue = Place
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var shelf: Swift.String.ColumnTerm { .init(_table, "shelf") }
        var box: Swift.Int.ColumnTerm { .init(_table, "box") }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Place?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var shelf: Swift.String.OptionalColumnTerm { .init(_table, "shelf") }
        var box: Swift.Int.OptionalColumnTerm { .init(_table, "box") }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Place
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        init(
            shelf: some StrongroomTablesRuntime.QueryExpression<Swift.String> = "A",
            box: some StrongroomTablesRuntime.QueryExpression<Swift.Int> = 1
        ) {
            self._resultColumns = Place._name([shelf, box])
        }
    }
}

nonisolated extension Rating: StrongroomTablesRuntime.SelectionTable {
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Rating.self, name: "ratings")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("stars", Swift.Int.self)
        columns.add("ratedAt", Date.UnixTimeRepresentation.self)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        self.stars = try decoder.decode(Swift.Int.self)
        self.ratedAt = try decoder.decode(Date.UnixTimeRepresentation.self)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(self.stars, as: Swift.Int.self)
        row.add(self.ratedAt, as: Date.UnixTimeRepresentation.self)
    }

    struct TableColumns: StrongroomTablesRuntime.TableColumnsProtocol {
        typealias QueryValue = Rating
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var stars: Swift.Int.ColumnTerm { .init(_table, "stars") }
        var ratedAt: Date.UnixTimeRepresentation.ColumnTerm { .init(_table, "ratedAt") }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Rating?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var stars: Swift.Int.OptionalColumnTerm { .init(_table, "stars") }
        var ratedAt: Date.UnixTimeRepresentation.OptionalColumnTerm {
            .init(_table, "ratedAt")
        }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Rating
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        init(
            stars: some StrongroomTablesRuntime.QueryExpression<Swift.Int>,
            ratedAt: some StrongroomTablesRuntime.QueryExpression<Date.UnixTimeRepresentation>
        ) {
            self._resultColumns = Rating._name([stars, ratedAt])
        }
    }
}

nonisolated extension Visit.ID: StrongroomTablesRuntime.SelectionTable {
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Visit.ID.self, name: "ids")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("guest", Swift.Int.self)
        columns.add("day", Swift.Int.self)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        self.guest = try decoder.decode(Swift.Int.self)
        self.day = try decoder.decode(Swift.Int.self)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(self.guest, as: Swift.Int.self)
        row.add(self.day, as: Swift.Int.self)
    }

    struct TableColumns: StrongroomTablesRuntime.TableColumnsProtocol {
        typealias QueryValue = Visit.ID
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var guest: Swift.Int.ColumnTerm { .init(_table, "guest") }
        var day: Swift.Int.ColumnTerm { .init(_table, "day") }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Visit.ID?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var guest: Swift.Int.OptionalColumnTerm { .init(_table, "guest") }
        var day: Swift.Int.OptionalColumnTerm { .init(_table, "day") }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Visit.ID
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        init(
            guest: some StrongroomTablesRuntime.QueryExpression<Swift.Int>,
            day: some StrongroomTablesRuntime.QueryExpression<Swift.Int>
        ) {
            self._resultColumns = Visit.ID._name([guest, day])
        }
    }
}
