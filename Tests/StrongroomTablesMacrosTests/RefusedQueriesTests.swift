import StrongroomTestSupport
import Testing

/// Queries with a mistake that the compiler must find. One call of the compiler checks them all:
/// each stands on a line of its own, next to queries without mistake.
@Suite("Queries that must not compile")
struct RefusedQueriesTests {
    private static let tables = """
        @Table struct Folder: Identifiable { let id: Int; var title = ""; var rank = 0 }
        @Table struct Item: Identifiable {
            let id: Int
            var title = ""
            var isDone = false
            var stars: Int?
            var level: Level?
            var due: Date?
            var folderID: Folder.ID
        }
        enum Level: Int, QueryBindable { case low = 1, medium, high }
        @Table("itemsTags") struct ItemTag { let itemID: Int; let tagID: Int }
        @Selection struct Row { let item: String; let folder: String }
        @Table struct Enrollment {
            @Selection struct ID: Hashable { let course: Int; let person: Int }
            let id: ID
        }

        """

    @Test
    func `A condition has the types of its columns`() throws {
        try MacroClient(
            Self.tables + """
                func conditions(flag: Bool, s: Int?) {
                    _ = Item.where { $0.title.eq("a") && !$0.isDone }
                    _ = Item.where { $0.title } // error:
                    _ = Item.where { $0.titel.eq("a") } // error: value of type 'Item.TableColumns' has no member 'titel'
                    _ = Item.where { $0.id.eq("1") } // error:
                    _ = Item.where { $0.id.eq(nil) } // error:
                    _ = Item.where { $0.due > "2026-01-01" } // error:
                    _ = Item.where { $0.level.eq(3) } // error:
                    _ = Item.where { $0.level.eq(.nope) } // error:
                    _ = Item.where { $0.id.in(["a"]) } // error:
                    _ = Item.where { $0.title && $0.isDone } // error:
                    _ = Item.where { $0.title + 1 > 2 } // error:
                    _ = Item.where { $0.folderID.eq($0.title) } // error:
                    _ = Item.where { $0.stars.eq(s) } // error:
                    _ = Item.order(by: \\.nope) // error:
                    _ = Item.Draft() // error: missing argument for parameter 'folderID' in call
                    _ = Item.Draft(id: "x", folderID: 1) // error:
                    _ = Item.Draft.Draft.self // error:
                    _ = Row.Columns(item: "a") // error: missing argument for parameter 'folder' in call
                }
                """
        ).expectDiagnostics()
    }
}
