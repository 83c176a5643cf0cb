import StrongroomTestSupport
import Testing

@Suite("Tidiness")
struct TidyTests {
    @Test("The package keeps its rules", arguments: TidyRule.all)
    func packageKeepsRule(rule: TidyRule) {
        for file in SourceTree.files {
            let allowed = TidyException.all
                .filter { $0.rule == rule.name && $0.path == file.path }
                .reduce(0) { $0 + $1.count }
            let complaints = rule.complaints(file)
            for complaint in complaints where complaints.count > allowed {
                Issue.record("\(file.path):\(complaint.line): \(rule.name): \(complaint.advice)")
            }
            #expect(
                complaints.count >= allowed,
                "TidyException allows \(allowed) of \(rule.name) in \(file.path): take it down.")
        }
    }

    @Test("Every exception names a rule and a file that exist")
    func exceptionsExist() {
        for exception in TidyException.all {
            #expect(TidyRule.all.contains { $0.name == exception.rule })
            #expect(SourceTree.files.contains { $0.path == exception.path })
        }
    }

    @Test("The tree that is looked at is the package")
    func treeIsPackage() {
        let paths = SourceTree.files.map(\.path)
        for path in [
            "Package.swift", "Makefile", "Scripts/setup", ".swift-format", "Keys/README.md",
        ] {
            #expect(paths.contains(path))
        }
        #expect(!paths.contains { $0.hasPrefix(".build") || $0.hasPrefix(".git/") })
    }
}
