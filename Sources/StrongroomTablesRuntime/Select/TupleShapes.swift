// Rows of several values. Parameter packs would say this once, but crashed several compilers.

/// A row of 2 values.
public enum Tuple2<
    A: QueryRepresentable,
    B: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [A._columnCount, B._columnCount].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self)
        )
    }
}

/// A row of 3 values.
public enum Tuple3<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [A._columnCount, B._columnCount, C._columnCount].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self)
        )
    }
}

/// A row of 4 values.
public enum Tuple4<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [A._columnCount, B._columnCount, C._columnCount, D._columnCount].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self),
            try decoder.decode(D.self)
        )
    }
}

/// A row of 5 values.
public enum Tuple5<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount].reduce(
            0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self),
            try decoder.decode(D.self),
            try decoder.decode(E.self)
        )
    }
}

/// A row of 6 values.
public enum Tuple6<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self),
            try decoder.decode(D.self),
            try decoder.decode(E.self),
            try decoder.decode(F.self)
        )
    }
}

/// A row of 7 values.
public enum Tuple7<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable,
    G: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount, G._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput,
        G.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self),
            try decoder.decode(D.self),
            try decoder.decode(E.self),
            try decoder.decode(F.self),
            try decoder.decode(G.self)
        )
    }
}

/// A row of 8 values.
public enum Tuple8<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable,
    G: QueryRepresentable,
    H: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount, G._columnCount, H._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput,
        G.QueryOutput, H.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self),
            try decoder.decode(D.self),
            try decoder.decode(E.self),
            try decoder.decode(F.self),
            try decoder.decode(G.self),
            try decoder.decode(H.self)
        )
    }
}

/// A row of 9 values.
public enum Tuple9<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable,
    G: QueryRepresentable,
    H: QueryRepresentable,
    I: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount, G._columnCount, H._columnCount, I._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput,
        G.QueryOutput, H.QueryOutput, I.QueryOutput
    )
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        (
            try decoder.decode(A.self),
            try decoder.decode(B.self),
            try decoder.decode(C.self),
            try decoder.decode(D.self),
            try decoder.decode(E.self),
            try decoder.decode(F.self),
            try decoder.decode(G.self),
            try decoder.decode(H.self),
            try decoder.decode(I.self)
        )
    }
}
