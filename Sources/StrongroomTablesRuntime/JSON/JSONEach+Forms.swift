// The elements of a document as rows: of arrays, of arrays of objects, and of objects.

extension QueryExpression where QueryValue: _JSONColumn {
    /// The elements of an array as rows.
    ///
    ///     // Items with a tag.
    ///     let daily = Item.where { $0.tags.jsonEach().where { $0.value.eq("daily") }.exists() }
    ///     try daily.select(\.title).fetchAll(db)  // ["Bread"]
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E] {
        rows("json_each")
    }
    /// The elements of an array as rows; none where there is no document.
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E]? {
        rows("json_each")
    }
    /// The elements of an array in a part as rows.
    public func jsonEach<E: QueryBindable>(
        _ path: PathTo<[E]>
    ) -> Where<JSONElement<Int, E>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array in a part as rows; none where there is none.
    public func jsonEach<E: QueryBindable>(
        _ path: PathTo<[E]?>
    ) -> Where<JSONElement<Int, E>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array, which are objects, as rows.
    public func jsonEach<E: _ColumnGroup>() -> Where<JSONElement<Int, JSONOf<E>>>
    where QueryValue.JSONRoot == [E] {
        rows("json_each")
    }
    /// The elements of an array, which are objects, as rows; none where there is no document.
    public func jsonEach<E: _ColumnGroup>() -> Where<JSONElement<Int, JSONOf<E>>>
    where QueryValue.JSONRoot == [E]? {
        rows("json_each")
    }
    /// The elements of an array, which are objects, in a part as rows.
    public func jsonEach<E: _ColumnGroup>(
        _ path: PathTo<[E]>
    ) -> Where<JSONElement<Int, JSONOf<E>>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array, which are objects, in a part as rows; none where there is none.
    public func jsonEach<E: _ColumnGroup>(
        _ path: PathTo<[E]?>
    ) -> Where<JSONElement<Int, JSONOf<E>>> {
        rows("json_each", fragment(path))
    }
    /// The values of an object as rows.
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<String, E>>
    where QueryValue.JSONRoot == [String: E] {
        rows("json_each")
    }
    /// The values of an object as rows; none where there is no document.
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<String, E>>
    where QueryValue.JSONRoot == [String: E]? {
        rows("json_each")
    }
    /// The values of an object in a part as rows.
    public func jsonEach<E: QueryBindable>(
        _ path: PathTo<[String: E]>
    ) -> Where<JSONElement<String, E>> {
        rows("json_each", fragment(path))
    }
    /// The values of an object in a part as rows; none where there is none.
    public func jsonEach<E: QueryBindable>(
        _ path: PathTo<[String: E]?>
    ) -> Where<JSONElement<String, E>> {
        rows("json_each", fragment(path))
    }
}

extension QueryExpression where QueryValue: _JSONColumn {
    /// The elements of an array of a binary document as rows.
    public func jsonbEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E] {
        rows("json_each")
    }
    /// The elements of an array of a binary document as rows.
    ///
    /// Where there is no document, there are none.
    public func jsonbEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E]? {
        rows("json_each")
    }
    /// The elements of an array in a part of a binary document as rows.
    public func jsonbEach<E: QueryBindable>(
        _ path: PathTo<[E]>
    ) -> Where<JSONElement<Int, E>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array in a part of a binary document as rows.
    ///
    /// Where there is no such part, there are none.
    public func jsonbEach<E: QueryBindable>(
        _ path: PathTo<[E]?>
    ) -> Where<JSONElement<Int, E>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array, which are objects, of a binary document as rows.
    public func jsonbEach<E: _ColumnGroup>() -> Where<JSONElement<Int, JSONOf<E>>>
    where QueryValue.JSONRoot == [E] {
        rows("json_each")
    }
    /// The elements of an array, which are objects, of a binary document as rows.
    ///
    /// Where there is no document, there are none.
    public func jsonbEach<E: _ColumnGroup>() -> Where<JSONElement<Int, JSONOf<E>>>
    where QueryValue.JSONRoot == [E]? {
        rows("json_each")
    }
    /// The elements of an array, which are objects, in a part of a binary document as rows.
    public func jsonbEach<E: _ColumnGroup>(
        _ path: PathTo<[E]>
    ) -> Where<JSONElement<Int, JSONOf<E>>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array, which are objects, in a part of a binary document as rows.
    ///
    /// Where there is no such part, there are none.
    public func jsonbEach<E: _ColumnGroup>(
        _ path: PathTo<[E]?>
    ) -> Where<JSONElement<Int, JSONOf<E>>> {
        rows("json_each", fragment(path))
    }
    /// The values of an object of a binary document as rows.
    public func jsonbEach<E: QueryBindable>() -> Where<JSONElement<String, E>>
    where QueryValue.JSONRoot == [String: E] {
        rows("json_each")
    }
    /// The values of an object of a binary document as rows.
    ///
    /// Where there is no document, there are none.
    public func jsonbEach<E: QueryBindable>() -> Where<JSONElement<String, E>>
    where QueryValue.JSONRoot == [String: E]? {
        rows("json_each")
    }
    /// The values of an object in a part of a binary document as rows.
    public func jsonbEach<E: QueryBindable>(
        _ path: PathTo<[String: E]>
    ) -> Where<JSONElement<String, E>> {
        rows("json_each", fragment(path))
    }
    /// The values of an object in a part of a binary document as rows.
    ///
    /// Where there is no such part, there are none.
    public func jsonbEach<E: QueryBindable>(
        _ path: PathTo<[String: E]?>
    ) -> Where<JSONElement<String, E>> {
        rows("json_each", fragment(path))
    }
}
