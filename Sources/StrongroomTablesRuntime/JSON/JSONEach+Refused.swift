// What the compiler says where there are no elements: without these it lists what it has tried.

extension QueryExpression {
    /// The elements of what is no document; it does not compile.
    @available(
        *, unavailable,
        message:
            "the column is not stored as JSON; see '@Column(as: [String].JSONRepresentation.self)'"
    )
    @_disfavoredOverload
    public func jsonEach() -> Where<JSONElement<Int, String>> { preconditionFailure() }
    /// The elements of what is no document; it does not compile.
    @available(
        *, unavailable,
        message:
            "the column is not stored as JSON; see '@Column(as: [String].JSONBRepresentation.self)'"
    )
    @_disfavoredOverload
    public func jsonbEach() -> Where<JSONElement<Int, String>> { preconditionFailure() }
}

extension QueryExpression where QueryValue: _JSONColumn {
    /// The elements of a document without any; it does not compile.
    @available(
        *, unavailable,
        message: "the document is no array or dictionary of columns' values or of a '@Selection'"
    )
    @_disfavoredOverload
    public func jsonEach() -> Where<JSONElement<Int, String>> { preconditionFailure() }
    /// The elements of a part without any; it does not compile.
    @available(
        *, unavailable,
        message: "the part is no array or dictionary of columns' values or of a '@Selection'"
    )
    @_disfavoredOverload
    public func jsonEach<Part>(_ path: PathTo<Part>) -> Where<JSONElement<Int, String>> {
        preconditionFailure()
    }
    /// The elements of a document without any; it does not compile.
    @available(
        *, unavailable,
        message: "the document is no array or dictionary of columns' values or of a '@Selection'"
    )
    @_disfavoredOverload
    public func jsonbEach() -> Where<JSONElement<Int, String>> { preconditionFailure() }
    /// The elements of a part without any; it does not compile.
    @available(
        *, unavailable,
        message: "the part is no array or dictionary of columns' values or of a '@Selection'"
    )
    @_disfavoredOverload
    public func jsonbEach<Part>(_ path: PathTo<Part>) -> Where<JSONElement<Int, String>> {
        preconditionFailure()
    }
}
