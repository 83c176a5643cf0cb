#if THREAD_SANITIZER
import StrongroomCore

typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
