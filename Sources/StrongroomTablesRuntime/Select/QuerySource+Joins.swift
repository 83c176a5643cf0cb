// Joins as methods of the type itself.

extension QuerySource {
    /// Keeps the pairs of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self, B>>, Tables2<Self, B>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().join(other, on: conditions)
    }

    /// Keeps the pairs of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<Other.Shape, Tables2<Self, B>>
    where Other.Tables == Tables1<B>, Other.Shape: ScalarShape {
        Where().join(other, on: conditions)
    }

    /// Keeps all rows, with those of the other query that fulfil conditions.
    public static func leftJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self, B.AsOuter>>, Tables2<Self, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows, with those of the other query that fulfil conditions.
    public static func leftJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<Other.Shape.SubqueryValue, Tables2<Self, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: ScalarShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows of the other query, with those that fulfil conditions.
    public static func rightJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self.AsOuter, B>>, Tables2<Self.AsOuter, B>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where<Self>().rightJoin(other, on: conditions)
    }

    /// Keeps all rows of the other query, with those that fulfil conditions.
    public static func rightJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<Other.Shape, Tables2<Self.AsOuter, B>>
    where Other.Tables == Tables1<B>, Other.Shape: ScalarShape {
        Where<Self>().rightJoin(other, on: conditions)
    }

    /// Keeps all rows of both sides, in pairs where they fulfil conditions.
    public static func fullJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self.AsOuter, B.AsOuter>>, Tables2<Self.AsOuter, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where<Self>().fullJoin(other, on: conditions)
    }

}
