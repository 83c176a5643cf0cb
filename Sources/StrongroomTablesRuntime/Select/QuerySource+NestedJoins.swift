// Joins of the type itself with a query that has joins.

extension QuerySource {
    /// Keeps the combinations of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<Self, B, C>>, Tables3<Self, B, C>>
    where Other.Tables == Tables2<B, C>, Other.Shape: UnselectedShape {
        Where().join(other, on: conditions)
    }

    /// Keeps the combinations of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<Self, B, C>>, Tables3<Self, B, C>>
    where Other.Tables == Tables2<B, C>, Other.Shape: UnselectedShape {
        Where().join(other, on: conditions)
    }

    /// Keeps the combinations of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns,
            C.SideColumns,
            D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<Self, B, C, D>>, Tables4<Self, B, C, D>>
    where Other.Tables == Tables3<B, C, D>, Other.Shape: UnselectedShape {
        Where().join(other, on: conditions)
    }

    /// Keeps the combinations of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<Self, B, C, D>>, Tables4<Self, B, C, D>>
    where Other.Tables == Tables3<B, C, D>, Other.Shape: UnselectedShape {
        Where().join(other, on: conditions)
    }

    /// Keeps all rows of the table, with the rows of the other query that fulfil conditions.
    public static func leftJoin<Other: SelectStatement, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<Self, B.AsOuter, C.AsOuter>>, Tables3<Self, B.AsOuter, C.AsOuter>>
    where Other.Tables == Tables2<B, C>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows of the table, with the rows of the other query that fulfil conditions.
    public static func leftJoin<Other: SelectStatement, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<Self, B.AsOuter, C.AsOuter>>, Tables3<Self, B.AsOuter, C.AsOuter>>
    where Other.Tables == Tables2<B, C>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows of the table, with the rows of the other query that fulfil conditions.
    public static func leftJoin<Other: SelectStatement, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns,
            C.SideColumns,
            D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables4<Self, B.AsOuter, C.AsOuter, D.AsOuter>>,
        Tables4<Self, B.AsOuter, C.AsOuter, D.AsOuter>
    >
    where Other.Tables == Tables3<B, C, D>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows of the table, with the rows of the other query that fulfil conditions.
    public static func leftJoin<Other: SelectStatement, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables4<Self, B.AsOuter, C.AsOuter, D.AsOuter>>,
        Tables4<Self, B.AsOuter, C.AsOuter, D.AsOuter>
    >
    where Other.Tables == Tables3<B, C, D>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, on: conditions)
    }
}
