extension TidyRule {
    /// Names that say nothing about what is inside.
    static let fileNames = TidyRule("file name") { file in
        let parts = file.path.split(separator: "/")
        let pattern = #/(?:Utils?|Utilities|Helpers?|Managers?|Common|Impl)(?:\+.*)?(?:\.\w+)?$/#
        guard let part = parts.first(where: { $0.contains(pattern) }) else { return [] }
        return [Complaint(line: 1, advice: "\(part) says nothing: name the thing that is in it.")]
    }

    /// What is true on one machine only.
    static let machinePaths = TidyRule(
        ban: "machine path", needles: ["/home/", "/Users/", "/work/", "/wt/"],
        pattern: { #/(?:^|[^\w.}])/(?:home/\w|Users/\w|work/|tmp/wt/)/# }, inComments: true,
        instead: "Derive the path, or take it as a parameter."
    ) { !$0.isInside("Tests/StrongroomTests/Tidy") }

    /// Packages come from where the machine's owner says.
    static let packageHosts = TidyRule(
        ban: "package host", needles: ["://"],
        pattern: {
            #/://[\w.@:-]*(?:debian\.|ubuntu\.|launchpad|pypi|pythonhosted|npmjs|crates\.io|brew\.sh|nodesource|docker\.)/#
        },
        inComments: true, instead: "Derive it from the machine's own sources."
    ) { !$0.isInside("Tests/StrongroomTests/Tidy") }

    /// One sentence names a test, and the tests of a file are named in one way.
    static let testNames = TidyRule("test name") { file in
        guard file.isSwift, file.isInside("Tests") else { return [] }
        let lines = file.lines.map { $0.drop { $0 == " " } }
        let inString = lines.indices.filter { index in
            lines[index].hasPrefix("@Test(\"")
                || (lines[index] == "@Test(" && lines[index + 1].hasPrefix("\""))
        }
        let inBackticks = lines.indices.filter {
            lines[$0].hasBytes(of: "func `") && lines[$0].contains(#/^(?:@Test.* )?func `/#)
        }
        guard !inString.isEmpty, let first = inBackticks.first else { return [] }
        return [
            Complaint(line: first + 1, advice: "Others have strings: name all in one way.")
        ]
    }

    static let all =
        bannedCalls + [
            safety, fileLength, testNames, functionLength, documentation, firstSentence, fileNames,
            machinePaths, packageHosts,
        ]
}
