import Foundation
import StrongroomCLI

exit(Program.run())
