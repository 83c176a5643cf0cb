import StrongroomTestSupport
import TableModel
import Testing

@Suite("Names of tables")
struct TableNameTests {
    @Test(
        "The leading upper-case run of a type's name becomes lower case",
        arguments: [
            ("Item", "item"), ("HTTPRequest", "httpRequest"), ("TOEFL", "toefl"),
            ("URL2Go", "url2Go"), ("ItemTag", "itemTag"), ("SKU", "sku"), ("A", "a"),
            ("item", "item"), ("AItem", "aItem"), ("_Item", "_Item"),
        ])
    func singular(type: String, name: String) {
        #expect(TableName.singular(ofType: type) == name)
    }

    @Test(
        "The plural follows the last letters",
        arguments: [
            ("Item", "items"), ("Category", "categories"), ("Status", "statuses"), ("Box", "boxes"),
            ("Buzz", "buzzes"), ("Boy", "boys"), ("Person", "persons"), ("Folder", "folders"),
            ("Match", "matches"), ("Dish", "dishes"), ("TOEFL", "toefls"), ("Query", "queries"),
        ])
    func plural(type: String, name: String) {
        #expect(TableName.plural(ofType: type) == name)
    }
}
