/// How the rows of a query are written.
enum QueryFormat {
    case table, json, csv

    func writer(_ output: TextOutput) -> any ResultWriter {
        switch self {
        case .table: TableResultWriter(output: output)
        case .json: JSONResultWriter(output: output)
        case .csv: CSVResultWriter(output: output)
        }
    }
}
