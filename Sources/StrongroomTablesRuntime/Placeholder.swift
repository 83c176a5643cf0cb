@_exported public import Strongroom
