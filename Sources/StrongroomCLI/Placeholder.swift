internal import Strongroom
