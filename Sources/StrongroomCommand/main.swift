import LibC
import StrongroomEssentials
import StrongroomCLI

exit(Program.run())
