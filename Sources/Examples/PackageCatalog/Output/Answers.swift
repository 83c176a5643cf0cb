/// What the program prints about a catalog.
struct Answers {
    let catalog: Catalog
    let limit: Int

    func printOverview() throws {
        let totals = try catalog.totals()
        print(
            """
            The catalog holds \(totals.packageCount) packages \
            in \(totals.sectionCount) sections by \(totals.maintainerCount) maintainers, \
            with \(totals.dependencyCount) dependencies;
            installed, they take \(ByteCount(bytes: totals.installedSize)).
            """)
        try printLargestPackages()
        printGroups("Packages per section", try catalog.largestSections(limit: limit))
        printGroups("Busiest maintainers", try catalog.busiestMaintainers(limit: limit))
    }

    /// Prints who depends on a package, and how much it needs itself.
    func printDependants(of name: String) throws {
        let dependants = try catalog.dependants(of: name)
        print("\n\(count(dependants.count, "dependency", "dependencies")) on \(name)")
        var table = TextTable(.left, .left, .left)
        for dependant in dependants.prefix(limit) {
            table.add(dependant.name, dependant.kind.rawValue, dependant.requirement)
        }
        show(table)
        if dependants.count > limit {
            print("  … and \(dependants.count - limit) more")
        }
        guard let footprint = try catalog.footprint(of: name) else {
            print("  \(name) itself is not installed.")
            return
        }
        print(
            """
              With all that \(name) needs, it makes \
            \(count(footprint.packageCount, "package", "packages")) \
            and \(ByteCount(bytes: footprint.installedSize)).
            """)
    }

    /// Prints the packages that are about some words, those that fit best first.
    func printPackages(about words: String) throws {
        let packages = try catalog.packages(about: words, limit: limit)
        print("\nPackages about \(words)")
        var table = TextTable(.left, .left)
        for package in packages {
            table.add(package.name, package.summary ?? "")
        }
        show(table)
        if packages.isEmpty {
            print("  There is none.")
        }
    }

    /// Prints what a package is, who looks after it, and what it asks for.
    func printDetails(of name: String) throws {
        let found = try catalog.details(of: name)
        if found.isEmpty {
            print("\n\(name) is not installed.")
        }
        for details in found {
            printDetails(details)
        }
    }

    private func printDetails(_ details: PackageDetails) {
        let package = details.package
        print("\n\(package.name) \(package.version) for \(package.architecture)")
        var table = TextTable(.left, .left)
        func add(_ title: String, _ text: String?) {
            if let text, !text.isEmpty { table.add(title, text) }
        }
        add("Summary", package.summary)
        add("Section", details.section?.name)
        add("Maintainer", details.maintainer?.name)
        add("Installed-Size", package.installedSize.map { "\(ByteCount(bytes: $0))" })
        for kind in Requirement.Kind.allCases {
            add(kind.rawValue, details.requirements(kind).joined(separator: ", "))
        }
        add("Provides", details.provisions.map(\.name).joined(separator: ", "))
        show(table)
    }

    private func printLargestPackages() throws {
        print("\nLargest packages")
        var table = TextTable(.left, .left, .right)
        for package in try catalog.largestPackages(limit: limit) {
            let size = ByteCount(bytes: package.installedSize)
            table.add(package.name, package.version, "\(size)")
        }
        show(table)
    }

    private func printGroups(_ title: String, _ groups: [GroupSize]) {
        print("\n\(title)")
        var table = TextTable(.left, .right, .right)
        for group in groups {
            let size = ByteCount(bytes: group.installedSize)
            table.add(group.name, "\(group.packageCount)", "\(size)")
        }
        show(table)
    }

    private func show(_ table: TextTable) {
        for line in table.lines {
            print(line)
        }
    }

    private func count(_ number: Int, _ singular: String, _ plural: String) -> String {
        "\(number) \(number == 1 ? singular : plural)"
    }
}
