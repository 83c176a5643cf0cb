// The C functions of SQLCipher. Libraries call them with a connection or a statement of Strongroom's.
@_exported import CSQLCipher
