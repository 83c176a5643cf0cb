/// A query on one table.
public enum Tables1<A: JoinSide>: TableList {
    public typealias Arguments = A.SideColumns
    public typealias First = A
    public typealias Rows = A.SideValue
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        A._sideColumns(tables[0])
    }
    public static var _layouts: [TableLayout] { [A._sideLayout] }
}
