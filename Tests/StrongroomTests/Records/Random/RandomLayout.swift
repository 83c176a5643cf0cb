import Foundation
import Strongroom
import StrongroomTestSupport

/// The columns of the records of one program.
struct RandomLayout: Sendable {
    enum Names: CaseIterable, Sendable { case same, snake, custom }

    var columns: [RandomColumn] = []
    var names = Names.same

    init() {}

    init(valuesOnly: Bool, _ random: inout SeededGenerator) {
        names = valuesOnly ? .same : random.pick(Names.allCases)
        let words = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "theta"]
            .shuffled(using: &random)
        for number in 0..<Int.random(in: 1...6, using: &random) {
            let name = words[number] + (number.isMultiple(of: 2) ? words[7].capitalized : "")
            let type = random.pick(RandomType.all)
            var column = type.column(
                name, Bool.random(using: &random), Bool.random(using: &random))
            guard column.isValue || !valuesOnly else { continue }
            if !valuesOnly { column.strategies = RandomStrategies(&random) }
            columns.append(column)
        }
    }

    /// What the column of a property is called.
    func columnName(_ property: String) -> String {
        switch names {
        case .same: property
        case .custom: "c_\(property)"
        case .snake:
            property.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
        }
    }

    func strategies(_ columnName: String) -> RandomStrategies {
        columns.first { self.columnName($0.name) == columnName }?.strategies ?? .init()
    }

    func samples(_ random: inout SeededGenerator) -> [RandomColumn.Sample] {
        columns.map { $0.sample($0.strategies, &random) }
    }
}
