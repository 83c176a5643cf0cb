// All of Strongroom: `GRDB.Row` and `Row` are Strongroom's.
@_exported import Strongroom
