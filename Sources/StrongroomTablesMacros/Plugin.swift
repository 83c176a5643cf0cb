// The package of swift-syntax has the main function of a plugin; the toolchain's own modules have
// what it is made of.
#if canImport(SwiftCompilerPlugin)
internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
    var providingMacros: [any Macro.Type] { MacroList.macros }
}
#else
@_spi(PluginMessage) internal import SwiftCompilerPluginMessageHandling
internal import SwiftSyntaxMacros

@main
struct Plugin: PluginProvider {
    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = MacroList.macros.first(where: { "\($0)" == typeName }) else {
            throw UnknownMacro(name: "\(moduleName).\(typeName)")
        }
        return macro
    }
}

/// The compiler asks for a macro that this plugin does not have.
struct UnknownMacro: Error, CustomStringConvertible {
    let name: String

    var description: String { "there is no macro \(name)" }
}
#endif

/// The macros that the module StrongroomTables declares, by the names of their types.
enum MacroList {
    static var macros: [any Macro.Type] {
        [
            TableMacro.self, SelectionMacro.self, ColumnMacro.self, RecordMacro.self, SQLMacro.self,
            BindMacro.self, FunctionMacro.self, CollationMacro.self, UnstorableMacro.self,
            UnstorableCodableMacro.self, UnstorableRawValueMacro.self,
            UnstorableCodableRawValueMacro.self, NamedGroupMacro.self, GeneratedGroupMacro.self,
        ]
    }
}
