import StrongroomEssentials
import StrongroomCLI

exit(Program.run())
