import Foundation
import PackagePlugin

/// `swift package check-tables --schema schema.sql`: gives the sources of the package to the tool.
@main
struct CheckTables: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        var words = extractor.remainingArguments
        for target in try targets(names, of: context.package) {
            words += ["--module", target.moduleName]
            words += target.sourceFiles(withSuffix: "swift").map(\.url.path)
        }
        let tool = Process()
        tool.executableURL = try context.tool(named: "StrongroomTablesCheck").url
        tool.arguments = words
        try tool.run()
        tool.waitUntilExit()
        if tool.terminationStatus != 0 { exit(tool.terminationStatus) }
    }

    /// Those of the names; without names, all that are no tests.
    private func targets(
        _ names: [String], of package: Package
    ) throws -> [any SourceModuleTarget] {
        guard names.isEmpty else {
            return try package.targets(named: names).compactMap(\.sourceModule)
        }
        return package.targets.compactMap(\.sourceModule).filter { $0.kind != .test }
    }
}
