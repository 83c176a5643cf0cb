// Joins as methods of the type itself.

extension QuerySource {
    /// Joins the pairs of rows that fulfil conditions.
    ///
    ///     let filed = Item.join(Folder.all) { $0.folderID.eq($1.id) }
    ///     try filed.select { ($0.title, $1.title) }.limit(1).fetchAll(db)  // [("Milk", "home")]
    public static func join<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self, B>>, Tables2<Self, B>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().join(other, on: conditions)
    }

    /// Joins the pairs of rows that fulfil conditions.
    public static func join<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<Other.Shape, Tables2<Self, B>>
    where Other.Tables == Tables1<B>, Other.Shape: ScalarShape {
        Where().join(other, on: conditions)
    }

    /// Keeps all rows, each with the matching rows of the other query, or nil.
    ///
    ///     // An item may have no folder: the title of the folder is optional in the rows.
    ///     let pairs = Item.leftJoin(Folder.all) { $0.folderID.eq($1.id) }
    ///     let names: [(String, String?)] = try pairs.select { ($0.title, $1.title) }.fetchAll(db)
    public static func leftJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self, B.AsOuter>>, Tables2<Self, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows, each with the matching rows of the other query, or nil.
    public static func leftJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<Other.Shape.SubqueryValue, Tables2<Self, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: ScalarShape {
        Where().leftJoin(other, on: conditions)
    }

    /// Keeps all rows of the other query, each with the matching rows of this one, or nil.
    ///
    ///     // All folders, also those without items.
    ///     Item.rightJoin(Folder.all) { $0.folderID.eq($1.id) }.select { ($0.title, $1.title) }
    ///     // SELECT "items"."title", "folders"."title" FROM "items" RIGHT JOIN "folders" ON
    ///     // "items"."folderID" = "folders"."id"
    public static func rightJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self.AsOuter, B>>, Tables2<Self.AsOuter, B>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where<Self>().rightJoin(other, on: conditions)
    }

    /// Keeps all rows of the other query, each with the matching rows of this one, or nil.
    public static func rightJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<Other.Shape, Tables2<Self.AsOuter, B>>
    where Other.Tables == Tables1<B>, Other.Shape: ScalarShape {
        Where<Self>().rightJoin(other, on: conditions)
    }

    /// Keeps all rows of both sides, in pairs where they match.
    ///
    ///     let all = Item.fullJoin(Folder.all) { $0.folderID.eq($1.id) }
    ///     all.where { $1.id.is(nil) }.select { item, _ in item.title }
    ///     // SELECT … FROM "items" FULL JOIN "folders" ON … WHERE "folders"."id" IS NULL
    public static func fullJoin<Other: SelectStatement, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (SideColumns, B.SideColumns) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<Self.AsOuter, B.AsOuter>>, Tables2<Self.AsOuter, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where<Self>().fullJoin(other, on: conditions)
    }

}
