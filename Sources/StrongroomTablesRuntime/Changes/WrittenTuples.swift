// The columns of a row to insert. Parameter packs would say this once, but crashed several compilers.

extension Tuple2: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
    }
}

extension Tuple3: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
    }
}

extension Tuple4: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
    }
}

extension Tuple5: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
    }
}

extension Tuple6: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
    }
}

extension Tuple7: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped,
        G.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
        encoder.add(row.6, as: G.self)
    }
}

extension Tuple8: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped,
        G.Unwrapped, H.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
        encoder.add(row.6, as: G.self)
        encoder.add(row.7, as: H.self)
    }
}

extension Tuple9: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped,
        G.Unwrapped, H.Unwrapped, I.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
        encoder.add(row.6, as: G.self)
        encoder.add(row.7, as: H.self)
        encoder.add(row.8, as: I.self)
    }
}

extension Tuple10: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped,
        G.Unwrapped, H.Unwrapped, I.Unwrapped, J.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
        encoder.add(row.6, as: G.self)
        encoder.add(row.7, as: H.self)
        encoder.add(row.8, as: I.self)
        encoder.add(row.9, as: J.self)
    }
}

extension Tuple11: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped,
        G.Unwrapped, H.Unwrapped, I.Unwrapped, J.Unwrapped, K.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
        encoder.add(row.6, as: G.self)
        encoder.add(row.7, as: H.self)
        encoder.add(row.8, as: I.self)
        encoder.add(row.9, as: J.self)
        encoder.add(row.10, as: K.self)
    }
}

extension Tuple12: WrittenTuple {
    public typealias PlainRow = (
        A.Unwrapped, B.Unwrapped, C.Unwrapped, D.Unwrapped, E.Unwrapped, F.Unwrapped,
        G.Unwrapped, H.Unwrapped, I.Unwrapped, J.Unwrapped, K.Unwrapped, L.Unwrapped
    )
    public static func _encode(_ row: Row, _ encoder: inout RowEncoder) {
        encoder.add(row.0, as: A.self)
        encoder.add(row.1, as: B.self)
        encoder.add(row.2, as: C.self)
        encoder.add(row.3, as: D.self)
        encoder.add(row.4, as: E.self)
        encoder.add(row.5, as: F.self)
        encoder.add(row.6, as: G.self)
        encoder.add(row.7, as: H.self)
        encoder.add(row.8, as: I.self)
        encoder.add(row.9, as: J.self)
        encoder.add(row.10, as: K.self)
        encoder.add(row.11, as: L.self)
    }
}
