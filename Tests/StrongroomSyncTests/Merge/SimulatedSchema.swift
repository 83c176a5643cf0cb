import StrongroomSync

/// The tables of the simulation: one for each rule, and an older version that lacks a column and a table.
enum SimulatedSchema {
    static let list = 0
    static let tag = 1
    static let item = 2
    static let note = 3
    static let doc = 4
    static let box = 5
    static let node = 6
    static let link = 7
    static let pair = 8

    /// The present version.
    static let new = MergeSchema(tables(isOld: false))
    /// A version without `list.color` and `pair`.
    static let old = MergeSchema(tables(isOld: true))

    static let defaultList = CellValue.text(Array("list0".utf8))

    private static func tables(isOld: Bool) -> [MergeTable] {
        let color = MergeField(MergeColumn("color", isNullable: false, absent: .integer(7)))
        let id = [MergeColumn("id", isNullable: false)]
        func required(_ name: String) -> MergeColumn { MergeColumn(name, isNullable: false) }
        let known = [
            MergeTable(
                "list", key: id,
                fields: [
                    MergeField(MergeColumn("title")), MergeField(MergeColumn("parent")),
                    MergeField(
                        MergeColumn("n", isNullable: false, absent: .integer(0)), .counter),
                ] + (isOld ? [] : [color]),
                references: [Reference([2], parent: list, .setNull)],
                acyclic: Acyclic(reference: 0)),
            MergeTable(
                "tag", key: id,
                fields: [
                    MergeField(required("name")), MergeField(MergeColumn("best"), .maximum),
                    MergeField(MergeColumn("worst"), .minimum),
                ], uniques: [UniqueSet([1])]),
            MergeTable(
                "item", key: id,
                fields: [
                    MergeField(MergeColumn("title")), MergeField(required("list")),
                    MergeField(MergeColumn("tag")), MergeField(MergeColumn("place")),
                    MergeField(group: "range", [required("low"), required("high")]),
                ],
                references: [
                    Reference([2], parent: list, .cascade), Reference([3], parent: tag, .setNull),
                ], uniques: [UniqueSet([2, 4])]),
            MergeTable(
                "note", key: id,
                fields: [
                    MergeField(MergeColumn("text")), MergeField(required("item")),
                    MergeField(MergeColumn("count", absent: .integer(0)), .counter),
                ], references: [Reference([2], parent: item, .cascade)], editWins: true),
            MergeTable(
                "doc", key: id,
                fields: [MergeField(group: "*", [MergeColumn("body"), MergeColumn("list")])],
                references: [Reference([2], parent: list, .restrict)]),
            MergeTable(
                "box", key: id,
                fields: [MergeField(MergeColumn("title")), MergeField(MergeColumn("list"))],
                references: [Reference([2], parent: list, .setDefault([defaultList]))]),
            MergeTable(
                "node", key: id,
                fields: [MergeField(MergeColumn("title")), MergeField(MergeColumn("parent"))],
                references: [Reference([2], parent: node, .cascade)],
                acyclic: Acyclic(reference: 0, cutHolds: true)),
            MergeTable(
                "link", key: [required("item"), required("tag")],
                fields: [MergeField(MergeColumn("weight"))],
                references: [
                    Reference([0], parent: item, .cascade), Reference([1], parent: tag, .cascade),
                ]),
        ]
        let pairs = MergeTable(
            "pair", key: id, fields: [MergeField(MergeColumn("partner"))],
            references: [Reference([1], parent: pair, .cascade)])
        return known + (isOld ? [] : [pairs])
    }
}

extension MergeSchema {
    /// The tables that a device has, for the witness.
    var json: String {
        "[" + tables.filter(\.isKnown).map(\.json).joined(separator: ",") + "]"
    }
}

extension MergeTable {
    fileprivate var json: String {
        let columns = columns.map { place -> String in
            let column = column(at: place)
            let nullable = column.isNullable ? "true" : "false"
            guard case .field(let number, _) = place else {
                return #"["\#(column.name)","","key",false,false,null]"#
            }
            let field = fields[number]
            let group = field.isGroup ? "true" : "false"
            let absent = column.absent.map(\.json) ?? "null"
            return
                #"["\#(column.name)","\#(field.name)","\#(field.kind)",\#(group),\#(nullable),\#(absent)]"#
        }
        let references = references.map { reference -> String in
            var action = "\(reference.action)"
            var values = "[]"
            if case .setDefault(let defaults) = reference.action {
                action = "setDefault"
                values = "[" + defaults.map(\.json).joined(separator: ",") + "]"
            }
            return
                #"[\#(reference.columns),\#(reference.parent),"\#(action)",\#(reference.isNeeded),\#(values)]"#
        }
        let cycle = acyclic.map { "[\($0.reference),\($0.cutHolds)]" } ?? "null"
        return """
            {"name":"\(name)","key":\(key.count == 1 ? "[0]" : "[0,1]"),\
            "columns":[\(columns.joined(separator: ","))],\
            "references":[\(references.joined(separator: ","))],\
            "uniques":\(uniques.map(\.columns)),"acyclic":\(cycle)}
            """
    }
}

extension CellValue {
    /// As the witness's descriptions have it: integers, plain text, null.
    fileprivate var json: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .text(let bytes): "\"\(String(decoding: bytes, as: UTF8.self))\""
        default: "null"
        }
    }
}
