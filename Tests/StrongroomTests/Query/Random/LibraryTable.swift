import Strongroom

/// What random requests know of a table.
struct LibraryTable: Sendable {
    let name: String
    let key: String
    let numbers: [String]
    let texts: [String]
    let links: [Link]

    /// An association, and how a query by hand joins the same.
    struct Link: Sendable {
        let association: any Association<Row, Row>
        let isToMany: Bool
        /// The table that it leads to.
        let destination: String
        /// The columns that are equal.
        let columns: (origin: String, destination: String)
        /// The table between, if there is one.
        var pivot: (table: String, columns: (origin: String, destination: String))?
    }

    /// All columns of the tables that may be the first of many.
    static let columns = [
        "book": ["id", "title", "authorId", "year", "price", "genre", "info"],
        "review": ["id", "bookId", "stars", "day"],
    ]

    static func named(_ name: String) -> LibraryTable { all.first { $0.name == name } ?? all[0] }

    static let all = [
        LibraryTable(
            name: "book", key: "id", numbers: ["id", "authorId", "year", "price"],
            texts: ["title", "genre"],
            links: [
                Link(
                    association: book.belongsTo(author), isToMany: false, destination: "author",
                    columns: ("authorId", "id")),
                Link(
                    association: book.hasMany(review), isToMany: true, destination: "review",
                    columns: ("id", "bookId")),
                Link(
                    association: book.hasOne(
                        Row.self, through: book.belongsTo(author), using: author.hasOne(profile)),
                    isToMany: false, destination: "profile", columns: ("id", "authorId"),
                    pivot: ("author", ("authorId", "id"))),
            ]),
        LibraryTable(
            name: "author", key: "id", numbers: ["id", "born", "teacherId"],
            texts: ["name", "countryCode"],
            links: [
                Link(
                    association: author.hasMany(book), isToMany: true, destination: "book",
                    columns: ("id", "authorId")),
                Link(
                    association: author.belongsTo(author, using: ForeignKey(["teacherId"])),
                    isToMany: false, destination: "author", columns: ("teacherId", "id")),
                Link(
                    association: author.hasOne(profile), isToMany: false, destination: "profile",
                    columns: ("id", "authorId")),
                Link(
                    association: author.hasMany(
                        Row.self, through: author.hasMany(book), using: book.hasMany(review)),
                    isToMany: true, destination: "review", columns: ("id", "bookId"),
                    pivot: ("book", ("id", "authorId"))),
            ]),
        LibraryTable(
            name: "review", key: "id", numbers: ["id", "bookId", "stars"], texts: ["day"],
            links: [
                Link(
                    association: review.belongsTo(book), isToMany: false, destination: "book",
                    columns: ("bookId", "id"))
            ]),
        LibraryTable(
            name: "profile", key: "authorId", numbers: ["authorId"], texts: ["text"],
            links: [
                Link(
                    association: profile.belongsTo(author), isToMany: false, destination: "author",
                    columns: ("authorId", "id"))
            ]),
    ]

    private static let book = Table("book")
    private static let author = Table("author")
    private static let review = Table("review")
    private static let profile = Table("profile")
}
