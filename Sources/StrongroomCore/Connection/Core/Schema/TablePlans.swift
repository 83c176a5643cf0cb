/// The plans of a connection, by the Swift types whose rows they are for.
struct TablePlans {
    private var plans: [ObjectIdentifier: TablePlan] = [:]
    // Mostly, many rows of one type are written one after the other.
    private var latest: (type: ObjectIdentifier, plan: TablePlan)?

    /// The plan for a type that is stored in a table, as long as the schema is of a generation.
    mutating func plan(of type: ObjectIdentifier, in tableName: String, generation: Int)
        -> TablePlan
    {
        if let latest, latest.type == type, latest.plan.holds(tableName, generation) {
            return latest.plan
        }
        let known = plans[type].flatMap { $0.holds(tableName, generation) ? $0 : nil }
        let plan = known ?? TablePlan(tableName: tableName, generation: generation)
        plans[type] = plan
        latest = (type, plan)
        return plan
    }
}
