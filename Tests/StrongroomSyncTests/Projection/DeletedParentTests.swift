import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("A list deleted here, and there an item that …")
struct DeletedParentTests {
    typealias Tables = SimulatedSchema

    /// What happens to the item at the same time.
    enum Event: String, CaseIterable {
        case movesIn, movesOut, isEdited, isInserted
    }

    /// What the item's foreign key says.
    enum Action: String, CaseIterable {
        case cascade, setNull, restrict
    }

    struct Case: CustomTestStringConvertible {
        var event: Event
        var action: Action
        var deletesFirst: Bool

        static let all = Event.allCases.flatMap { event in
            Action.allCases.flatMap { action in
                [true, false].map { Case(event: event, action: action, deletesFirst: $0) }
            }
        }

        var testDescription: String {
            "\(event.rawValue), \(action.rawValue), deletion \(deletesFirst ? "first" : "last")"
        }
    }

    private static func child(_ action: Action, in list: String) -> (RowID, [CellValue]) {
        switch action {
        case .cascade: Meeting.item("x", in: list)
        case .setNull: Meeting.list("x", parent: Meeting.text(list))
        case .restrict: Meeting.doc("x", in: list)
        }
    }

    /// What all show in the end in the item's foreign key; nil if the item is gone.
    private static func expected(_ test: Case) -> CellValue? {
        switch (test.action, test.event) {
        // With the list, the item was deleted, or it is held.
        case (.cascade, _): nil
        // The deletion was also an edit of the item: the later one holds.
        case (.setNull, .movesOut) where test.deletesFirst: Meeting.text("other")
        case (.setNull, _): .null
        // The deletion is refused, or taken back.
        case (.restrict, .movesOut): Meeting.text("other")
        case (.restrict, _): Meeting.text("list")
        }
    }

    @Test("ends as its foreign key says", .proves("SYN-123"), arguments: Case.all)
    func result(_ test: Case) throws {
        let (row, values) = Self.child(test.action, in: test.event == .movesIn ? "other" : "list")
        let list = Meeting.row(Tables.list, "list")
        var meeting = try Meeting([Meeting.list("list"), Meeting.list("other")])
        if test.event != .isInserted {
            meeting.insert(0, row, values)
            try meeting.settle()
        }
        if test.deletesFirst { meeting.delete(0, list) }
        switch test.event {
        case .movesIn: meeting.update(1, row, 2, Meeting.text("list"))
        case .movesOut: meeting.update(1, row, 2, Meeting.text("other"))
        case .isEdited: meeting.update(1, row, 1, .integer(9))
        case .isInserted: meeting.insert(1, row, values)
        }
        if !test.deletesFirst { meeting.delete(0, list) }
        try meeting.meet(test.deletesFirst ? .firstFirst : .secondFirst)
        #expect(try meeting.shown(row)?[2] == Self.expected(test))
        #expect(try (meeting.shown(list) != nil) == (test.action == .restrict))
    }
}
