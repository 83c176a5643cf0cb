import Foundation
import StrongroomTables

@Table struct Folder: Identifiable {
    let id: Int
    var title = ""
}

// item_id → Item
@Table("item_tags", withoutRowID: true) struct ItemTag {
    @Selection struct ID: Hashable {
        @Column("item_id") let itemID: Int
        let tag: String
    }

    let id: ID
}

// folder_id → Folder, ON DELETE CASCADE
@Table struct Item: Identifiable {
    let id: Int
    @Column("folder_id") var folderID: Int
    var title: String
    @Column("due_at", as: Date.UnixTimeRepresentation.self) var dueAt: Date?
    @Column("is_done") var isDone = false
    var price: Double?
    var photo: Data?
    @Column(lazyInitializable: true) var created: Date
    @Column("upper_title", generated: .virtual) let upperTitle: String?
}

@Table struct Note: FullTextTable {
    var title: String
    var body: String
}

@Table("open_items", .view) struct OpenItem {
    @Column(primaryKey: false) var id: Int?
    var title: String?
}
