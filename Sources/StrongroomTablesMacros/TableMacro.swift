internal import SwiftSyntax
internal import SwiftSyntaxMacros
internal import TableModel

/// `@Table`: members and conformances of a type whose values are rows.
struct TableMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let analysis = analyze(declaration, node, as: .table)
        context.report(analysis.findings, in: declaration)
        return []
    }

    static func analyze(
        _ group: some DeclGroupSyntax, _ node: AttributeSyntax, as role: TableDescription.Role
    ) -> Analysis {
        let declaration = DeclarationReader.read(group)
        // The one in the declaration: what the compiler hands over apart has other places.
        let attribute = declaration.attribute(role.rawValue) ?? Reader.attribute(node)
        return Analyzer.analyze(declaration, attribute: attribute, role: role)
    }
}

/// `@Selection`: the same for rows that a query makes.
struct SelectionMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

/// `@Column`, `@Columns`, `@Ephemeral`: marks that `@Table` reads. They add nothing.
struct ColumnMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
