import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

struct Shelf {
    @FetchAll var items: [Item]
}

@Suite(.timeLimit(.minutes(30)))
struct FetchAllTests {
    @Test(.proves("OBV-001", "OBV-008"), arguments: Library.Kind.allCases)
    func `a property shows rows of tables, queries, SQL, columns and selections`(
        kind: Library.Kind
    ) throws {
        let library = try Library(kind)
        withDefaultDatabase(library.database) {
            let shelf = Shelf()
            @FetchAll(Item.order(by: \.title)) var ordered
            @FetchAll(Item.open) var open
            @FetchAll(#sql("SELECT * FROM items WHERE stars = 5")) var sql: [Item]
            @FetchAll(#sql("SELECT id FROM items ORDER BY id DESC")) var ids: [Int]
            @FetchAll(Item.order(by: \.id).select(\.stars)) var stars
            @FetchAll(Item.order(by: \.id).select { ($0.id, $0.title) }) var pairs
            @FetchAll(
                Folder.join(Item.all) { $0.id.eq($1.folderID) }.group { $0.0.id }
                    .order { $0.0.id }
                    .select { Count.Columns(title: $0.title, items: $1.id.count()) })
            var counts
            #expect(shelf.items.titles == ["tea", "rice", "mail"])
            #expect(ordered.titles == ["mail", "rice", "tea"])
            #expect(open.titles == ["tea", "mail"] && sql.map(\.id) == [3])
            #expect(ids == [3, 2, 1] && stars == [3, nil, 5])
            #expect(pairs.map(\.1) == ["tea", "rice", "mail"])
            #expect(counts == [Count(title: "home", items: 2), Count(title: "work", items: 1)])
            #expect(shelf.$items.loadError == nil && !shelf.$items.isLoading)
        }
    }
}
