internal import SwiftParser
internal import SwiftSyntax
internal import TableModel
internal import TableReading

/// A type as the sources declare it.
struct DeclaredType {
    /// The names of the types around it, and its own.
    let path: [String]
    let declaration: Declaration
    let scope: Scope

    var name: String { path.joined(separator: ".") }

    /// `@Table` or `@Selection`, whichever makes columns of the type.
    var macro: (attribute: TableModel.Attribute, role: TableDescription.Role)? {
        for role in [TableDescription.Role.table, .selection] {
            if let attribute = declaration.attribute(role.rawValue) { return (attribute, role) }
        }
        return nil
    }

    /// Whether a name is that of a generic parameter.
    func isParameter(_ name: String) -> Bool { declaration.genericParameters.contains(name) }

    func place(_ range: SourceSpan) -> Place { Place(file: scope.file, offset: range.start) }
}

/// Where a name stands, which decides what it means.
struct Scope {
    var path: [String]
    let file: TextFile
    let module: String
}

/// `typealias ID = Int`
struct DeclaredAlias {
    /// nil where it has generic parameters.
    let type: String?
    let scope: Scope
}

/// What an extension adds to a type.
struct DeclaredExtension {
    let path: [String]
    let inherited: [String]
    let members: [String]
}

/// Finds the types, aliases and extensions of a file, but for those inside of functions.
///
/// Nothing tells which `#if` the app is built with: the branches are all read, but for `#if false`.
final class DeclarationFinder: SyntaxVisitor {
    private(set) var types: [DeclaredType] = []
    private(set) var aliases: [(path: [String], alias: DeclaredAlias)] = []
    private(set) var extensions: [DeclaredExtension] = []
    /// Whether the parser had to guess somewhere.
    let hasErrors: Bool
    private var scope: Scope
    private var outer: [[String]] = []

    init(_ file: TextFile, module: String) {
        scope = Scope(path: [], file: file, module: module)
        let tree = Parser.parse(source: file.text)
        hasErrors = tree.hasError
        super.init(viewMode: .sourceAccurate)
        walk(tree)
    }

    private func enter(_ path: [String]) -> SyntaxVisitorContinueKind {
        outer.append(scope.path)
        scope.path = path
        return .visitChildren
    }

    private func leave() { scope.path = outer.removeLast() }

    private func found(_ group: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
        let declaration = DeclarationReader.read(group)
        var inner = scope
        inner.path.append(declaration.name.text)
        types.append(DeclaredType(path: inner.path, declaration: declaration, scope: inner))
        return enter(inner.path)
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { found(node) }
    override func visitPost(_ node: StructDeclSyntax) { leave() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { found(node) }
    override func visitPost(_ node: EnumDeclSyntax) { leave() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { found(node) }
    override func visitPost(_ node: ClassDeclSyntax) { leave() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { found(node) }
    override func visitPost(_ node: ActorDeclSyntax) { leave() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let declaration = DeclarationReader.read(node)
        let path = node.extendedType.trimmedDescription.split(separator: ".").map(String.init)
        let names = declaration.properties.flatMap(\.bindings).compactMap { $0.name?.text }
        extensions.append(
            DeclaredExtension(
                path: path, inherited: declaration.inheritedTypes.map(\.text), members: names))
        return enter(path)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { leave() }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        let type = node.genericParameterClause == nil ? node.initializer.value : nil
        aliases.append(
            (
                scope.path + [Reader.name(node.name).text],
                DeclaredAlias(type: type?.trimmedDescription, scope: scope)
            ))
        return .skipChildren
    }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        node.condition?.trimmedDescription == "false" ? .skipChildren : .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
