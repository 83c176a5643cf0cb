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

/// A query on 2 tables.
public enum Tables2<
    A: JoinSide, B: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple2<
        A.SideValue, B.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1])
        )
    }
    public static var _layouts: [TableLayout] {
        [A._sideLayout, B._sideLayout]
    }
}

/// A query on 3 tables.
public enum Tables3<
    A: JoinSide, B: JoinSide, C: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns, C.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple3<
        A.SideValue, B.SideValue, C.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1]),
            C._sideColumns(tables[2])
        )
    }
    public static var _layouts: [TableLayout] {
        [A._sideLayout, B._sideLayout, C._sideLayout]
    }
}

/// A query on 4 tables.
public enum Tables4<
    A: JoinSide, B: JoinSide, C: JoinSide, D: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple4<
        A.SideValue, B.SideValue, C.SideValue, D.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1]),
            C._sideColumns(tables[2]),
            D._sideColumns(tables[3])
        )
    }
    public static var _layouts: [TableLayout] {
        [A._sideLayout, B._sideLayout, C._sideLayout, D._sideLayout]
    }
}

/// A query on 5 tables.
public enum Tables5<
    A: JoinSide, B: JoinSide, C: JoinSide, D: JoinSide, E: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple5<
        A.SideValue, B.SideValue, C.SideValue, D.SideValue, E.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1]),
            C._sideColumns(tables[2]),
            D._sideColumns(tables[3]),
            E._sideColumns(tables[4])
        )
    }
    public static var _layouts: [TableLayout] {
        [A._sideLayout, B._sideLayout, C._sideLayout, D._sideLayout, E._sideLayout]
    }
}

/// A query on 6 tables.
public enum Tables6<
    A: JoinSide, B: JoinSide, C: JoinSide, D: JoinSide, E: JoinSide, F: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple6<
        A.SideValue, B.SideValue, C.SideValue, D.SideValue, E.SideValue, F.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1]),
            C._sideColumns(tables[2]),
            D._sideColumns(tables[3]),
            E._sideColumns(tables[4]),
            F._sideColumns(tables[5])
        )
    }
    public static var _layouts: [TableLayout] {
        [A._sideLayout, B._sideLayout, C._sideLayout, D._sideLayout, E._sideLayout, F._sideLayout]
    }
}

/// A query on 7 tables.
public enum Tables7<
    A: JoinSide, B: JoinSide, C: JoinSide, D: JoinSide, E: JoinSide, F: JoinSide, G: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns,
        G.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple7<
        A.SideValue, B.SideValue, C.SideValue, D.SideValue, E.SideValue, F.SideValue, G.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1]),
            C._sideColumns(tables[2]),
            D._sideColumns(tables[3]),
            E._sideColumns(tables[4]),
            F._sideColumns(tables[5]),
            G._sideColumns(tables[6])
        )
    }
    public static var _layouts: [TableLayout] {
        [
            A._sideLayout, B._sideLayout, C._sideLayout, D._sideLayout, E._sideLayout,
            F._sideLayout, G._sideLayout,
        ]
    }
}

/// A query on 8 tables.
public enum Tables8<
    A: JoinSide, B: JoinSide, C: JoinSide, D: JoinSide, E: JoinSide, F: JoinSide, G: JoinSide,
    H: JoinSide
>: SeveralTables {
    public typealias Arguments = (
        A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns,
        G.SideColumns, H.SideColumns
    )
    public typealias First = A
    public typealias Rows = Tuple8<
        A.SideValue, B.SideValue, C.SideValue, D.SideValue, E.SideValue, F.SideValue, G.SideValue,
        H.SideValue
    >
    public static func _arguments(_ tables: [TableReference]) -> Arguments {
        (
            A._sideColumns(tables[0]),
            B._sideColumns(tables[1]),
            C._sideColumns(tables[2]),
            D._sideColumns(tables[3]),
            E._sideColumns(tables[4]),
            F._sideColumns(tables[5]),
            G._sideColumns(tables[6]),
            H._sideColumns(tables[7])
        )
    }
    public static var _layouts: [TableLayout] {
        [
            A._sideLayout, B._sideLayout, C._sideLayout, D._sideLayout, E._sideLayout,
            F._sideLayout, G._sideLayout, H._sideLayout,
        ]
    }
}
