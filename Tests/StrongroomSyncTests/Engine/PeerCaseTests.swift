import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// What two devices do one after the other, and what both show in the end.
struct PeerCase: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        case a(String)
        case b(String)
        case exchangeA, exchangeB, both
    }

    let name: String
    let rows: String
    let steps: [Step]
    let shown: String

    init(_ name: String, _ rows: String, _ steps: [Step], _ shown: String) {
        self.name = name
        self.rows = rows
        self.steps = steps
        self.shown = shown
    }

    var testDescription: String { name }
}

extension PeerCase {
    private static let list = "INSERT INTO list VALUES ('l1', 'Food', 0);"
    private static let item = list + "INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL);"
    private static let noKeys = "PRAGMA defer_foreign_keys = ON;"

    static let parents = [
        PeerCase(
            "a child before its parent, in one batch", "",
            [.a(noKeys + "INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL);" + list), .both],
            "i1@l1:Milk:1.0, l1:Food:0"),
        PeerCase(
            "a child in the batch after its parent's", "",
            [
                .a(list), .exchangeA, .a("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL)"),
                .both,
            ], "i1@l1:Milk:1.0, l1:Food:0"),
        PeerCase(
            "a list is deleted while an item comes into it", list,
            [
                .a("DELETE FROM list"), .b("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL)"),
                .both,
            ], ""),
        PeerCase(
            "a list is renamed and deleted: an edit wins", list,
            [.a("DELETE FROM list"), .b("UPDATE list SET title = 'Meals'"), .both], "l1:Meals:0"),
        PeerCase(
            "a list that both delete", item,
            [.a("DELETE FROM list"), .b("DELETE FROM list"), .both], ""),
        PeerCase(
            "a list that is deleted and inserted again", item,
            [.a("DELETE FROM list; INSERT INTO list VALUES ('l1', 'New', 2)"), .both], "l1:New:2"),
        PeerCase(
            "an item that moves into a list that is deleted",
            item + "INSERT INTO list VALUES ('l2', 'Tools', 0);",
            [
                .a("DELETE FROM list WHERE id = 'l2'"), .b("UPDATE item SET list = 'l2'"), .both,
            ], "l1:Food:0"),
        PeerCase(
            "an item that moves out of a list that is deleted",
            item + "INSERT INTO list VALUES ('l2', 'Tools', 0);",
            [
                .a("DELETE FROM list WHERE id = 'l1'"), .b("UPDATE item SET list = 'l2'"), .both,
            ], "l2:Tools:0"),
        PeerCase(
            "a held item comes back with its list", list,
            [
                .a("DELETE FROM list"), .b("INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1, NULL)"),
                .both, .a(list), .both,
            ], "i1@l1:Milk:1.0, l1:Food:0"),
        PeerCase(
            "a tag stays when its item goes", item + "INSERT INTO tag VALUES ('t1', 'cold', 'i1');",
            [.a("DELETE FROM item"), .both], "l1:Food:0, t1:cold@-"),
        PeerCase(
            "a tag is put on an item that is deleted",
            item + "INSERT INTO tag VALUES ('t1', 'cold', NULL);",
            [.a("DELETE FROM item"), .b("UPDATE tag SET item = 'i1'"), .both],
            "l1:Food:0, t1:cold@-"),
    ]

    static let acknowledgements = [
        PeerCase(
            "an edit after the batch is made, before the other has it", item,
            [
                .a("UPDATE item SET title = 'Tea'"), .exchangeA,
                .a("UPDATE item SET title = 'Oat'"), .both,
            ],
            "i1@l1:Oat:1.0, l1:Food:0"),
        PeerCase(
            "an edit here while an earlier one of the other arrives", item,
            [
                .b("UPDATE item SET title = 'Old'"), .exchangeB,
                .a("UPDATE item SET title = 'New'"),
                .both,
            ], "i1@l1:New:1.0, l1:Food:0"),
        PeerCase(
            "an older edit arrives last", item,
            [
                .a("UPDATE item SET title = 'Old'"), .b("UPDATE item SET title = 'New'"),
                .exchangeB,
                .both,
            ], "i1@l1:New:1.0, l1:Food:0"),
        PeerCase(
            "an edit back to the value before is an edit", item,
            [
                .b("UPDATE item SET title = 'Tea'"),
                .a("UPDATE item SET title = 'x'; UPDATE item SET title = 'Milk'"), .both,
            ], "i1@l1:Milk:1.0, l1:Food:0"),
        PeerCase(
            "inserted and deleted before an exchange", "",
            [.a(list), .a("DELETE FROM list"), .both], ""),
        PeerCase(
            "inserted, sent, deleted and inserted again before the other looks", "",
            [
                .a(list), .exchangeA, .a("DELETE FROM list"), .exchangeA,
                .a("INSERT INTO list VALUES ('l1', 'Again', 1)"), .exchangeA, .both,
            ], "l1:Again:1"),
        PeerCase(
            "an update of a row that the other has deleted and inserted again", item,
            [
                .a("DELETE FROM item; INSERT INTO item VALUES ('i1', 'l1', 'Tea', 2, NULL)"),
                .exchangeA, .b("UPDATE item SET price = 9"), .both,
            ], "i1@l1:Tea:2.0, l1:Food:0"),
        PeerCase(
            "both insert the same row", "",
            [.a(list), .b("INSERT INTO list VALUES ('l1', 'Meals', 0)"), .both], "l1:Meals:0"),
        PeerCase(
            "both add to a counter", list,
            [.a("UPDATE list SET stars = stars + 2"), .b("UPDATE list SET stars = 3"), .both],
            "l1:Food:5"),
        PeerCase(
            "a counter of a row that is deleted and brought back", list,
            [.a("DELETE FROM list"), .b("UPDATE list SET stars = stars + 4"), .both], "l1:Food:4"),
        PeerCase(
            "a replaced row", item,
            [.a("INSERT OR REPLACE INTO item VALUES ('i1', 'l1', 'New', 5, NULL)"), .both],
            "i1@l1:New:5.0, l1:Food:0"),
        PeerCase(
            "an upsert", item,
            [
                .a(
                    "INSERT INTO item VALUES ('i1', 'l1', 'x', 5, NULL) ON CONFLICT DO UPDATE SET price = 5"
                ),
                .b("UPDATE item SET title = 'Tea'"), .both,
            ], "i1@l1:Tea:5.0, l1:Food:0"),
    ]

