import Foundation
import StrongroomTablesRuntime

/// A table with a key of two columns, a group, an optional group, an enum of cases, a generated column
/// and one that the database fills in.
struct Visit: Hashable {
    struct ID: Hashable {
        let guest: Int
        let day: Int
    }
    let id: ID
    var place: Place
    var rating: Rating?
    var kind: Kind
    let score: Double?
    var createdAt: Date
    var isNew = true

    enum Kind: Hashable {
        case note(String)
        case move(Place)
    }
}

struct Place: Hashable {
    var shelf = "A"
    var box = 1
}

struct Rating: Hashable {
    var stars: Int
    var ratedAt: Date
}

nonisolated extension Visit: StrongroomTablesRuntime.PrimaryKeyedTable {
    typealias PrimaryKey = ID
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Visit.self, name: "visits")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("id", ID.self, .primaryKey)
        columns.add("place", Place.self)
        columns.add("rating", Rating?.self)
        columns.add("kind", Kind.self)
        columns.add("score", Swift.Double?.self, .generated)
        columns.add("created_at", Date.self, property: "createdAt", .lazy)
        columns.add("isNew", Swift.Bool.self, .hasDefault)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        self.id = try decoder.decode(ID.self)
        self.place = try decoder.decode(Place.self)
        self.rating = try decoder.decode(Rating?.self)
        self.kind = try decoder.decode(Kind.self)
        self.score = try decoder.decode(Swift.Double?.self)
        self.createdAt = try decoder.decode(Date.self)
        self.isNew = try decoder.decode(Swift.Bool.self)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(self.id, as: ID.self)
        row.add(self.place, as: Place.self)
        row.add(self.rating, as: Rating?.self)
        row.add(self.kind, as: Kind.self)
        row.addGenerated(self.score, as: Swift.Double?.self)
        row.add(self.createdAt, as: Date.self)
        row.add(self.isNew, as: Swift.Bool.self)
    }

    struct TableColumns: StrongroomTablesRuntime.PrimaryKeyedColumns {
        typealias QueryValue = Visit
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var id: ID.ColumnTerm { .init(_table, "id") }
        var place: Place.ColumnTerm { .init(_table, "place") }
        var rating: Rating?.ColumnTerm { .init(_table, "rating") }
        var kind: Kind.ColumnTerm { .init(_table, "kind") }
        var score: StrongroomTablesRuntime.GeneratedColumn<Swift.Double?> { .init(_table, "score") }
        var createdAt: Date.ColumnTerm { .init(_table, "created_at") }
        var isNew: Swift.Bool.ColumnTerm { .init(_table, "isNew") }
        var primaryKey: ID.ColumnTerm { id }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Visit?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var id: ID.OptionalColumnTerm { .init(_table, "id") }
        var place: Place.OptionalColumnTerm { .init(_table, "place") }
        var rating: Rating?.OptionalColumnTerm { .init(_table, "rating") }
        var kind: Kind.OptionalColumnTerm { .init(_table, "kind") }
        var score: Swift.Double?.OptionalColumnTerm { .init(_table, "score") }
        var createdAt: Date.OptionalColumnTerm { .init(_table, "created_at") }
        var isNew: Swift.Bool.OptionalColumnTerm { .init(_table, "isNew") }
        var primaryKey: ID.OptionalColumnTerm { id }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Visit
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        init(
            id: some StrongroomTablesRuntime.QueryExpression<ID>,
            place: some StrongroomTablesRuntime.QueryExpression<Place>,
            rating: some StrongroomTablesRuntime.QueryTerm<Rating?.Unwrapped> = Rating?.none,
            kind: some StrongroomTablesRuntime.QueryExpression<Kind>,
            score: some StrongroomTablesRuntime.QueryTerm<Swift.Double?.Unwrapped> = Swift.Double?
                .none,
            createdAt: some StrongroomTablesRuntime.QueryExpression<Date>,
            isNew: some StrongroomTablesRuntime.QueryExpression<Swift.Bool> = true
        ) {
            self._resultColumns = Visit._name([id, place, rating, kind, score, createdAt, isNew])
        }
    }

    struct Draft: StrongroomTablesRuntime.TableDraft {
        typealias DraftedTable = Visit
        typealias TableColumns = Visit.TableColumns
        typealias OuterColumns = Visit.OuterColumns
        var id: ID?
        var place: Place
        var rating: Rating?
        var kind: Kind
        var createdAt: Date?
        var isNew = true

        func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
            row.addUnlessNil(self.id, as: ID.self)
            row.add(self.place, as: Place.self)
            row.add(self.rating, as: Rating?.self)
            row.add(self.kind, as: Kind.self)
            row.skip(Swift.Double?.self)
            row.addUnlessNil(self.createdAt, as: Date.self)
            row.add(self.isNew, as: Swift.Bool.self)
        }

        static func _copy(_ row: Visit) -> Self {
            Self(
                id: row.id,
                place: row.place,
                rating: row.rating,
                kind: row.kind,
                createdAt: row.createdAt,
                isNew: row.isNew)
        }
    }
}

nonisolated extension Visit.Kind: StrongroomTablesRuntime.CaseSelection {
    typealias Columns = Selection
    static let _layout = StrongroomTablesRuntime.TableLayout(Visit.Kind.self, name: "kinds")

    static func _describe(_ columns: inout StrongroomTablesRuntime.ColumnDescriptions) {
        columns.add("note", Swift.String?.self)
        columns.add("move", Place?.self)
    }

    init(decoder: inout some StrongroomTablesRuntime.QueryDecoder) throws {
        var found = StrongroomTablesRuntime.FoundCase<Self>()
        try found.look("note", Swift.String.self, in: &decoder) { .note($0) }
        try found.look("move", Place.self, in: &decoder) { .move($0) }
        self = try found.value(in: decoder)
    }

    func _encode(_ row: inout StrongroomTablesRuntime.RowEncoder) {
        row.add(
            { if case .note(let value) = self { value } else { nil } }(), as: Swift.String?.self)
        row.add({ if case .move(let value) = self { value } else { nil } }(), as: Place?.self)
    }

    struct TableColumns: StrongroomTablesRuntime.CaseColumns {
        typealias QueryValue = Visit.Kind
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var note: Swift.String.OptionalColumnTerm { .init(_table, "note") }
        var move: Place.OptionalColumnTerm { .init(_table, "move") }
    }

    @dynamicMemberLookup
    struct OuterColumns: StrongroomTablesRuntime.OuterColumnsProtocol {
        typealias QueryValue = Visit.Kind?
        typealias Inner = TableColumns
        let _table: StrongroomTablesRuntime.TableReference
        init(_ table: StrongroomTablesRuntime.TableReference, _ name: Swift.String) {
            self._table = table
        }
        var note: Swift.String.OptionalColumnTerm { .init(_table, "note") }
        var move: Place.OptionalColumnTerm { .init(_table, "move") }
    }

    struct Selection: StrongroomTablesRuntime.SelectionColumns {
        typealias QueryValue = Visit.Kind
        let _resultColumns: [StrongroomTablesRuntime.ResultColumn]
        static func note(_ value: some StrongroomTablesRuntime.QueryExpression<Swift.String>)
            -> Self
        {
            Self(_resultColumns: Visit.Kind._name(case: "note", value))
        }
        static func move(_ value: some StrongroomTablesRuntime.QueryExpression<Place>) -> Self {
            Self(_resultColumns: Visit.Kind._name(case: "move", value))
        }
    }
}
