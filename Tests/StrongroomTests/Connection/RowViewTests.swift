import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct RowViewTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    private static let nested = ScopeAdapter(
        base: RangeRowAdapter(0..<1),
        scopes: [
            "b": ScopeAdapter(
                base: RangeRowAdapter(1..<2),
                scopes: ["c": RangeRowAdapter(2..<3), "d": RangeRowAdapter(3..<4)]),
            "d": EmptyRowAdapter(),
        ])

    private func fetch(_ adapter: (any RowAdapter)? = nil) throws -> Row {
        try queue.read { db throws in
            try #require(
                try Row.fetchOne(
                    db, sql: "SELECT 1 AS a, 2 AS b, 3 AS c, NULL AS d", adapter: adapter))
        }
    }

    @Test(.proves("ROW-021"))
    func `Scopes are found by name at all levels, the outermost first`() throws {
        let row = try fetch(Self.nested)
        #expect(row.scopes.names == ["b", "d"])
        #expect(row.scopes.map(\.name) == ["b", "d"])
        for (name, scope) in row.scopes { #expect(row.scopes[name] == scope) }
        #expect(row.scopes.map(\.row.count) == [1, 0])
        #expect(row.scopesTree.names == ["b", "c", "d"])
        #expect(row.scopesTree["c"] == ["c": 3])
        #expect(row.scopesTree["d"] == Row())
        #expect(row.scopes["b"]?.scopesTree["d"] == ["d": nil])
        #expect(row.scopesTree["a"] == nil)
        #expect(row.scopes["b"]?.scopes["d"]?.containsNonNullValue == false)
        let whole: Row = ["a": 1, "b": 2, "c": 3, "d": nil]
        #expect(row.unadapted == whole)
        #expect(row.scopes["b"]?.scopes["c"]?.unadapted == whole)
        #expect(row.unscoped == ["a": 1])
        #expect(try fetch().scopes.isEmpty)
        #expect(try fetch().scopesTree.names.isEmpty)
        #expect(try fetch().unadapted == whole)
    }

    @Test(.proves("ROW-020", "ROW-021"))
    func `Rows that come with a row belong to it, or to one of its scopes`() throws {
        var row = try fetch(Self.nested)
        let before = row
        #expect(row.prefetchedRows.isEmpty)
        #expect(row.prefetchedRows["books"] == nil)
        row.setPrefetchedRows([["x": 1], ["x": 2]], forKey: "books")
        row.setPrefetchedRows([], forKey: "awards", inScope: ["b", "c"])
        row.setPrefetchedRows([["x": 3]], forKey: "books", inScope: ["b"])
        #expect(row.prefetchedRows.keys == ["books", "awards"])
        #expect(row.prefetchedRows["books"] == [["x": 1], ["x": 2]])
        #expect(row.prefetchedRows["awards"] == [])
        #expect(row.scopes["b"]?.prefetchedRows["books"] == [["x": 3]])
        #expect(row.scopes["d"]?.prefetchedRows.isEmpty == true)
        #expect(before.prefetchedRows.isEmpty && before != row)
        #expect(row.unscoped.prefetchedRows.isEmpty && row.unadapted.prefetchedRows.isEmpty)
        #expect(
            row.debugDescription == """
                ▿ [a:1]
                  unadapted: [a:1 b:2 c:3 d:NULL]
                  - b: [b:2]
                    - c: [c:3]
                      + awards: 0 row
                    - d: [d:NULL]
                    + awards: 0 row
                    + books: 1 row
                  - d: []
                  + awards: 0 row
                  + books: 2 rows
                """)
    }

    @Test(.proves("ROW-020"))
    func `A copy of a row keeps the rows that came with it, and gets no later ones`() throws {
        var row = try fetch(Self.nested)
        row.setPrefetchedRows([["x": 1]], forKey: "books")
        let copy = row
        row.setPrefetchedRows([["x": 2]], forKey: "awards")
        #expect(row.prefetchedRows.keys == ["books", "awards"])
        #expect(copy.prefetchedRows.keys == ["books"])
        #expect(row.databaseValues.elementsEqual(copy.databaseValues))
    }

    @Test(.proves("ROW-020"))
    func `A row describes itself, and an adapted one as a tree`() throws {
        let row: Row = ["id": 1, "name": "Arthur", "b": Data([0]), "n": nil]
        #expect(row.description == #"[id:1 name:"Arthur" b:Data(1 bytes) n:NULL]"#)
        #expect(row.debugDescription == row.description)
        var author: Row = ["id": 1]
        author.setPrefetchedRows([["x": 1], ["x": 2]], forKey: "books")
        #expect(author.description == "[id:1]")
        #expect(author.debugDescription == "▿ [id:1]\n  + books: 2 rows")
        #expect(
            try fetch(ScopeAdapter(["s": SuffixRowAdapter(fromIndex: 3)])).debugDescription == """
                ▿ [a:1 b:2 c:3 d:NULL]
                  - s: [d:NULL]
                """)
        #expect(try fetch(Self.nested).description == "[a:1]")
        #expect(
            try fetch(Self.nested).debugDescription == """
                ▿ [a:1]
                  unadapted: [a:1 b:2 c:3 d:NULL]
                  - b: [b:2]
                    - c: [c:3]
                    - d: [d:NULL]
                  - d: []
                """)
    }

    @Test(.proves("ROW-025"))
    func `Rows are equal when columns and scopes are`() throws {
        #expect(["a": 1, "b": "x"] as Row == ["a": 1.0, "b": "x"])
        #expect(["a": 1] as Row != ["A": 1])
        #expect(["a": 1, "b": 2] as Row != ["b": 2, "a": 1])
        #expect(["a": 1] as Row != ["a": 1, "b": 2])
        #expect(["a": nil] as Row != ["a": 0])
        let scoped = ScopeAdapter(["s": RangeRowAdapter(0..<1)])
        #expect(try fetch(scoped) == fetch(scoped))
        #expect(try fetch(scoped) != fetch())
        #expect(try fetch(scoped).unscoped == fetch())
        #expect(try fetch(scoped) != fetch(ScopeAdapter(["t": RangeRowAdapter(0..<1)])))
        #expect(try fetch(scoped) != fetch(ScopeAdapter(["s": RangeRowAdapter(0..<2)])))
        #expect(try Set([fetch(scoped), fetch(scoped), fetch()]).count == 2)
        let hidden = try fetch(RangeRowAdapter(0..<1))
        #expect(hidden == ["a": 1] && hidden.hashValue == (["a": 1] as Row).hashValue)
    }

    @Test(.proves("ROW-005", "ROW-006"))
    func `A row is made of names and values`() throws {
        #expect(Row().isEmpty && Row().count == 0)
        let literal: Row = ["name": "foo", "date": nil, "name": 2]
        #expect(literal.map(\.0) == ["name", "date", "name"])
        let typed: [String: (any DatabaseValueConvertible)?] = ["a": 1, "b": nil]
        #expect(Set(Row(typed).map(\.0)) == ["a", "b"])
        #expect(Row(typed)["b"] as DatabaseValue? == .null)
        let untyped: [AnyHashable: Any] = ["a": "text", "b": NSNull()]
        #expect(Row(untyped)?["a"] as String? == "text")
        #expect(Row(untyped)?["b"] as DatabaseValue? == .null)
        #expect(Row(["a": Set<Int>()] as [AnyHashable: Any]) == nil)
        #expect(Row([1: "a"] as [AnyHashable: Any]) == nil)
    }

    @Test(.proves("ROW-017", "ROW-018", "ROW-019", "ROW-049"))
    func `A row is a collection of columns, a dictionary can be made of it`() throws {
        let row: Row = ["foo": 1, "FOO": nil, "bar": 2.5]
        #expect(row.count == 3 && row["foo"] as Int == 1 && row["Foo"] as Int == 1)
        #expect(row.hasColumn("BAR") && !row.hasColumn("ba"))
        #expect(!row.hasNull(atIndex: 0) && row.hasNull(atIndex: 1))
        #expect(row.containsNonNullValue && !(["a": nil] as Row).containsNonNullValue)
        #expect(Array(row.columnNames) == ["foo", "FOO", "bar"])
        #expect(row.databaseValues.last == 2.5.databaseValue)
        #expect(row.copy() == row)
        let dictionary = Dictionary(["a": 1, "b": nil, "a": 3] as Row, uniquingKeysWith: { $1 })
        #expect(dictionary == ["a": 3.databaseValue, "b": .null])
        let values: [String: Any?] = dictionary.mapValues { $0.storage.value }
        #expect(values["a"] as? Int64 == 3)
        let index: Row.Index = row.startIndex.advanced(by: 1)
        #expect(row[index].0 == "FOO" && row.startIndex.distance(to: row.endIndex) == 3)
        #expect(row.reversed().map(\.0) == ["bar", "FOO", "foo"])
        func check(_: Row.ScopesView, _: Row.ScopesTreeView, _: Row.PrefetchedRowsView) {}
        check(row.scopes, row.scopesTree, row.prefetchedRows)
    }
}
