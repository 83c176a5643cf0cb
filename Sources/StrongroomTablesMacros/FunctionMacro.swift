internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros
internal import TableModel
internal import TableReading

/// `@DatabaseFunction`: the function as queries and connections take it.
struct FunctionMacro: PeerMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let function = FunctionReader.read(declaration, in: context.lexicalContext)
        // The one in the declaration: what the compiler hands over apart has other places.
        let attribute =
            function.attributes.first { $0.name == "DatabaseFunction" } ?? Reader.attribute(node)
        let type = attribute.argument("as").flatMap { FunctionReader.functionType($0.value) }
        let analysis = FunctionAnalyzer.analyze(function, attribute: attribute, type: type)
        context.report(analysis.findings, in: declaration)
        guard let description = analysis.description else { return [] }
        // Of overloads, the one name that they share is the only mistake.
        let overload = "\(function.name.text)\(function.parameters.count)"
        let name = context.makeUniqueName(overload).text
        return FunctionExpansion.text(of: description, type: name).map { DeclSyntax("\(raw: $0)") }
    }
}

/// `@DatabaseCollation`: an order of texts as queries and connections take it.
struct CollationMacro: PeerMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let function = FunctionReader.read(declaration, in: context.lexicalContext)
        let attribute =
            function.attributes.first { $0.name == "DatabaseCollation" } ?? Reader.attribute(node)
        let expansion = CollationExpansion.expand(function, attribute: attribute)
        context.report(expansion.findings, in: declaration)
        return expansion.text.map { [DeclSyntax("\(raw: $0)")] } ?? []
    }
}
