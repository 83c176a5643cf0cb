internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros
internal import TableModel
internal import TableReading

/// `@Record`: what reads and writes the properties of a record.
struct RecordMacro: ExtensionMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let record = DeclarationReader.read(declaration)
        // The one in the declaration: what the compiler hands over apart has other places.
        let attribute = record.attribute("Record") ?? Reader.attribute(node)
        let analysis = RecordAnalyzer.analyze(record, attribute: attribute)
        context.report(analysis.findings, in: declaration)
        // Also what a protocol implies that the type has: EncodableRecord beside PersistableRecord.
        let names = protocols.map { $0.trimmedDescription }
        let missing = RecordExpansion.protocols.filter { name in
            names.contains { $0 == name || $0.hasSuffix(".\(name)") }
        }
        let text = analysis.description.flatMap {
            RecordExpansion.text(of: $0, type: type.trimmedDescription, missing: missing)
        }
        return try text.map { [try ExtensionDeclSyntax("\(raw: $0)")] } ?? []
    }
}
