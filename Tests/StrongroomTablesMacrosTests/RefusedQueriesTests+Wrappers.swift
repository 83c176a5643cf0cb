import StrongroomTestSupport
import Testing

// Wrappers and seeds of list A.
extension RefusedQueriesTests {
    @Test(.proves("OBV-001", "OBV-003", "OBV-009"))
    func `Wrappers have the types of their queries`() throws {
        try expect(
            """
            struct Shelf {
                @FetchAll var items: [Item]
                @FetchAll(Item.order(by: \\.title)) var ordered
                @FetchOne(Item.count()) var count = 0
                @FetchOne(Item.find(1)) var item: Item?
                @FetchAll(#sql("SELECT 1")) var numbers: [Int]
            }
            struct WrongRows { @FetchAll(Item.count()) var items: [Item] } // error:
            struct NoValue { @FetchOne(Item.count()) var n: Int } // error:
            struct WrongValue { @FetchOne(Item.all) var n = 0 } // error:
            func write(shelf: Shelf) {
                var shelf = shelf
                shelf.items = [] // error:
                shelf.$items.wrappedValue.append(shelf.items[0]) // error:
                shelf.$items = FetchAll(Item.all)
            }
            """)
    }

    @Test(.proves("OBV-006"))
    func `Requests are values that tasks share`() throws {
        try expect(
            """
            final class Shared { var n = 0 }
            struct Fine: FetchKeyRequest { func fetch(_ db: Database) throws -> Int { 1 } }
            struct NotHashable: FetchKeyRequest { // error: | error:
                let n: () = ()
                func fetch(_ db: Database) throws -> Int { 1 }
            }
            struct NotSendable: FetchKeyRequest {
                let shared: Shared // error:
                static func == (a: Self, b: Self) -> Bool { true }
                func hash(into hasher: inout Hasher) {}
                func fetch(_ db: Database) throws -> Int { 1 }
            }
            """)
    }

    @Test(.proves("SED-004"))
    func `Selections and optionals are no seeds`() throws {
        try expect(
            """
            func seed(db: Database, folder: Folder?, names: Names) throws {
                try db.seed { Folder(id: 1); Folder.Draft(title: "a"); [Folder(id: 2)] }
                try db.seed { names } // error:
                try db.seed { folder } // error:
                try db.seed { Folder.Columns(id: 1, title: "a", rank: 0) } // error:
            }
            """)
    }
}
