import CArguments
import LibC
import StrongroomCLI

let arguments = (0..<strongroom_argument_count()).compactMap { strongroom_argument($0) }
exit(Program.run(arguments.isEmpty ? Program.swiftArguments : arguments))