    static let uniqueValues = [
        PeerCase(
            "the same tag on both sides", "",
            [
                .a("INSERT INTO tag VALUES ('t1', 'cold', NULL)"),
                .b("INSERT INTO tag VALUES ('t2', 'cold', NULL)"), .both,
            ], "t1:cold@-"),
        PeerCase(
            "the same tag in other letters, the second one first in the hub", "",
            [
                .a("INSERT INTO tag VALUES ('t2', 'Cold', NULL)"),
                .b("INSERT INTO tag VALUES ('t1', 'COLD', NULL)"), .exchangeB, .both,
            ], "t2:Cold@-"),
        PeerCase(
            "the older tag gets another name", "",
            [
                .a("INSERT INTO tag VALUES ('t1', 'cold', NULL)"),
                .b("INSERT INTO tag VALUES ('t2', 'cold', NULL)"), .both,
                .b("UPDATE tag SET title = 'warm' WHERE id = 't1'"), .both,
            ], "t1:warm@-, t2:cold@-"),
        PeerCase(
            "the older tag is deleted", "",
            [
                .a("INSERT INTO tag VALUES ('t1', 'cold', NULL)"),
                .b("INSERT INTO tag VALUES ('t2', 'cold', NULL)"), .both,
                .b("DELETE FROM tag WHERE id = 't1'"), .both,
            ], "t2:cold@-"),
        PeerCase(
            "two tags swap their names",
            "INSERT INTO tag VALUES ('t1', 'cold', NULL), ('t2', 'warm', NULL);",
            [
                .a(
                    """
                    UPDATE tag SET title = 'x' WHERE id = 't1'; UPDATE tag SET title = 'cold' WHERE id = 't2';
                    UPDATE tag SET title = 'warm' WHERE id = 't1'
                    """), .both,
            ], "t1:warm@-, t2:cold@-"),
        PeerCase(
            "one name moves to another row on both sides",
            "INSERT INTO tag VALUES ('t1', 'cold', NULL);",
            [
                .a("DELETE FROM tag; INSERT INTO tag VALUES ('t2', 'cold', NULL)"),
                .b("DELETE FROM tag; INSERT INTO tag VALUES ('t3', 'cold', NULL)"), .both,
            ], "t2:cold@-"),
        PeerCase(
            "a replaced tag of another key", "INSERT INTO tag VALUES ('t1', 'cold', NULL);",
            [.a("INSERT OR REPLACE INTO tag VALUES ('t2', 'COLD', NULL)"), .both], "t2:COLD@-"),
        PeerCase(
            "a key that another row had before",
            "INSERT INTO tag VALUES ('t1', 'cold', NULL), ('t2', 'warm', NULL);",
            [
                .a("DELETE FROM tag WHERE id = 't2'; UPDATE tag SET id = 't2' WHERE id = 't1'"),
                .both,
            ], "t2:cold@-"),
    ]

    static let all = parents + acknowledgements + uniqueValues
}

@Suite("What two devices do", .tags(.slow))
struct PeerCaseTests {
    @Test(
        "ends as the rules say, also with an engine that was opened anew",
        .proves("SYN-257"), arguments: PeerCase.all, [false, true])
    func ends(_ given: PeerCase, isReopened: Bool) async throws {
        let devices = try await PeerDevices(given.rows, reopens: isReopened)
        for step in given.steps {
            switch step {
            case .a(let sql): try devices.write(sql, on: devices.a)
            case .b(let sql): try devices.write(sql, on: devices.b)
            case .exchangeA: try await devices.exchangeFirst()
            case .exchangeB: try await devices.exchangeSecond()
            case .both: try await devices.exchange()
            }
        }
        #expect(try devices.shown() == given.shown)
    }
}
