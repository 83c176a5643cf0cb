import LibC

let result = CheckTables.run(Array(CommandLine.arguments.dropFirst()))
print(result.text, terminator: "")
exit(result.status)
