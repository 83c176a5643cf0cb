// Rows of many values.

/// A row of 10 values.
public enum Tuple10<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable,
    G: QueryRepresentable,
    H: QueryRepresentable,
    I: QueryRepresentable,
    J: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount, G._columnCount, H._columnCount, I._columnCount, J._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput,
        G.QueryOutput, H.QueryOutput, I.QueryOutput, J.QueryOutput
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
            try decoder.decode(I.self),
            try decoder.decode(J.self)
        )
    }
}

/// A row of 11 values.
public enum Tuple11<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable,
    G: QueryRepresentable,
    H: QueryRepresentable,
    I: QueryRepresentable,
    J: QueryRepresentable,
    K: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount, G._columnCount, H._columnCount, I._columnCount, J._columnCount,
            K._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput,
        G.QueryOutput, H.QueryOutput, I.QueryOutput, J.QueryOutput, K.QueryOutput
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
            try decoder.decode(I.self),
            try decoder.decode(J.self),
            try decoder.decode(K.self)
        )
    }
}

/// A row of 12 values.
public enum Tuple12<
    A: QueryRepresentable,
    B: QueryRepresentable,
    C: QueryRepresentable,
    D: QueryRepresentable,
    E: QueryRepresentable,
    F: QueryRepresentable,
    G: QueryRepresentable,
    H: QueryRepresentable,
    I: QueryRepresentable,
    J: QueryRepresentable,
    K: QueryRepresentable,
    L: QueryRepresentable
>: SelectedShape {
    public static var _resultCount: Int? {
        [
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount, G._columnCount, H._columnCount, I._columnCount, J._columnCount,
            K._columnCount, L._columnCount,
        ].reduce(0, +)
    }
    public typealias Row = (
        A.QueryOutput, B.QueryOutput, C.QueryOutput, D.QueryOutput, E.QueryOutput, F.QueryOutput,
        G.QueryOutput, H.QueryOutput, I.QueryOutput, J.QueryOutput, K.QueryOutput, L.QueryOutput
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
            try decoder.decode(I.self),
            try decoder.decode(J.self),
            try decoder.decode(K.self),
            try decoder.decode(L.self)
        )
    }
}
