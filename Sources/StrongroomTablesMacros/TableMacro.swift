internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros
internal import TableModel
internal import TableReading

/// `@Table`: members and conformances of a type whose values are rows.
struct TableMacro: ExtensionMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try DescribedType(declaration, node, as: .table).expansion(of: type, in: context)
    }
}

/// `@Selection`: the same for rows that a query makes, and for groups of columns.
struct SelectionMacro: ExtensionMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // With both, '@Table' says so, and does it all.
        let isTable = Reader.attributes(declaration.attributes).contains { $0.name == "Table" }
        guard !isTable else { return [] }
        return try DescribedType(declaration, node, as: .selection).expansion(of: type, in: context)
    }
}

/// A declaration with one of the two attributes, described.
private struct DescribedType {
    private let declaration: Syntax
    private let analysis: Analysis

    init(_ group: some DeclGroupSyntax, _ node: AttributeSyntax, as role: TableDescription.Role) {
        let declaration = DeclarationReader.read(group)
        // The one in the declaration: what the compiler hands over apart has other places.
        let attribute = declaration.attribute(role.rawValue) ?? Reader.attribute(node)
        self.declaration = Syntax(group)
        analysis = Analyzer.analyze(declaration, attribute: attribute, role: role)
    }

    func expansion(
        of type: some TypeSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        context.report(analysis.findings, in: declaration)
        guard let description = analysis.description else { return [] }
        let text = Expansion.text(of: description, type: type.trimmedDescription)
        return [try ExtensionDeclSyntax("\(raw: text)")]
    }
}

/// `@Column`, `@Columns`, `@Ephemeral`: marks that `@Table` reads. They add nothing.
struct ColumnMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
