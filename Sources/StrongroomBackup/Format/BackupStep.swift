/// What to do about a ``BackupError``. The library says it in calls, the tool in what to type.
package enum BackupStep: Sendable, Equatable {
    case makeRepository, completeRepository, fetchHead, fetchDamagedHead, forgetNewest
    case backUp, backUpFully, listBackups, nameBackup, checkDatabase, pruneDry
    case acceptChange, acceptRemoval, mountDisk
    case introduceKey, introduceKeyring, introduceNewKeyring, beginAnew, introduceFirst
    case rotateDatabase, giveSuccessor, giveSuccessorAsIntroducer, giveOtherIntroducer
    case giveSigner, giveNewKey, rotateForNewKey, rotateStore
    case takeDatabase(named: String), restoreOrTake(Int)
    case nameMemory, verifyWithoutMemory, vouch, restoreAgain
}
